#include "core/allocators/fit.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/placed_by_address.h"
#include "core/allocators/placed_by_time.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"

namespace stowage {
namespace {

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

/// Walks up through the blockers of one buffer, by rising `low`, and keeps the best place so far.
template <FitRule kRule>
class PlaceSearch {
 public:
  PlaceSearch(const Problem& problem, BufferIndex buffer, RunContext& context)
      : problem_(problem),
        buffer_(buffer),
        context_(context),
        records_(context.records()),
        grid_(problem.grid(buffer)) {
    at_ = grid_.up(0);
  }

  /// False when the search is over.
  bool pass(const Blocker& blocker) {
    if (at_ <= blocker.low) {
      if constexpr (kRule == FitRule::kFirst) return false;
      take_if_tighter(blocker.low - at_);
    } else if (records_ && at_ < blocker.high) {
      reject(blocker);
    }
    at_ = std::max(at_, grid_.up(blocker.high));
    return true;
  }

  std::int64_t place() const { return best_ == kNoOffset ? at_ : best_; }

  std::string reason() const {
    if (kRule == FitRule::kFirst) return "the lowest place that is large enough";
    if (best_ == kNoOffset) return "no room between others is large enough, so on top";
    return fmt::format("the tightest room, {} bytes stay free above it", best_spare_);
  }

 private:
  void take_if_tighter(std::int64_t spare) {
    if (best_ != kNoOffset && spare >= best_spare_) return;
    best_ = at_;
    best_spare_ = spare;
  }

  void reject(const Blocker& blocker) const {
    const std::int64_t size = effective_size(problem_, buffer_, blocker.buffer).value_or(problem_[buffer_].size);
    const std::int64_t free = std::max<std::int64_t>(0, blocker.low + size - at_);
    // A window can let the lower buffer need nothing below the blocker, and still reach too high: then say by how much.
    const std::int64_t needed = size > free ? size : free + (at_ - blocker.low);
    context_.say(Step{step::Reject{buffer_, blocker.buffer, at_, free, needed}, {}});
  }

  const Problem& problem_;
  BufferIndex buffer_;
  RunContext& context_;
  bool records_;
  Grid grid_;
  std::int64_t at_ = 0;
  std::int64_t best_ = kNoOffset;
  std::int64_t best_spare_ = 0;
};

/// With gaps, how far two buffers must lie apart depends on both, so blockers are gathered and sorted by themselves.
/// `blockers` is only working memory.
template <FitRule kRule>
void search_among_gaps(PlaceSearch<kRule>& search, const Problem& problem, BufferIndex buffer,
                       const PlacedByTime& placed, std::vector<Blocker>& blockers) {
  blockers.clear();
  placed.overlapping(problem.sections().range(buffer), [&](const Placed& other) {
    const auto below = effective_size(problem, buffer, other.buffer);
    const auto above = effective_size(problem, other.buffer, buffer);
    if (below && above) blockers.push_back({other.offset - *below, other.offset + *above, other.buffer});
  });
  std::sort(blockers.begin(), blockers.end(), [](const Blocker& a, const Blocker& b) { return a.low < b.low; });
  for (const Blocker& blocker : blockers) {
    if (!search.pass(blocker)) return;
  }
}

template <typename PlacedSet, FitRule kRule>
class Placement {
 public:
  Placement(const Problem& problem, RunContext& context, PlacedSet placed)
      : problem_(problem), context_(context), placed_(std::move(placed)) {
    result_.offsets.assign(problem.size(), kNoOffset);
  }

  Result<RunResult> run(std::span<const BufferIndex> order) {
    if (problem_.has_fixed()) {
      context_.say(Step{step::Phase{"fixed buffers"}, {}});
      for (const BufferIndex i : order) {
        if (problem_[i].is_fixed()) settle(i, problem_[i].fixed, "it is fixed there");
      }
    }
    context_.say(Step{step::Phase{"one buffer after the other"}, {}});
    std::size_t done = 0;
    for (const BufferIndex i : order) {
      if (++done % 256 == 0) {
        if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
        context_.report(static_cast<double>(done) / static_cast<double>(order.size()));
      }
      prefetch(order, done);
      if (problem_[i].is_fixed()) continue;
      if (!place(i)) {
        return fail(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem_.id(i))));
      }
    }
    context_.report(1);
    return std::move(result_);
  }

 private:
  /// Each buffer and what it will meet lie anywhere in memory: ask for them a few buffers ahead.
  void prefetch(std::span<const BufferIndex> order, std::size_t at) const {
    constexpr std::size_t kAhead = 8;
    if (at + 2 * kAhead >= order.size()) return;
    __builtin_prefetch(&problem_[order[at + 2 * kAhead]]);
    __builtin_prefetch(&problem_.sections().ranges()[order[at + 2 * kAhead]]);
    placed_.prefetch(problem_.sections().range(order[at + kAhead]));
  }

  bool place(BufferIndex i) {
    if (context_.records()) context_.say(Step{step::Consider{i}, {}});
    if (!problem_[i].takes_memory()) {
      settle(i, problem_.grid(i).up(0), "it takes no memory");
      return true;
    }
    PlaceSearch<kRule> found(problem_, i, context_);
    if constexpr (std::is_same_v<PlacedSet, PlacedByTime>) {
      if (problem_.has_gaps()) search_among_gaps(found, problem_, i, placed_, blockers_);
    }
    if (!problem_.has_gaps()) {
      const std::int64_t size = problem_[i].size;
      placed_.by_address(problem_.sections().range(i), [&](const Placed& other) {
        return found.pass({other.offset - size, other.end, other.buffer});
      });
    }
    if (!checked_add(found.place(), problem_[i].size)) return false;
    settle(i, found.place(), context_.records() ? found.reason() : std::string());
    return true;
  }

  void settle(BufferIndex i, std::int64_t offset, std::string why) {
    result_.offsets[i] = offset;
    if (problem_.sections().range(i).length() > 0) {
      placed_.add({problem_.sections().range(i), offset, offset + problem_[i].size, i});
    }
    if (context_.records()) context_.say(Step{step::Place{i, offset}, std::move(why)});
  }

  const Problem& problem_;
  RunContext& context_;
  PlacedSet placed_;
  std::vector<Blocker> blockers_;
  RunResult result_;
};

/// Measured: walking the addresses wins once a buffer meets about one in 500 of all.
bool many_live_at_once(const Problem& problem) {
  const std::vector<std::int64_t> counts = conflict_counts(problem);
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  const auto buffers = static_cast<std::int64_t>(problem.size());
  return sum / std::max<std::int64_t>(1, buffers) > buffers / 500;
}

template <FitRule kRule>
Result<RunResult> place(const Problem& problem, std::span<const BufferIndex> order, RunContext& context) {
  // With gaps the blockers do not come in address order, so they must be gathered and sorted.
  if (problem.has_gaps() || !many_live_at_once(problem)) {
    return Placement<PlacedByTime, kRule>(problem, context, PlacedByTime(problem.sections().count())).run(order);
  }
  return Placement<PlacedByAddress, kRule>(problem, context, PlacedByAddress()).run(order);
}

}  // namespace

Result<RunResult> place_in_order(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                                 RunContext& context) {
  return rule == FitRule::kFirst ? place<FitRule::kFirst>(problem, order, context)
                                 : place<FitRule::kBest>(problem, order, context);
}

}  // namespace stowage
