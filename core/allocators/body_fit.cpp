#include "core/allocators/body_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/place_search.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"
#include "core/search/placed_by_address.h"

namespace stowage {
namespace {

/// What is placed at once: a body, or a buffer by itself.
struct Unit {
  std::vector<Body::Member> members;
  Grid grid;
  std::int64_t fixed = kNoOffset;
};

/// Offsets of a unit that a placed buffer blocks.
struct Blocked {
  Blocker blocker;
  BufferIndex member = kNoBuffer;  // of the unit, which is in its way
  std::int64_t relative = 0;       // the member's
};

bool starts_lower(const Blocked& a, const Blocked& b) {
  return a.blocker.low < b.blocker.low;
}

/// What blocks a unit, where pairs of buffers know their conflicts.
class BlockedByNeighbours {
 public:
  BlockedByNeighbours(const Problem&, const BodyConflicts& conflicts, bool) : neighbours_(conflicts.neighbours) {}

  void add(BufferIndex, std::int64_t) {}

  /// Leads `search` through all that blocks the unit; calls tell(Blocked) before each. `offsets` and `spaces` are those
  /// of all buffers.
  template <FitRule kRule, typename Tell>
  void lead(PlaceSearch<kRule>& search, const Unit& unit, const std::vector<std::int64_t>& offsets,
            const std::vector<std::uint16_t>& spaces, Tell&& tell) {
    found_.clear();
    for (const Body::Member& member : unit.members) {
      for (const Neighbour& near : neighbours_[member.buffer]) {
        const std::int64_t other = offsets[near.other];
        if (other == kNoOffset || spaces[near.other] != spaces[member.buffer]) continue;
        found_.push_back({{other - near.below - member.relative, other + near.above - member.relative, near.other},
                          member.buffer,
                          member.relative});
      }
    }
    std::sort(found_.begin(), found_.end(), starts_lower);
    for (const Blocked& found : found_) {
      tell(found);
      if (!search.pass(found.blocker)) return;
    }
  }

 private:
  const Lists<Neighbour>& neighbours_;
  std::vector<Blocked> found_;
};

/// Placed buffers by address; who is in the way of a buffer shares a section with it.
class PlacedRectangles {
 public:
  PlacedRectangles(const Problem& problem, const BodyConflicts&) : problem_(problem) {}

  void add(const Placed& placed) {
    if (placed.range.length() > 0) placed_.add(placed);
  }
  /// Calls visit(Placed) for all in the way of a buffer, by rising offset, until it says false; of those that end at or
  /// below `floor` some may be left out.
  template <typename Visit>
  void meet(BufferIndex i, Visit&& visit, std::int64_t floor) const {
    const SectionRange range = problem_.sections().range(i);
    if (range.length() > 0) placed_.by_address(range, visit, floor);
  }

 private:
  const Problem& problem_;
  PlacedByAddress placed_;
};

/// The same where a bit for each pair says who is in the way.
class PlacedConflicts {
 public:
  PlacedConflicts(const Problem&, const BodyConflicts& conflicts) : bits_(*conflicts.bits) {}

  void add(const Placed& placed) { placed_.add(placed); }
  template <typename Visit>
  void meet(BufferIndex i, Visit&& visit, std::int64_t floor) const {
    const auto meets = [this, i](BufferIndex other) {
      return bits_.of(i, other);
    };
    placed_.by_address_if(meets, visit, floor);
  }

 private:
  const ConflictBits& bits_;
  PlacedByAddress placed_;
};

/// What blocks a unit, where each buffer keeps its whole size from all that it conflicts with. Unless each blocker is
/// to be told, those that leave no room between them count as one.
template <typename PlacedSet>
class BlockedByAddress {
 public:
  BlockedByAddress(const Problem& problem, const BodyConflicts& conflicts, bool each)
      : problem_(problem), each_(each), placed_(problem, conflicts) {}

  void add(BufferIndex i, std::int64_t offset) {
    if (!problem_[i].takes_memory()) return;
    placed_.add({problem_.sections().range(i), offset, offset + problem_[i].size, i});
  }

  template <FitRule kRule, typename Tell>
  void lead(PlaceSearch<kRule>& search, const Unit& unit, const std::vector<std::int64_t>&,
            const std::vector<std::uint16_t>&, Tell&& tell) {
    if constexpr (kRule == FitRule::kFirst) {
      climb(search, unit, tell);
    } else {
      gather(unit);
      for (const Blocked& found : found_) {
        tell(found);
        if (!search.pass(found.blocker)) return;
      }
    }
  }

