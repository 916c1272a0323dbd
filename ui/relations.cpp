#include "ui/relations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/conflicts.h"

namespace stowage {
namespace {

bool placed(const std::vector<std::int64_t>& offsets, BufferIndex i) {
  return i < offsets.size() && offsets[i] != kNoOffset;
}

}  // namespace

Relations relations_of(const Problem& problem, const std::vector<std::int64_t>& offsets, BufferIndex buffer) {
  Relations found;
  found.buffer = buffer;
  found.conflicts = conflicts_of(problem, buffer);
  found.conflict_count = found.conflicts.size();

  if (placed(offsets, buffer)) {
    const std::int64_t low = offsets[buffer];
    const std::int64_t high = low + problem[buffer].size;
    std::vector<BufferIndex> above;
    for (const BufferIndex other : found.conflicts) {
      if (!placed(offsets, other)) continue;
      if (offsets[other] + problem[other].size == low) found.neighbours.push_back(other);
      if (offsets[other] == high) above.push_back(other);
    }
    found.neighbours.insert(found.neighbours.end(), above.begin(), above.end());
    found.neighbour_count = found.neighbours.size();
  }

  const auto larger = [&](BufferIndex a, BufferIndex b) {
    return problem[a].size != problem[b].size ? problem[a].size > problem[b].size : a < b;
  };
  const std::size_t listed = std::min(found.conflicts.size(), Relations::kListed);
  std::partial_sort(found.conflicts.begin(), found.conflicts.begin() + static_cast<std::ptrdiff_t>(listed),
                    found.conflicts.end(), larger);
  found.conflicts.resize(listed);
  found.neighbours.resize(std::min(found.neighbours.size(), Relations::kListed));
  return found;
}

std::optional<BufferIndex> nearest(const Problem& problem, const ChartIndex& index,
                                   const std::vector<std::int64_t>& offsets, const Viewport& view, BufferIndex from,
                                   Direction direction) {
  if (!placed(offsets, from)) return std::nullopt;
  const auto centre = [&](BufferIndex i) {
    const Buffer& b = problem[i];
    const double time = (static_cast<double>(b.start) + static_cast<double>(b.end)) / 2;
    const double byte = static_cast<double>(offsets[i]) + static_cast<double>(b.size) / 2;
    return std::pair(time * view.pixels_per_time(), byte * view.pixels_per_byte());
  };
  const auto origin = centre(from);
  const bool across = direction == Direction::kLeft || direction == Direction::kRight;
  const double sign = direction == Direction::kRight || direction == Direction::kUp ? 1 : -1;
  double best = std::numeric_limits<double>::infinity();
  std::optional<BufferIndex> found;
  const auto consider = [&](BufferIndex i) {
    if (i == from || !placed(offsets, i)) return;
    const auto at = centre(i);
    const double dx = at.first - origin.first;
    const double dy = at.second - origin.second;
    const double along = sign * (across ? dx : dy);
    const double aside = std::abs(across ? dy : dx);
    if (along <= 0) return;
    const double distance = along + 2 * aside;
    if (distance < best || (distance == best && found && i < *found)) {
      best = distance;
      found = i;
    }
  };
  constexpr double everything = std::numeric_limits<double>::max();
  index.visit(-everything, everything, problem, consider);
  return found;
}

std::vector<BufferIndex> in_box(const Problem& problem, const ChartIndex& index,
                                const std::vector<std::int64_t>& offsets, double time_low, double time_high,
                                double byte_low, double byte_high) {
  std::vector<BufferIndex> found;
  index.visit(time_low, time_high, problem, [&](BufferIndex i) {
    if (!placed(offsets, i)) return;
    const auto low = static_cast<double>(offsets[i]);
    if (low > byte_high || low + static_cast<double>(problem[i].size) < byte_low) return;
    found.push_back(i);
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<Hull> hull_of(const Problem& problem, const std::vector<std::int64_t>& offsets,
                            const std::vector<BufferIndex>& buffers) {
  std::optional<Hull> hull;
  for (const BufferIndex i : buffers) {
    if (!placed(offsets, i)) continue;
    const Buffer& b = problem[i];
    const Hull one{b.start, b.end, offsets[i], offsets[i] + b.size};
    if (!hull) {
      hull = one;
      continue;
    }
    hull->start = std::min(hull->start, one.start);
    hull->end = std::max(hull->end, one.end);
    hull->low = std::min(hull->low, one.low);
    hull->high = std::max(hull->high, one.high);
  }
  return hull;
}

}  // namespace stowage
