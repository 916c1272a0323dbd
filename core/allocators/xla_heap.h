#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/allocators/unit.h"
#include "core/model/conflicts.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// A heap of XLA's simulator: the units that have a place, and the free chunks that they leave for another.
/// (openxla/xla heap_simulator.cc, GlobalDecreasingSizeBestFitHeap: FindChunkCandidate, CommitChunk.)
class XlaHeap {
 public:
  /// What a member of a unit occupies: the heap simulator commits the whole unit for each of them, the repacker only
  /// its own bytes.
  enum class Commit { kWholeUnit, kOwnBytes };
  /// Which of the chunks that are large enough: the smallest, or the lowest.
  enum class Choice { kBest, kLowest };

  /// Bytes [start, end) that nothing in conflict with the unit uses.
  struct FreeChunk {
    std::int64_t start = 0;
    std::int64_t end = kMaxInt64;  // kMaxInt64: open, nothing is above
    bool open() const { return end == kMaxInt64; }
    std::int64_t length() const { return open() ? kMaxInt64 : end - start; }
  };
  struct Candidate {
    std::int64_t offset = 0;
    std::string why;  // only when the run is recorded
  };
  /// A part of a member whose bytes begin to count at their own time.
  struct Part {
    std::int64_t low = 0;  // bytes [low, high)
    std::int64_t high = 0;
    std::int64_t start = 0;
  };

  /// Bytes [low, high) in use; the owner is the lowest of those merged into them.
  struct Used {
    std::int64_t low = 0;
    std::int64_t high = 0;
    BufferIndex owner = kNoBuffer;
  };

  XlaHeap(const Problem& problem, Commit commit, const RunContext& context);

  /// Empty again.
  void clear();
  /// The highest end of what was committed.
  std::int64_t size() const { return size_; }

  /// The place for a unit. `hint`: tried first. Nothing when there is none below 2^63.
  std::optional<Candidate> find(const Unit& unit, Choice choice, std::optional<std::int64_t> hint);
  void commit(const Unit& unit, std::int64_t offset);

  /// For sliced buffers, whose parts begin at times of their own: the chunks that are free for all members of the unit,
  /// for member k from `since[k]` to its end, as far as the leader fits.
  std::vector<FreeChunk> free_chunks(const Unit& unit, const std::vector<std::int64_t>& since);
  /// Bytes in use by buffers in conflict with this one from `since` on: disjoint, by rising address. Valid until the
  /// next call.
  const std::vector<Used>& used_beside(BufferIndex buffer, std::int64_t since);
  /// Replaces the bytes of a committed member by parts with their own starts.
  void commit_parts(BufferIndex buffer, std::vector<Part> parts);

 private:
  void gather(BufferIndex buffer, std::int64_t since);
  void merge();
  std::vector<FreeChunk> chunks(const Unit& unit) const;
  void say_rejected(const Unit& unit) const;

  const Problem& problem_;
  Commit commit_;
  const RunContext& context_;
  std::vector<std::vector<Overlap>> overlaps_;
  std::vector<std::vector<Part>> parts_;  // by buffer; empty: not committed
  std::vector<BufferIndex> committed_;
  std::vector<Used> used_;  // of the unit looked at, merged, by address
  std::int64_t size_ = 0;
};

}  // namespace stowage