 private:
  /// Each member in turn goes up to where nothing is in its way, until none of them has to any more.
  template <typename Tell>
  void climb(PlaceSearch<FitRule::kFirst>& search, const Unit& unit, Tell&& tell) const {
    std::size_t content = 0;  // members in a row
    for (std::size_t k = 0; content < unit.members.size(); k = (k + 1) % unit.members.size()) {
      const std::int64_t before = search.at();
      const Body::Member& member = unit.members[k];
      walk(member, before, [&](const Blocker& blocker) {
        tell(Blocked{blocker, member.buffer, member.relative});
        return search.pass(blocker);
      });
      content = search.at() == before ? content + 1 : 1;
    }
  }

  /// By rising low; each reaches above all before it. What is in the way of one member comes in the order of addresses;
  /// most of it lies under what others block, and is left out.
  void gather(const Unit& unit) {
    found_.clear();
    for (const Body::Member& member : unit.members) {
      run_of(member);
      if (found_.empty()) {
        found_.swap(run_);
        continue;
      }
      merged_.clear();
      auto next = run_.begin();
      const auto take = [&](const Blocked& blocked) {
        if (adds_to(merged_, blocked.blocker)) merged_.push_back(blocked);
      };
      for (const Blocked& before : found_) {
        for (; next != run_.end() && starts_lower(*next, before); ++next) take(*next);
        take(before);
      }
      for (; next != run_.end(); ++next) take(*next);
      found_.swap(merged_);
    }
  }

  void run_of(const Body::Member& member) {
    run_.clear();
    std::int64_t high =
        kMinInt64;  // of the last one: in a register, since nearly all that is in the way only raises it
    const bool each = each_;
    walk(member, kMinInt64, [&](const Blocker& blocker) {
      if (blocker.high <= high) return true;
      if (each || blocker.low >= high) {
        if (!run_.empty()) run_.back().blocker.high = high;
        run_.push_back({blocker, member.buffer, member.relative});
      }
      high = blocker.high;
      return true;
    });
    if (!run_.empty()) run_.back().blocker.high = high;
  }

  /// Whether a blocker that starts no lower than the last one of the list is to be added: not when it lies under that,
  /// and not when the last one grew to cover it.
  bool adds_to(std::vector<Blocked>& list, const Blocker& blocker) const {
    if (list.empty()) return true;
    Blocker& last = list.back().blocker;
    if (blocker.high <= last.high) return false;
    if (each_ || blocker.low >= last.high) return true;
    last.high = blocker.high;
    return false;
  }

  /// Calls visit(Blocker) for what is in the way of a member, by rising low, until it says false. What blocks only
  /// offsets of the unit up to `from` may be left out.
  template <typename Visit>
  void walk(const Body::Member& member, std::int64_t from, Visit&& visit) const {
    if (!problem_[member.buffer].takes_memory()) return;
    const std::int64_t below = problem_[member.buffer].size + member.relative;
    const auto met = [&](const Placed& other) {
      return visit(Blocker{other.offset - below, other.end - member.relative, other.buffer});
    };
    placed_.meet(member.buffer, met, from == kMinInt64 ? kMinInt64 : from + member.relative);
  }

  const Problem& problem_;
  bool each_;
  PlacedSet placed_;
  std::vector<Blocked> found_;  // working memory, as the next two
  std::vector<Blocked> run_;
  std::vector<Blocked> merged_;
};

template <FitRule kRule, typename BlockedBy>
class BodyPlacement {
 public:
  BodyPlacement(const Problem& problem, const BodyConflicts& conflicts, RunContext& context)
      : problem_(problem), context_(context), blocked_(problem, conflicts, context.records()) {
    result_.offsets.assign(problem.size(), kNoOffset);
    for (const Buffer& buffer : problem.buffers()) spaces_.push_back(buffer.space);
  }

