#include "core/allocators/body_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/place_search.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"

namespace stowage {
namespace {

/// What is placed at once: a body, or a buffer by itself.
struct Unit {
  std::vector<Body::Member> members;
  Grid grid;
  std::int64_t fixed = kNoOffset;
};

template <FitRule kRule>
class BodyPlacement {
 public:
  BodyPlacement(const Problem& problem, const Lists<Neighbour>& neighbours, RunContext& context)
      : problem_(problem), context_(context), neighbours_(neighbours) {
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
    gather(unit);
    PlaceSearch<kRule> search(unit.grid);
    for (const Found& found : found_) {
      if (context_.records()) {
        // Bytes and offset are those of the member that is in the way.
        const std::int64_t up = found.relative;
        const Blocker at_member{found.blocker.low + up, found.blocker.high + up, found.blocker.buffer};
        say_if_rejected(problem_, found.member, search.at() + up, at_member, context_);
      }
      if (!search.pass(found.blocker)) break;
    }
    return search;
  }

  /// Offsets of the unit that a placed buffer blocks, by rising low.
  void gather(const Unit& unit) {
    found_.clear();
    for (const Body::Member& member : unit.members) {
      for (const Neighbour& near : neighbours_[member.buffer]) {
        const std::int64_t other = result_.offsets[near.other];
        if (other == kNoOffset || spaces_[near.other] != spaces_[member.buffer]) continue;
        found_.push_back({{other - near.below - member.relative, other + near.above - member.relative, near.other},
                          member.buffer,
                          member.relative});
      }
    }
    std::sort(found_.begin(), found_.end(),
              [](const Found& a, const Found& b) { return a.blocker.low < b.blocker.low; });
  }

  void settle(const Unit& unit, std::int64_t offset, std::string why) {
    for (const Body::Member& member : unit.members) {
      result_.offsets[member.buffer] = offset + member.relative;
      if (!context_.records()) continue;
      const bool first = &member == &unit.members.front();
      context_.say(Step{step::Place{member.buffer, offset + member.relative},
                        first ? why : "tied to " + printable_utf8(problem_.id(unit.members.front().buffer))});
    }
  }

  struct Found {
    Blocker blocker;
    BufferIndex member = kNoBuffer;
    std::int64_t relative = 0;
  };

  const Problem& problem_;
  RunContext& context_;
  const Lists<Neighbour>& neighbours_;
  std::vector<std::uint16_t> spaces_;
  std::vector<Found> found_;  // working memory
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

Result<RunResult> place_bodies_in_order(const Problem& problem, const Lists<Neighbour>& neighbours,
                                        std::span<const BufferIndex> order, FitRule rule, RunContext& context) {
  switch (rule) {
    case FitRule::kFirst:
      return BodyPlacement<FitRule::kFirst>(problem, neighbours, context).run(order);
    case FitRule::kBest:
      return BodyPlacement<FitRule::kBest>(problem, neighbours, context).run(order);
    case FitRule::kArena:
      break;
  }
  return BodyPlacement<FitRule::kArena>(problem, neighbours, context).run(order);
}

}  // namespace stowage
