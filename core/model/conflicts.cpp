#include "core/model/conflicts.h"

#include <algorithm>
#include <utility>

#include "core/model/lifetime.h"

namespace stowage {
namespace {

/// Buffers in order of arrival, each visited together with those that are still there. Calls visit(newcomer, present)
/// for each pair whose lifetimes meet: O(n log n + pairs).
template <typename Visit>
void for_each_meeting(const Problem& problem, Visit&& visit) {
  const Sections& sections = problem.sections();
  std::vector<BufferIndex> arrivals;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (sections.range(i).length() > 0) arrivals.push_back(i);
  }
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [&](BufferIndex a, BufferIndex b) { return sections.range(a).first < sections.range(b).first; });
  std::vector<BufferIndex> present;
  for (const BufferIndex newcomer : arrivals) {
    const std::int32_t now = sections.range(newcomer).first;
    std::erase_if(present, [&](BufferIndex other) { return sections.range(other).last <= now; });
    for (const BufferIndex other : present) visit(newcomer, other);
    present.push_back(newcomer);
  }
}

/// Conflicts by counting: those that arrived before my end, less those that ended before my start, less myself.
std::vector<std::int64_t> count_without_gaps(const Problem& problem) {
  const Sections& sections = problem.sections();
  std::vector<std::int64_t> arrived(sections.count() + 1, 0);   // [s]: buffers with first < s
  std::vector<std::int64_t> departed(sections.count() + 1, 0);  // [s]: buffers with last <= s
  for (const SectionRange& range : sections.ranges()) {
    if (range.length() == 0) continue;
    ++arrived[static_cast<std::size_t>(range.first) + 1];
    ++departed[static_cast<std::size_t>(range.last)];
  }
  for (std::size_t s = 1; s <= sections.count(); ++s) {
    arrived[s] += arrived[s - 1];
    departed[s] += departed[s - 1];
  }
  std::vector<std::int64_t> counts(problem.size(), 0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const SectionRange range = sections.range(i);
    if (range.length() == 0) continue;
    counts[i] = arrived[static_cast<std::size_t>(range.last)] - departed[static_cast<std::size_t>(range.first)] - 1;
  }
  return counts;
}

/// One is over before the other begins in every component of their clocks.
bool ordered(const Clock& a, const Clock& b) {
  const auto before = [](const Clock& first, const Clock& second) {
    for (std::size_t k = 0; k < first.end.size(); ++k) {
      if (first.end[k] > second.start[k]) return false;
    }
    return true;
  };
  return before(a, b) || before(b, a);
}

/// Where edges or clocks decide, every pair must be asked: calls visit(a, b) with a < b for each pair that may
/// conflict.
template <typename Visit>
void for_each_pair(const Problem& problem, Visit&& visit) {
  if (problem.constraints().conflicts_only) {
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (const BufferIndex b : problem.edges_of(a)) {
        if (a < b) visit(a, b);
      }
    }
  } else if (problem.needs().clocks) {
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (BufferIndex b = a + 1; b < problem.size(); ++b) visit(a, b);
    }
  } else {
    for_each_meeting(problem, [&](BufferIndex a, BufferIndex b) { visit(std::min(a, b), std::max(a, b)); });
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (const BufferIndex b : problem.edges_of(a)) {
        if (a < b && !problem.sections().range(a).overlaps(problem.sections().range(b))) visit(a, b);
      }
    }
  }
}

}  // namespace

std::optional<std::int64_t> effective_size(const Problem& problem, BufferIndex below, BufferIndex above) {
  const Buffer& low = problem[below];
  const Buffer& high = problem[above];
  if (!low.takes_memory() || !high.takes_memory() || low.space != high.space) return std::nullopt;
  if (problem.bodies().together(below, above)) return std::nullopt;
  if (problem.has_edge(below, above)) return low.size;
  if (problem.constraints().conflicts_only) return std::nullopt;
  const Clock* clock_below = problem.clock(below);
  const Clock* clock_above = problem.clock(above);
  if (clock_below != nullptr && clock_above != nullptr) {
    return ordered(*clock_below, *clock_above) ? std::nullopt : std::optional(low.size);
  }
  const SectionRange range_below = problem.sections().range(below);
  const SectionRange range_above = problem.sections().range(above);
  if (range_below.length() == 0 || range_above.length() == 0 || !range_below.overlaps(range_above)) {
    return std::nullopt;
  }
  const std::span<const Gap> gaps_below = problem.gaps(below);
  const std::span<const Gap> gaps_above = problem.gaps(above);
  if (gaps_below.empty() && gaps_above.empty()) return problem[below].size;
  return effective_size(pieces_of(problem[below], gaps_below), pieces_of(problem[above], gaps_above));
}

void for_each_conflict(const Problem& problem, const std::function<void(BufferIndex, BufferIndex)>& visit) {
  for_each_pair(problem, [&](BufferIndex a, BufferIndex b) {
    if (conflict(problem, a, b)) visit(a, b);
  });
}

std::vector<BufferIndex> conflicts_of(const Problem& problem, BufferIndex buffer) {
  std::vector<BufferIndex> found;
  for (BufferIndex other = 0; other < problem.size(); ++other) {
    if (other != buffer && conflict(problem, buffer, other)) found.push_back(other);
  }
  return found;
}

std::vector<std::int64_t> conflict_counts(const Problem& problem) {
  const Needs& needs = problem.needs();
  if (!needs.gaps && needs.only_lifetimes() && problem.bodies().empty()) return count_without_gaps(problem);
  std::vector<std::int64_t> counts(problem.size(), 0);
  for_each_pair(problem, [&](BufferIndex a, BufferIndex b) {
    if (!conflict(problem, a, b)) return;
    ++counts[a];
    ++counts[b];
  });
  return counts;
}

std::vector<std::vector<Overlap>> all_overlaps(const Problem& problem) {
  std::vector<std::vector<Overlap>> overlaps(problem.size());
  const bool whole = problem.needs().only_lifetimes() && !problem.needs().gaps;  // nobody lies inside another one
  for_each_pair(problem, [&](BufferIndex a, BufferIndex b) {
    if (whole) {
      if (!conflict(problem, a, b)) return;
      overlaps[a].push_back({b, problem[a].size});
      overlaps[b].push_back({a, problem[b].size});
      return;
    }
    const auto a_below = effective_size(problem, a, b);
    const auto b_below = effective_size(problem, b, a);
    if (a_below) overlaps[a].push_back({b, *a_below});
    if (b_below) overlaps[b].push_back({a, *b_below});
  });
  for (std::vector<Overlap>& list : overlaps) {
    std::sort(list.begin(), list.end(), [](const Overlap& x, const Overlap& y) { return x.other < y.other; });
  }
  return overlaps;
}

}  // namespace stowage