  Result<RunResult> run(std::span<const BufferIndex> order) {
    for (const bool fixed : {true, false}) {
      if (fixed && !problem_.has_fixed()) continue;
      context_.say(Step{step::Phase{fixed ? "fixed buffers" : "one buffer after the other"}, {}});
      for (std::size_t k = 0; k < order.size(); ++k) {
        if (k % 256 == 255) {
          if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
          context_.report(static_cast<double>(k) / static_cast<double>(order.size()));
        }
        if (result_.offsets[order[k]] != kNoOffset) continue;
        const Unit unit = unit_of(order[k]);
        if (fixed != (unit.fixed != kNoOffset)) continue;
        if (fixed) {
          settle(unit, unit.fixed, "it is fixed there");
        } else if (const auto placed = place(order[k], unit); !placed) {
          return tl::unexpected(placed.error());
        }
      }
    }
    context_.report(1);
    if (problem_.needs().candidates) result_.spaces = std::move(spaces_);
    return std::move(result_);
  }

 private:
  Unit unit_of(BufferIndex i) const {
    const std::uint32_t body = problem_.bodies().of(i);
    if (body == Bodies::kNone) return {{{i, 0}}, problem_.grid(i), problem_[i].fixed};
    return {problem_.bodies()[body].members, problem_.bodies()[body].grid, problem_.bodies()[body].fixed};
  }

  Result<void> place(BufferIndex asked, const Unit& unit) {
    if (context_.records()) context_.say(Step{step::Consider{asked}, {}});
    const Details* details = problem_.details(asked);
    if (unit.members.size() == 1 && details != nullptr && details->candidates.size() > 1) {
      return place_in_candidates(asked, details->candidates);
    }
    const PlaceSearch<kRule> search = searched(unit);
    for (const Body::Member& member : unit.members) {
      const auto at = checked_add(search.place(), member.relative);
      if (at && checked_add(*at, problem_[member.buffer].size)) continue;
      return fail(Error::Kind::kRefused,
                  fmt::format("{} would end above 2^63-1", printable_utf8(problem_.id(member.buffer))));
    }
    settle(unit, search.place(), context_.records() ? reason(kRule, search.spare()) : std::string());
    return {};
  }

  Result<void> place_in_candidates(BufferIndex i, const std::vector<std::uint16_t>& candidates) {
    std::int64_t missing = kMaxInt64;
    for (const std::uint16_t space : candidates) {
      spaces_[i] = space;
      const Unit unit{{{i, 0}}, problem_.grid_in(i, space), kNoOffset};
      const PlaceSearch<kRule> search = searched(unit);
      const auto end = checked_add(search.place(), problem_[i].size);
      const std::int64_t capacity = problem_.capacity(space).value_or(kMaxInt64);
      if (end && *end <= capacity) {
        const std::string where = fmt::format("in space {}", printable_utf8(problem_.spaces()[space].id));
        settle(unit, search.place(), context_.records() ? where : std::string());
        return {};
      }
      missing = std::min(missing, end ? *end - capacity : kMaxInt64);
      if (context_.records()) {
        context_.say(Step{step::Note{fmt::format("{} does not fit into space {}: {} bytes are missing",
                                                 printable_utf8(problem_.id(i)),
                                                 printable_utf8(problem_.spaces()[space].id), missing)},
                          {}});
      }
    }
    return fail(Error::Kind::kRefused, fmt::format("{} fits into none of its {} spaces: {} bytes are missing",
                                                   printable_utf8(problem_.id(i)), candidates.size(), missing));
  }

  PlaceSearch<kRule> searched(const Unit& unit) {
    PlaceSearch<kRule> search(unit.grid);
    blocked_.lead(search, unit, result_.offsets, spaces_, [&](const Blocked& found) {
      if (!context_.records()) return;
      // Bytes and offset are those of the member that is in the way.
      const std::int64_t up = found.relative;
      const Blocker at_member{found.blocker.low + up, found.blocker.high + up, found.blocker.buffer};
      say_if_rejected(problem_, found.member, search.at() + up, at_member, context_);
    });
    return search;
  }

  void settle(const Unit& unit, std::int64_t offset, std::string why) {
    for (const Body::Member& member : unit.members) {
      result_.offsets[member.buffer] = offset + member.relative;
      blocked_.add(member.buffer, offset + member.relative);
      if (!context_.records()) continue;
      const bool first = &member == &unit.members.front();
      context_.say(Step{step::Place{member.buffer, offset + member.relative},
                        first ? why : "tied to " + printable_utf8(problem_.id(unit.members.front().buffer))});
    }
  }

