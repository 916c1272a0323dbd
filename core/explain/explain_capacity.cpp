#include "core/explain/explain_capacity.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/explain/feasibility.h"

namespace stowage {
namespace {

using Answer = Feasibility::Answer;
using Rows = std::vector<BufferIndex>;

Rows buffers_of_space(const Problem& problem, std::uint16_t space) {
  Rows rows;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space == space && problem[i].takes_memory()) rows.push_back(i);
  }
  return rows;
}

Rows without(const Rows& rows, BufferIndex dropped) {
  Rows rest;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(rest), [&](BufferIndex i) { return i != dropped; });
  return rest;
}

/// From the heaviest section outwards in time, larger buffers first: what cannot fit together mostly lies around it.
Rows outwards(const Problem& problem, std::uint16_t space, Rows rows) {
  const Problem part = selected_problem(problem, space, Selection{rows, kNoBuffer, 0}, kMaxInt64);
  const std::int32_t peak = part.sections().peak();
  std::vector<BufferIndex> order(rows.size());
  for (BufferIndex k = 0; k < order.size(); ++k) order[k] = k;
  const auto distance = [&](BufferIndex k) {
    const SectionRange range = part.sections().range(k);
    return std::max({0, range.first - peak, peak + 1 - range.last});
  };
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : part[a].size > part[b].size;
  });
  Rows sorted;
  for (const BufferIndex k : order) sorted.push_back(rows[k]);
  return sorted;
}

