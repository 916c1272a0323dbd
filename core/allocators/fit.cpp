#include "core/allocators/fit.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/body_fit.h"
#include "core/allocators/local_queue.h"
#include "core/allocators/place_search.h"
#include "core/allocators/placed_by_time.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"
#include "core/search/placed_by_address.h"

namespace stowage {
namespace {

/// With gaps, how far two buffers must lie apart depends on both, so blockers are gathered and sorted by themselves.
void gather_among_gaps(const Problem& problem, BufferIndex buffer, const PlacedByTime<Placed>& placed,
                       std::vector<Blocker>& blockers) {
  blockers.clear();
  const std::int64_t size = problem[buffer].size;
  const bool whole = problem.gaps(buffer).empty();
  placed.overlapping(problem.sections().range(buffer), [&](const Placed& other) {
    if (whole && problem.gaps(other.buffer).empty()) {
      if (other.end > other.offset) blockers.push_back({other.offset - size, other.end, other.buffer});
      return;
    }
    const auto below = effective_size(problem, buffer, other.buffer);
    const auto above = effective_size(problem, other.buffer, buffer);
    if (below && above) blockers.push_back({other.offset - *below, other.offset + *above, other.buffer});
  });
  std::sort(blockers.begin(), blockers.end(), [](const Blocker& a, const Blocker& b) { return a.low < b.low; });
}

/// Addresses as a placed set keeps them, and back.
Placed keep(const Placed& placed, std::int64_t, std::type_identity<Placed>) {
  return placed;
}
NarrowPlaced keep(const Placed& placed, std::int64_t unit, std::type_identity<NarrowPlaced>) {
  return {placed.range, static_cast<std::uint32_t>(placed.offset / unit),
          static_cast<std::uint32_t>(placed.end / unit)};
}
Placed widen(const Placed& placed, std::int64_t) {
  return placed;
}
Placed widen(const NarrowPlaced& placed, std::int64_t unit) {
  return {placed.range, placed.offset * unit, placed.end * unit, kNoBuffer};
}

// Measured: walking the addresses wins once a buffer meets about one in 40 of all on average, or one in 20 by itself;
// keeping a second list for those pays when they meet a few times as many as there are buffers.
constexpr std::int64_t kManyLive = 40;
constexpr std::int64_t kMeetsMany = 20;
constexpr std::int64_t kWorthTwice = 8;

/// By buffer: does it walk the addresses? Empty when nobody does.
using MeetsMany = std::vector<std::uint8_t>;

template <typename PlacedSet, typename Entry, FitRule kRule>
class Placement {
 public:
  /// `unit` divides every address that can come up.
  Placement(const Problem& problem, RunContext& context, PlacedSet placed, std::int64_t unit, std::int64_t limit,
            const MeetsMany& meets_many)
      : problem_(problem),
        context_(context),
        placed_(std::move(placed)),
        meets_many_(meets_many),
        unit_(unit),
        limit_(limit) {
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
        return fail(Error::Kind::kRefused, fmt::format("{} would end above {}", printable_utf8(problem_.id(i)),
                                                       limit_ == kMaxInt64 ? "2^63-1" : fmt::format("{}", limit_)));
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
    PlaceSearch<kRule> search(problem_.grid(i));
    for_each_blocker(i, [&](const Blocker& blocker) {
      if (context_.records()) say_if_rejected(problem_, i, search.at(), blocker, context_);
      return search.pass(blocker);
    });
    const auto end = checked_add(search.place(), problem_[i].size);
    if (!end || *end > limit_) return false;
    settle(i, search.place(), context_.records() ? reason(kRule, search.spare()) : std::string());
    return true;
  }

  /// Calls visit(Blocker) by rising `low` until it says false.
  template <typename Visit>
  void for_each_blocker(BufferIndex i, Visit&& visit) {
    if constexpr (std::is_same_v<PlacedSet, PlacedByTime<Placed>>) {
      if (problem_.has_gaps()) {
        gather_among_gaps(problem_, i, placed_, blockers_);
        for (const Blocker& blocker : blockers_) {
          if (!visit(blocker)) return;
        }
        return;
      }
    }
    const std::int64_t size = problem_[i].size;
    const auto look = [&](const Placed& other) {
      return visit(Blocker{other.offset - size, other.end, other.buffer});
    };
    if (!meets_many_.empty() && meets_many_[i] != 0) return all_.by_address(problem_.sections().range(i), look);
    placed_.by_address(problem_.sections().range(i), [&](const Entry& entry) { return look(widen(entry, unit_)); });
  }

  void settle(BufferIndex i, std::int64_t offset, std::string why) {
    result_.offsets[i] = offset;
    if (problem_.sections().range(i).length() > 0) {
      const Placed placed{problem_.sections().range(i), offset, offset + problem_[i].size, i};
      placed_.add(keep(placed, unit_, std::type_identity<Entry>()));
      if (!meets_many_.empty()) all_.add(placed);
    }
    if (context_.records()) context_.say(Step{step::Place{i, offset}, std::move(why)});
  }