  const Problem& problem_;
  RunContext& context_;
  BlockedBy blocked_;
  std::vector<std::uint16_t> spaces_;
  RunResult result_;
};

/// What two bodies are to each other is mostly the same for all of their members: it is kept for one pair of them.
void keep_one_of_each(const Problem& problem, std::vector<std::vector<Neighbour>>& lists) {
  struct Distance {
    std::size_t unit = static_cast<std::size_t>(-1);
    std::int64_t below = 0;  // between the offsets of the two units
    std::int64_t above = 0;
    bool operator==(const Distance&) const = default;
  };
  const Bodies& bodies = problem.bodies();
  const auto unit_of = [&](BufferIndex i) -> std::size_t {
    return bodies.of(i) == Bodies::kNone ? bodies.count() + i : bodies.of(i);
  };
  std::vector<Distance> last(bodies.count() + problem.size());  // by the unit of the other one
  const auto thin_out = [&](BufferIndex i) {
    const std::int64_t mine = bodies.relative(i);
    std::erase_if(lists[i], [&](const Neighbour& near) {
      const std::int64_t theirs = bodies.relative(near.other);
      const Distance now{unit_of(i), theirs - near.below - mine, theirs + near.above - mine};
      return std::exchange(last[unit_of(near.other)], now) == now;
    });
  };
  for (const Body& body : bodies.all()) {
    for (const Body::Member& member : body.members) thin_out(member.buffer);
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (bodies.of(i) == Bodies::kNone) thin_out(i);
  }
}

template <FitRule kRule>
Result<RunResult> place(const Problem& problem, const BodyConflicts& conflicts, std::span<const BufferIndex> order,
                        RunContext& context) {
  switch (conflicts.blocking) {
    case Blocking::kRectangles:
      return BodyPlacement<kRule, BlockedByAddress<PlacedRectangles>>(problem, conflicts, context).run(order);
    case Blocking::kBits:
      return BodyPlacement<kRule, BlockedByAddress<PlacedConflicts>>(problem, conflicts, context).run(order);
    case Blocking::kLists:
      break;
  }
  return BodyPlacement<kRule, BlockedByNeighbours>(problem, conflicts, context).run(order);
}

constexpr std::size_t kMostBits = 16'384;  // buffers: 32 MiB

}  // namespace

Lists<Neighbour> neighbours_of(const Problem& problem) {
  const std::vector<std::vector<Overlap>> overlaps = [&] {
    if (!problem.needs().candidates) return all_overlaps(problem);
    const std::vector<std::uint16_t> one(problem.size(), 0);
    return all_overlaps(make_problem(in_spaces(problem, one)).value());
  }();
  std::vector<std::vector<Neighbour>> lists(overlaps.size());
  // Lists are ascending, so each buffer is come by in the order of the others' lists.
  std::vector<std::size_t> next(overlaps.size(), 0);
  for (std::size_t i = 0; i < overlaps.size(); ++i) {
    lists[i].reserve(overlaps[i].size());
    for (const Overlap& overlap : overlaps[i]) {
      const Overlap& back = overlaps[overlap.other][next[overlap.other]++];
      lists[i].push_back({overlap.other, overlap.effective_size, back.effective_size});
    }
  }
  if (!problem.bodies().empty()) keep_one_of_each(problem, lists);
  Lists<Neighbour> neighbours;
  for (const std::vector<Neighbour>& list : lists) {
    for (const Neighbour& near : list) neighbours.add(near);
    neighbours.close_list();
  }
  return neighbours;
}

Blocking blocking_of(const Problem& problem) {
  const Needs& needs = problem.needs();
  if (needs.gaps || needs.slices || needs.candidates) return Blocking::kLists;
  if (needs.only_lifetimes()) return Blocking::kRectangles;
  return problem.size() <= kMostBits ? Blocking::kBits : Blocking::kLists;
}

BodyConflicts::BodyConflicts(const Problem& problem, Blocking how) : blocking(how) {
  if (how == Blocking::kLists) neighbours = neighbours_of(problem);
  if (how == Blocking::kBits) bits.emplace(problem);
}

Result<RunResult> place_bodies_in_order(const Problem& problem, const BodyConflicts& conflicts,
                                        std::span<const BufferIndex> order, FitRule rule, RunContext& context) {
  switch (rule) {
    case FitRule::kFirst:
      return place<FitRule::kFirst>(problem, conflicts, order, context);
    case FitRule::kBest:
      return place<FitRule::kBest>(problem, conflicts, order, context);
    case FitRule::kArena:
      break;
  }
  return place<FitRule::kArena>(problem, conflicts, order, context);
}

}  // namespace stowage
