#include "ui/neighbours.h"

#include <algorithm>

#include "core/model/conflicts.h"

namespace stowage {
namespace {

bool lifetimes_decide(const Problem& problem) {
  return problem.needs().only_lifetimes() && problem.needs().only_single_buffers();
}

/// Calls visit(entry) for every other buffer of the same space that is live at some time with this one.
template <typename Visit>
void for_each_beside(const Problem& problem, const Analysis& analysis, BufferIndex buffer, Visit&& visit) {
  const Buffer& b = problem[buffer];
  const auto start = static_cast<double>(b.start);
  analysis.indexes[b.space]->visit_entries(start, static_cast<double>(b.end), [&](const ChartEntry& entry) {
    if (entry.buffer != buffer && entry.start < b.end && b.start < entry.end) visit(entry);
  });
}

}  // namespace

std::vector<BufferIndex> conflicts_near(const Problem& problem, const Analysis& analysis, BufferIndex buffer) {
  if (!lifetimes_decide(problem)) return conflicts_of(problem, buffer);
  std::vector<BufferIndex> found;
  for_each_beside(problem, analysis, buffer, [&](const ChartEntry& entry) {
    if (conflict(problem, buffer, entry.buffer)) found.push_back(entry.buffer);
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<BufferIndex> lying_there(const Problem& problem, const Analysis& analysis,
                                     const std::vector<std::int64_t>& offsets, BufferIndex buffer,
                                     std::int64_t offset) {
  if (!lifetimes_decide(problem)) return conflicts_of(problem, buffer);
  std::vector<BufferIndex> found;
  const Int128 end = Int128{offset} + problem[buffer].size;
  for_each_beside(problem, analysis, buffer, [&](const ChartEntry& entry) {
    if (entry.buffer >= offsets.size() || offsets[entry.buffer] == kNoOffset) return;
    const Int128 low = offsets[entry.buffer];
    if (low < end && offset < low + entry.size) found.push_back(entry.buffer);
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace stowage