  const Problem& problem_;
  RunContext& context_;
  PlacedSet placed_;
  const MeetsMany& meets_many_;
  PlacedByAddress all_;  // the same as `placed_`, for those that meet many
  std::int64_t unit_;
  std::int64_t limit_;
  std::vector<Blocker> blockers_;
  RunResult result_;
};

/// The largest number that divides every offset and end a greedy placement can come to, when 32 bits then hold them
/// all; else 0.
std::int64_t narrow_unit(const Problem& problem) {
  std::int64_t unit = 0;
  std::int64_t highest_fixed = 0;
  Int128 stacked = 0;  // everything on top of each other, each with the worst alignment
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    unit = std::gcd(unit, buffer.size);
    if (buffer.alignment > 1) unit = std::gcd(std::gcd(unit, buffer.alignment), problem.grid(i).phase);
    if (buffer.is_fixed()) {
      unit = std::gcd(unit, buffer.fixed);
      highest_fixed = std::max(highest_fixed, buffer.fixed + buffer.size);
    }
    stacked += Int128{buffer.size} + buffer.alignment;
  }
  if (unit == 0) return 0;
  return (stacked + highest_fixed) / unit < Int128{std::numeric_limits<std::uint32_t>::max()} ? unit : 0;
}

/// An order with the same plan that works through one stretch of time after the other, as far as it can: what a buffer
/// needs is then in cache already. Only buffers that overlap must keep their order.
std::vector<BufferIndex> neighbours_together(const Problem& problem, std::span<const BufferIndex> order) {
  std::vector<BufferIndex> together;
  together.reserve(order.size());
  LocalQueue queue(problem.sections().count(), LocalQueue::Locality::kBlocks);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    const BufferIndex i = order[rank];
    const SectionRange range = problem.sections().range(i);
    if (range.length() > 0) {
      queue.add({0, rank, i, range});
    } else {
      together.push_back(i);
    }
  }
  queue.drain([&](const Waiting& next) {
    together.push_back(next.buffer);
    return LocalQueue::Turn::kTaken;
  });
  return together;
}

template <FitRule kRule>
Result<RunResult> place(const Problem& problem, std::span<const BufferIndex> order, RunContext& context,
                        std::int64_t limit, bool many_live, const MeetsMany& found) {
  using ByTime = PlacedByTime<Placed>;
  using ByTimeNarrow = PlacedByTime<NarrowPlaced>;
  const std::size_t sections = problem.sections().count();
  const MeetsMany nobody;
  const MeetsMany& meets_many = context.records() ? nobody : found;  // steps tell who is in the way as time finds them
  // With gaps the blockers do not come in address order, so they must be gathered and sorted.
  if (problem.has_gaps()) {
    return Placement<ByTime, Placed, kRule>(problem, context, ByTime(sections), 1, limit, meets_many).run(order);
  }
  if (many_live) {
    return Placement<PlacedByAddress, Placed, kRule>(problem, context, PlacedByAddress(), 1, limit, meets_many)
        .run(order);
  }
  std::vector<BufferIndex> together;
  // Steps are told in the order given; and only fixed buffers can make it fail, then for the first in that order.
  if (!context.records() && !problem.has_fixed()) {
    together = neighbours_together(problem, order);
    order = together;
  }
  const std::int64_t unit = context.records() ? 0 : narrow_unit(problem);
  if (unit > 0) {
    return Placement<ByTimeNarrow, NarrowPlaced, kRule>(problem, context, ByTimeNarrow(sections), unit, limit,
                                                        meets_many)
        .run(order);
  }
  return Placement<ByTime, Placed, kRule>(problem, context, ByTime(sections), 1, limit, meets_many).run(order);
}

}  // namespace

OrderPlacement::OrderPlacement(const Problem& problem) : problem_(problem) {
  const Needs& needs = problem.needs();
  if (!needs.only_lifetimes() || !needs.only_single_buffers() || needs.candidates) {
    conflicts_ = std::make_unique<BodyConflicts>(problem, blocking_of(problem));
  } else if (!problem.has_gaps()) {
    weigh();
  }
}

void OrderPlacement::weigh() {
  const std::vector<std::int64_t> counts = conflict_counts(problem_);
  const auto buffers = static_cast<std::int64_t>(counts.size());
  std::int64_t all = 0;
  std::int64_t of_many = 0;
  for (const std::int64_t count : counts) {
    all += count;
    if (count > buffers / kMeetsMany) of_many += count;
  }
  many_live_ = all / std::max<std::int64_t>(1, buffers) > buffers / kManyLive;
  if (many_live_ || of_many < kWorthTwice * buffers) return;
  meets_many_.reserve(counts.size());
  for (const std::int64_t count : counts) meets_many_.push_back(count > buffers / kMeetsMany ? 1 : 0);
}

OrderPlacement::~OrderPlacement() = default;

Result<RunResult> OrderPlacement::place(std::span<const BufferIndex> order, FitRule rule, RunContext& context,
                                        std::int64_t limit) {
  if (conflicts_) return place_bodies_in_order(problem_, *conflicts_, order, rule, context);
  switch (rule) {
    case FitRule::kFirst:
      return stowage::place<FitRule::kFirst>(problem_, order, context, limit, many_live_, meets_many_);
    case FitRule::kBest:
      return stowage::place<FitRule::kBest>(problem_, order, context, limit, many_live_, meets_many_);
    case FitRule::kArena:
      break;
  }
  return stowage::place<FitRule::kArena>(problem_, order, context, limit, many_live_, meets_many_);
}

Result<RunResult> place_in_order(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                                 RunContext& context, std::int64_t limit) {
  return OrderPlacement(problem).place(order, rule, context, limit);
}

}  // namespace stowage
