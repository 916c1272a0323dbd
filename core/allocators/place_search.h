#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "core/allocators/fit.h"
#include "core/base/integers.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// Offsets strictly between `low` and `high` would collide with `buffer`.
///
///                +--------+ high = its end (less what it does not need there)
///                | placed |
///                +--------+ its offset
///                     . low = its offset - bytes that the newcomer needs below it
struct Blocker {
  std::int64_t low = 0;
  std::int64_t high = 0;
  BufferIndex buffer = kNoBuffer;
};

/// Walks up through the blockers of one buffer, by rising `low`, and keeps the best place so far. It only calculates:
/// that keeps the whole walk in registers.
template <FitRule kRule>
class PlaceSearch {
 public:
  explicit PlaceSearch(Grid grid) : grid_(grid), at_(grid.up(0)) {}

  /// The lowest allowed offset above all blockers so far.
  std::int64_t at() const { return at_; }

  /// False when the search is over.
  bool pass(const Blocker& blocker) {
    if (at_ <= blocker.low) {
      if constexpr (kRule == FitRule::kFirst) return false;
      take_if_tighter(blocker.low);
    }
    if constexpr (kRule == FitRule::kArena) unaligned_ = std::max(unaligned_, blocker.high);
    at_ = std::max(at_, grid_.up(blocker.high));
    return true;
  }

  std::int64_t place() const { return best_ == kNoOffset ? at_ : best_; }
  /// The bytes that stay free above the place; nothing when it is the open room above everything.
  std::optional<std::int64_t> spare() const { return best_ == kNoOffset ? std::nullopt : std::optional(best_spare_); }

 private:
  void take_if_tighter(std::int64_t low) {
    if (best_ != kNoOffset && low - at_ >= to_beat_) return;
    best_ = at_;
    best_spare_ = low - at_;
    to_beat_ = kRule == FitRule::kArena ? low - unaligned_ : best_spare_;
  }

  Grid grid_;
  std::int64_t at_ = 0;
  std::int64_t unaligned_ = 0;  // where at_ would be without alignment
  std::int64_t best_ = kNoOffset;
  std::int64_t best_spare_ = 0;
  std::int64_t to_beat_ = 0;
};

/// Why a place was taken, for its step.
std::string reason(FitRule rule, std::optional<std::int64_t> spare);

/// Says that the place `at` is no good for buffer `i` when the blocker is in its way.
void say_if_rejected(const Problem& problem, BufferIndex i, std::int64_t at, const Blocker& blocker,
                     RunContext& context);

}  // namespace stowage
