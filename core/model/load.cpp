#include "core/model/load.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/model/load_curve.h"
#include "core/model/max_flow.h"

namespace stowage {
namespace {

constexpr std::size_t kMostForFlow = 2000;  // the network has a pair of nodes for each buffer, an edge for each order

std::vector<BufferIndex> members(const Problem& problem, std::uint16_t space) {
  std::vector<BufferIndex> found;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space == space && problem[i].takes_memory()) found.push_back(i);
  }
  return found;
}

bool before(const Clock& a, const Clock& b) {
  for (std::size_t k = 0; k < a.end.size(); ++k) {
    if (a.end[k] > b.start[k]) return false;
  }
  return true;
}

/// Dilworth's theorem with weights: all sizes, less the most that chains can hand on from buffer to buffer.
std::int64_t heaviest_antichain(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  const std::size_t count = buffers.size();
  MaxFlow flow(2 * count + 2);
  const std::size_t source = 2 * count;
  const std::size_t sink = source + 1;
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < count; ++a) {
    const std::int64_t size = problem[buffers[a]].size;
    sum += size;
    flow.add(source, a, size);
    flow.add(count + a, sink, size);
    for (std::size_t b = 0; b < count; ++b) {
      if (a != b && before(*problem.clock(buffers[a]), *problem.clock(buffers[b]))) flow.add(a, count + b, size);
    }
  }
  return sum - flow.run(source, sink);
}

struct Life {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t size = 0;
};

std::int64_t largest_sum(const std::vector<Life>& lives) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;  // time, bytes; departures sort before arrivals
  for (const Life& life : lives) {
    if (life.start >= life.end) continue;
    changes.push_back({life.start, life.size});
    changes.push_back({life.end, -life.size});
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t sum = 0;
  std::int64_t largest = 0;
  for (const auto& [time, bytes] : changes) {
    sum += bytes;
    largest = std::max(largest, sum);
  }
  return largest;
}

/// The largest sum of the sizes live at once, of the buffers without gaps.
std::int64_t largest_sum(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  std::vector<Life> lives;
  for (const BufferIndex i : buffers) {
    if (problem.gaps(i).empty()) lives.push_back({problem[i].start, problem[i].end, problem[i].size});
  }
  return largest_sum(lives);
}

/// Who lives at one time of one component is in conflict: the largest such sum.
std::int64_t largest_component_load(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  std::int64_t largest = 0;
  for (std::size_t k = 0; !buffers.empty() && k < problem.clock(buffers[0])->start.size(); ++k) {
    std::vector<Life> lives;
    for (const BufferIndex i : buffers) {
      lives.push_back({problem.clock(i)->start[k], problem.clock(i)->end[k], problem[i].size});
    }
    largest = std::max(largest, largest_sum(lives));
  }
  return largest;
}

/// From each of the largest buffers: it and, by falling size, whoever conflicts with all taken so far.
std::int64_t greedy_clique(const Problem& problem, std::vector<BufferIndex> buffers) {
  constexpr std::size_t kSeeds = 64;
  std::stable_sort(buffers.begin(), buffers.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].size > problem[b].size; });
  std::int64_t heaviest = 0;
  for (std::size_t seed = 0; seed < std::min(kSeeds, buffers.size()); ++seed) {
    std::vector<BufferIndex> clique = {buffers[seed]};
    std::int64_t weight = problem[buffers[seed]].size;
    std::vector<BufferIndex> neighbours;
    for (const BufferIndex other : problem.edges_of(buffers[seed])) {
      if (problem[other].space == problem[buffers[seed]].space && problem[other].takes_memory())
        neighbours.push_back(other);
    }
    std::stable_sort(neighbours.begin(), neighbours.end(),
                     [&](BufferIndex a, BufferIndex b) { return problem[a].size > problem[b].size; });
    for (const BufferIndex other : neighbours) {
      const bool joins = std::all_of(clique.begin(), clique.end(), [&](BufferIndex member) {
        return problem.has_edge(other, member) && !problem.bodies().together(other, member);
      });
      if (!joins || problem.bodies().together(other, buffers[seed])) continue;
      clique.push_back(other);
      weight += problem[other].size;
    }
    heaviest = std::max(heaviest, weight);
  }
  return heaviest;
}

}  // namespace

std::int64_t load(const Problem& problem, std::uint16_t space) {
  if (problem.constraints().conflicts_only) return greedy_clique(problem, members(problem, space));
  if (!problem.needs().clocks) return problem.sections().load_of_space(space);
  // Tied buffers may share bytes: one of each body is enough for a bound.
  std::vector<BufferIndex> with_clock;
  std::vector<BufferIndex> without;
  for (const BufferIndex i : members(problem, space)) {
    const std::uint32_t body = problem.bodies().of(i);
    if (body != Bodies::kNone && problem.bodies()[body].members.front().buffer != i) continue;
    (problem.clock(i) != nullptr ? with_clock : without).push_back(i);
  }
  const std::int64_t partial = with_clock.size() <= kMostForFlow ? heaviest_antichain(problem, with_clock)
                                                                 : largest_component_load(problem, with_clock);
  return std::max(partial, largest_sum(problem, without));
}

std::int64_t least_load(const Problem& problem, std::uint16_t space) {
  if (!problem.needs().candidates && !problem.needs().slices) return load(problem, space);
  ProblemInput bound = problem.input();
  const bool apart = problem.needs().only_lifetimes() && problem.needs().only_single_buffers();
  const auto count = static_cast<BufferIndex>(bound.buffers.size());
  for (BufferIndex i = 0; i < count; ++i) {
    const Details* details = problem.details(i);
    if (details == nullptr) continue;
    const bool has_choice = details->candidates.size() > 1;
    const bool is_sliced = details->slices.size() > 1;
    if (!has_choice && !is_sliced) continue;
    const Buffer whole = bound.buffers[i];
    bound.buffers[i].end = whole.start;  // then it takes no memory
    bound.buffers[i].fixed = kNoOffset;
    if (has_choice || !apart || !details->gaps.empty()) continue;
    for (const Slice& slice : details->slices) {
      Buffer part;
      part.start = std::clamp(slice.start, whole.start, whole.end);
      part.end = whole.end;
      part.size = slice.size;
      part.space = whole.space;
      bound.add("", part);
    }
  }
  for (Details& details : bound.details) {
    if (details.candidates.size() < 2 && details.slices.size() < 2) continue;
    details.gaps.clear();
    details.slices.clear();
    details.candidates.clear();
    if (details.clock) details.clock->end = details.clock->start;
  }
  return load(make_problem(std::move(bound)).value(), space);
}

}  // namespace stowage
