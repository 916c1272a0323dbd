#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/conflicts.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// What is placed, and where each other buffer could go: what TelaMalloc asks of its constraint solver.
class TelaSpace {
 public:
  /// Offsets strictly between the two collide with a placed buffer.
  struct Forbidden {
    std::int64_t low = 0;
    std::int64_t high = 0;
    BufferIndex by = kNoBuffer;
  };

  TelaSpace(const Problem& problem, RunContext& context);

  /// The lowest offset at which the buffer fits between what is placed and under the capacity, or nothing. Says what it
  /// passes when `says`.
  std::optional<std::int64_t> lowest(BufferIndex buffer, std::int64_t capacity, bool says);
  void place(BufferIndex buffer, std::int64_t offset, const char* why);
  void take_out(BufferIndex buffer, const char* why);

  bool is_placed(BufferIndex buffer) const { return offsets_[buffer] != kNoOffset; }
  const std::vector<Overlap>& conflicts(BufferIndex buffer) const { return overlaps_[buffer]; }
  /// By rising address.
  std::span<const Forbidden> forbidden(BufferIndex buffer);
  std::span<const std::int64_t> offsets() const { return offsets_; }
  std::int64_t makespan(std::span<const BufferIndex> buffers) const;
  /// Conflicts looked at so far.
  std::int64_t looks() const { return looks_; }

 private:
  const Problem& problem_;
  RunContext& context_;
  std::vector<std::vector<Overlap>> overlaps_;
  std::vector<std::int64_t> offsets_;
  std::vector<Forbidden> forbidden_;
  std::int64_t looks_ = 0;
};

/// Buffers that conflict directly or through others, planned alone.
struct TelaComponent {
  std::vector<BufferIndex> buffers;  // ascending
  std::int64_t load = 0;
  std::int64_t lower_bound = 0;  // load, and the end of the highest pin
  /// Groups by contention: the buffers that touch the most loaded stretch of time, then of the rest, and so on.
  std::vector<std::vector<BufferIndex>> phases;
};

/// The components of a problem, the highest load first, then by row.
std::vector<TelaComponent> tela_components(const Problem& problem, const TelaSpace& space);

}  // namespace stowage
