#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/conflicts.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// The buffers that have a place, found by conflict instead of by time: for planners to whom a problem is a conflict
/// graph. So gaps, edges and clocks count by themselves. Memory: all conflicts.
class PlacedConflicts {
 public:
  explicit PlacedConflicts(const Problem& problem);

  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  std::int64_t offset(BufferIndex i) const { return offsets_[i]; }
  bool is_placed(BufferIndex i) const { return offsets_[i] != kNoOffset; }
  void place(BufferIndex i, std::int64_t offset) { offsets_[i] = offset; }
  void clear();

  /// All conflicts of a buffer, ascending.
  std::span<const Overlap> of(BufferIndex i) const { return overlaps_[i]; }
  /// The placed ones by rising offset. Valid until the next call.
  std::span<const BufferIndex> by_address(BufferIndex i);

 private:
  std::vector<std::vector<Overlap>> overlaps_;
  std::vector<std::int64_t> offsets_;
  std::vector<BufferIndex> found_;
};

/// a + b, or 2^63-1 when that is less.
std::int64_t add_up_to_max(std::int64_t a, std::int64_t b);

/// "b7 would end above 2^63-1".
tl::unexpected<Error> ends_too_high(const Problem& problem, BufferIndex i);

/// Records that `buffer` cannot sit at `at` because the blocker begins less than `needed` above it; nothing when it
/// leaves room enough.
void say_blocked(const RunContext& context, BufferIndex buffer, BufferIndex blocker, std::int64_t at,
                 std::int64_t blocker_offset, std::int64_t needed);

/// Records the whole plan once more: after several tries the replay must end with the best one.
void say_plan(const RunContext& context, std::span<const std::int64_t> offsets, std::string_view why);

}  // namespace stowage