/// An infeasible set of which every buffer is necessary. Again and again the shortest beginning of the list that cannot
/// fit together with what is kept already ends in a necessary buffer; nothing after it is needed. O(|set| log n)
/// questions. What the search cannot answer counts as fitting, so that the set stays infeasible.
Rows minimal_set(Feasibility& feasibility, Rows rows) {
  Rows kept;
  while (feasibility.ask(kept) != Answer::kDoesNotFit) {
    const auto fits_with = [&](std::size_t count) {
      Rows trial = kept;
      trial.insert(trial.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
      return feasibility.ask(trial) != Answer::kDoesNotFit;
    };
    std::size_t fits = 0;  // so many fit, `rows.size()` do not
    std::size_t fails = rows.size();
    for (std::size_t step = 1; fits + step < fails; step *= 2) {  // short beginnings are quick to judge
      if (!fits_with(fits + step)) {
        fails = fits + step;
        break;
      }
      fits += step;
    }
    while (fits + 1 < fails) {
      const std::size_t middle = fits + (fails - fits) / 2;
      (fits_with(middle) ? fits : fails) = middle;
    }
    if (fails == 0) break;
    kept.push_back(rows[fails - 1]);
    rows.resize(fails - 1);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

bool is_minimal(Feasibility& feasibility, const Rows& set) {
  return std::all_of(set.begin(), set.end(),
                     [&](BufferIndex i) { return feasibility.ask(without(set, i)) == Answer::kFits; });
}

/// The least shrinking of one buffer with which all fit, by bisection; nothing when not even its removal is enough.
std::optional<Remedy> remedy(Feasibility& feasibility, const Problem& problem, const Rows& all, BufferIndex buffer) {
  if (feasibility.ask(without(all, buffer)) != Answer::kFits) return std::nullopt;
  std::int64_t too_large = problem[buffer].size;
  std::int64_t fits = 0;
  bool proved = true;
  while (fits + 1 < too_large) {
    const std::int64_t middle = fits + (too_large - fits) / 2;
    const Answer answer = feasibility.ask(Selection{all, buffer, middle});
    (answer == Answer::kFits ? fits : too_large) = middle;
    if (answer != Answer::kFits) proved = answer == Answer::kDoesNotFit;
  }
  // On a conflict graph a window in a gap counts as high as before the shrinking.
  const bool exact = feasibility.only_times() || problem.gaps(buffer).empty();
  return Remedy{buffer, problem[buffer].size - fits, proved && exact};
}

/// The heaviest clique first, larger buffers first.
Rows clique_first(const Problem& problem, const Feasibility& feasibility, Rows rows) {
  const Clique clique = feasibility.heaviest_clique(rows);
  const auto is_in = [&](BufferIndex i) {
    return std::binary_search(clique.nodes.begin(), clique.nodes.end(), i);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](BufferIndex a, BufferIndex b) {
    return is_in(a) != is_in(b) ? is_in(a) : problem[a].size > problem[b].size;
  });
  return rows;
}

void add_load(const Problem& problem, const Feasibility& feasibility, CapacityExplanation& explanation) {
  explanation.timed = feasibility.only_times();
  if (!explanation.timed) {
    explanation.load = feasibility.heaviest_clique(explanation.set).weight;
    return;
  }
  const Problem part =
      selected_problem(problem, explanation.space, Selection{explanation.set, kNoBuffer, 0}, explanation.capacity);
  explanation.load = part.sections().load();
  if (part.sections().peak() >= 0) {
    const Section& peak = part.sections()[static_cast<std::size_t>(part.sections().peak())];
    explanation.peak_start = peak.start;
    explanation.peak_end = peak.end;
  }
}

void add_reason(const Problem& problem, CapacityExplanation& explanation) {
  using Reason = CapacityExplanation::Reason;
  const bool pin = explanation.set.size() == 1 && problem[explanation.set.front()].is_fixed();
  explanation.reason = explanation.load > explanation.capacity ? Reason::kLoad : pin ? Reason::kPin : Reason::kPacking;
}

Result<void> check_constraints(const Problem& problem) {
  const Needs& needs = problem.needs();
  if (needs.candidates) return fail(Error::Kind::kRefused, "explain knows no choice of spaces");
  if (needs.slices) return fail(Error::Kind::kRefused, "explain knows no slices that may come in another order");
  const bool graph = !needs.only_lifetimes() || !needs.only_single_buffers();
  if (graph && problem.size() > kExplainGraph) {
    return fail(Error::Kind::kRefused,
                fmt::format("explain looks at conflict graphs and tied buffers of up to {} buffers", kExplainGraph));
  }
  return {};
}

/// What takes no memory goes where it is tied to.
void place_tied(const Problem& problem, std::vector<std::int64_t>& offsets) {
  for (const Body& body : problem.bodies().all()) {
    const auto placed = std::find_if(body.members.begin(), body.members.end(),
                                     [&](const Body::Member& member) { return problem[member.buffer].takes_memory(); });
    if (placed == body.members.end()) continue;
    const std::int64_t offset = offsets[placed->buffer] - placed->relative;
    for (const Body::Member& member : body.members) offsets[member.buffer] = offset + member.relative;
  }
}

}  // namespace

Result<CapacityExplanation> explain_capacity(const Problem& problem, std::int64_t capacity, const RunContext& context,
                                             std::int64_t nodes) {
  if (const Result<void> able = check_constraints(problem); !able) return tl::unexpected(able.error());
  if (context.deadline) nodes = kMaxInt64;
  CapacityExplanation explanation;
  explanation.verdict = CapacityExplanation::Verdict::kFits;
  explanation.capacity = capacity;
  explanation.offsets.assign(problem.size(), 0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    explanation.offsets[i] = problem[i].is_fixed() ? problem[i].fixed : problem.grid(i).up(0);
  }
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const auto space = static_cast<std::uint16_t>(s);
    const Rows all = buffers_of_space(problem, space);
    Feasibility feasibility(problem, space, capacity, nodes, context);
    const Answer answer = feasibility.ask(all);
    if (context.stop.stop_requested()) return fail(Error::Kind::kCancelled, "stopped before it knew");
    if (answer == Answer::kFits) {
      for (std::size_t k = 0; k < all.size(); ++k) explanation.offsets[all[k]] = feasibility.offsets()[k];
      continue;
    }
    explanation.space = space;
    explanation.verdict = CapacityExplanation::Verdict::kUnknown;
    if (answer == Answer::kUnknown) continue;  // another space may give a proof
    explanation.verdict = CapacityExplanation::Verdict::kDoesNotFit;
    explanation.set =
        minimal_set(feasibility, feasibility.only_times() ? outwards(problem, space, feasibility.together())
                                                          : clique_first(problem, feasibility, feasibility.together()));
    explanation.minimal = is_minimal(feasibility, explanation.set);
    add_load(problem, feasibility, explanation);
    add_reason(problem, explanation);
    for (const BufferIndex i : explanation.set) {
      if (const auto found = remedy(feasibility, problem, all, i)) explanation.remedies.push_back(*found);
    }
    std::stable_sort(explanation.remedies.begin(), explanation.remedies.end(),
                     [](const Remedy& a, const Remedy& b) { return a.shrink < b.shrink; });
    break;
  }
  place_tied(problem, explanation.offsets);
  if (explanation.verdict != CapacityExplanation::Verdict::kFits) explanation.offsets.clear();
  if (context.stop.stop_requested()) return fail(Error::Kind::kCancelled, "stopped before it knew");
  return explanation;
}

}  // namespace stowage
