#include "core/allocators/floors.h"

#include <algorithm>

namespace stowage {

Floors::Floors(std::size_t sections) {
  std::size_t nodes = std::max<std::size_t>(1, sections);
  while (true) {
    levels_.push_back({std::vector<std::int64_t>(nodes, 0), std::vector<std::int64_t>(nodes, 0)});
    if (nodes == 1) return;
    nodes = ((nodes - 1) >> kShift) + 1;
  }
}

template <typename Visit>
void Floors::for_each_run(std::size_t first, std::size_t last, Visit&& visit) const {
  constexpr std::size_t kWidth = std::size_t{1} << kShift;
  for (std::size_t level = 0; first < last; ++level) {
    const std::size_t inner_first = (first + kWidth - 1) >> kShift;
    const std::size_t inner_last = last >> kShift;
    if (inner_first >= inner_last) {
      visit(level, first, last);
      return;
    }
    if (first < inner_first << kShift) visit(level, first, inner_first << kShift);
    if (inner_last << kShift < last) visit(level, inner_last << kShift, last);
    first = inner_first;
    last = inner_last;
  }
}

void Floors::raise(std::int32_t first, std::int32_t last, std::int64_t floor) {
  for_each_run(static_cast<std::size_t>(first), static_cast<std::size_t>(last),
               [&](std::size_t level, std::size_t begin, std::size_t end) {
                 for (std::size_t node = begin; node < end; ++node) {
                   std::int64_t& raised = levels_[level].raised[node];
                   raised = std::max(raised, floor);
                   std::int64_t& highest = levels_[level].highest[node];
                   highest = std::max(highest, floor);
                 }
               });
  // Every ancestor of a raised node now has this floor somewhere below it.
  auto low = static_cast<std::size_t>(first);
  auto high = static_cast<std::size_t>(last) - 1;
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    low >>= kShift;
    high >>= kShift;
    for (std::size_t node = low; node <= high; ++node) {
      std::int64_t& highest = levels_[level].highest[node];
      highest = std::max(highest, floor);
    }
  }
}

std::int64_t Floors::highest(std::int32_t first, std::int32_t last) const {
  std::int64_t floor = 0;
  for_each_run(static_cast<std::size_t>(first), static_cast<std::size_t>(last),
               [&](std::size_t level, std::size_t begin, std::size_t end) {
                 const std::int64_t* highest = levels_[level].highest.data();
                 for (std::size_t node = begin; node < end; ++node) floor = std::max(floor, highest[node]);
               });
  // What whole blocks around the ends were raised to holds inside them too.
  auto low = static_cast<std::size_t>(first);
  auto high = static_cast<std::size_t>(last) - 1;
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    low >>= kShift;
    high >>= kShift;
    floor = std::max({floor, levels_[level].raised[low], levels_[level].raised[high]});
  }
  return floor;
}

}  // namespace stowage
