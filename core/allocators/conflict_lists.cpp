#include "core/allocators/conflict_lists.h"

#include <algorithm>

#include "core/model/conflicts.h"

namespace stowage {

Problem in_one_space(const Problem& problem) {
  const std::vector<std::uint16_t> first(problem.size(), 0);
  ProblemInput input = in_spaces(problem, first);
  for (Space& space : input.spaces) space.base = 0;
  return make_problem(std::move(input)).value();
}

ConflictLists::ConflictLists(const Problem& problem) : problem_(problem), lists_(problem.size()) {
  const bool graph = problem.constraints().conflicts_only;
  if (graph) {
    for (const ConflictEdge& edge : problem.constraints().conflicts) lists_[edge.a].given.push_back(edge.b);
  }
  const Problem flat = in_one_space(problem);
  const std::vector<std::vector<Overlap>> overlaps = all_overlaps(flat);
  std::vector<BufferIndex> listed_by(problem.size(), kNoBuffer);  // the last buffer that has this one in its list
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    Lists& lists = lists_[i];
    if (!graph) {
      for (const Overlap& overlap : overlaps[i]) lists.given.push_back(overlap.other);
      std::stable_sort(lists.given.begin(), lists.given.end(),
                       [&](BufferIndex a, BufferIndex b) { return problem.id(a) < problem.id(b); });
      lists.complete = lists.given;
      continue;
    }
    for (const BufferIndex other : lists.given) {
      if (other != i && !conflict(flat, i, other)) continue;
      lists.complete.push_back(other);
      listed_by[other] = i;
    }
    for (const Overlap& overlap : overlaps[i]) {
      if (listed_by[overlap.other] != i) lists.complete.push_back(overlap.other);
    }
  }
}

std::vector<BufferIndex> ConflictLists::in_order(First first) const {
  std::vector<BufferIndex> order(lists_.size());
  for (BufferIndex i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    const std::int64_t size_a = problem_[a].size;
    const std::int64_t size_b = problem_[b].size;
    const std::size_t count_a = lists_[a].given.size();
    const std::size_t count_b = lists_[b].given.size();
    if (first == First::kConflicts && count_a != count_b) return count_a > count_b;
    if (size_a != size_b) return size_a > size_b;
    if (count_a != count_b) return count_a > count_b;
    const std::string_view name_a = problem_.id(a);
    const std::string_view name_b = problem_.id(b);
    return name_a != name_b ? name_a > name_b : a < b;
  });
  return order;
}

std::vector<std::uint16_t> pools_of(const Problem& problem, BufferIndex i) {
  const Details* details = problem.details(i);
  if (details != nullptr && !details->candidates.empty()) return details->candidates;
  return {problem[i].space};
}

Grid grid_in(const Problem& problem, BufferIndex i, std::uint16_t pool) {
  if (problem[i].alignment == 1) return Grid{};
  const auto step = static_cast<std::uint64_t>(problem[i].alignment);
  const std::uint64_t past = problem.spaces()[pool].base % step;
  return Grid{problem[i].alignment, static_cast<std::int64_t>((step - past) % step)};
}

}  // namespace stowage
