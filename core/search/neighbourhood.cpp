#include "core/search/neighbourhood.h"

#include <algorithm>
#include <numeric>

namespace stowage {
namespace {

/// kept[s]: how many of the sections below s see an arrival; only these count (instance.h).
std::vector<std::int32_t> arrivals(const std::vector<Instance::Item>& items, std::int32_t sections) {
  std::vector<std::int32_t> kept(static_cast<std::size_t>(sections) + 1, 0);
  for (const Instance::Item& item : items) kept[static_cast<std::size_t>(item.first) + 1] = 1;
  std::partial_sum(kept.begin(), kept.end(), kept.begin());
  return kept;
}

}  // namespace

Instance living_in(const Problem& problem, SectionRange window, std::span<const std::int64_t> offsets) {
  const std::span<const SectionRange> ranges = problem.sections().ranges();
  Instance around;
  for (BufferIndex i = 0; i < ranges.size(); ++i) {
    const SectionRange range = ranges[i];
    if (!range.overlaps(window)) continue;
    if (range.first == range.last) continue;  // no memory
    const bool inside = window.first <= range.first && range.last <= window.last;
    if (!inside && offsets[i] == kNoOffset) continue;
    Instance::Item item;
    item.first = std::max(range.first, window.first) - window.first;
    item.last = std::min(range.last, window.last) - window.first;
    item.size = problem[i].size;
    item.grid = problem.grid(i);
    item.fixed = inside ? problem[i].fixed : offsets[i];
    item.buffer = i;
    around.plain = around.plain && item.grid.step == 1 && !item.is_fixed();
    around.items.push_back(item);
  }
  const std::vector<std::int32_t> kept = arrivals(around.items, window.length());
  for (Instance::Item& item : around.items) {
    item.first = kept[static_cast<std::size_t>(item.first)];
    item.last = kept[static_cast<std::size_t>(item.last)];
  }
  around.sections = kept.back();
  std::sort(around.items.begin(), around.items.end(), [](const Instance::Item& a, const Instance::Item& b) {
    return a.first != b.first ? a.first < b.first : a.buffer < b.buffer;
  });
  return around;
}

SectionRange reach(const Problem& problem, SectionRange window) {
  SectionRange hull = window;
  for (const SectionRange range : problem.sections().ranges()) {
    if (!range.overlaps(window)) continue;
    hull.first = std::min(hull.first, range.first);
    hull.last = std::max(hull.last, range.last);
  }
  return hull;
}

Neighbourhood::Neighbourhood(const Problem& problem, SectionRange window, std::span<const std::int64_t> offsets)
    : instance(living_in(problem, window, offsets)), fit(instance, HardFit::Index::kTime) {
  for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
    const std::int64_t offset = offsets[instance.items[i].buffer];
    if (offset == kNoOffset) {
      waiting.emplace(instance.items[i].buffer, i);
    } else if (!fit.is_placed(i)) {
      fit.put(i, offset);
    }
  }
}

}  // namespace stowage
