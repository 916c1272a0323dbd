#include "core/search/neighbourhood.h"

#include <algorithm>
#include <vector>

namespace stowage {
namespace {

using Rectangle = LiveSpace::Rectangle;

/// Where sections begin, ascending: something arrives there, and something has gone since the section before began.
/// `living` is sorted by arrival.
std::vector<std::int64_t> section_starts(const std::vector<Rectangle>& living, TimeSpan window) {
  std::vector<std::int64_t> ends;
  for (const Rectangle& one : living) ends.push_back(one.life.end);
  std::sort(ends.begin(), ends.end());
  std::vector<std::int64_t> starts;
  auto gone = ends.begin();
  for (const Rectangle& one : living) {
    const std::int64_t arrival = std::max(one.life.start, window.start);
    const auto still_there = std::upper_bound(gone, ends.end(), arrival);
    if (starts.empty() || still_there != gone) starts.push_back(arrival);
    gone = still_there;
  }
  return starts;
}

}  // namespace

Instance living_in(const LiveSpace& space, TimeSpan window) {
  std::vector<Rectangle> living;
  space.visit_living(window, [&](const Rectangle& one) {
    if (one.is_placed() || window.covers(one.life)) living.push_back(one);
  });
  const auto arrival = [&](const Rectangle& one) {
    return std::pair(std::max(one.life.start, window.start), one.buffer);
  };
  std::sort(living.begin(), living.end(),
            [&](const Rectangle& a, const Rectangle& b) { return arrival(a) < arrival(b); });
  const std::vector<std::int64_t> starts = section_starts(living, window);
  Instance around;
  around.sections = static_cast<std::int32_t>(starts.size());
  around.items.reserve(living.size());
  for (const Rectangle& one : living) {
    const LiveBuffer& b = space[one.buffer];
    Instance::Item item;
    const auto first = std::upper_bound(starts.begin(), starts.end(), std::max(one.life.start, window.start)) - 1;
    const auto last = std::lower_bound(first, starts.end(), std::min(one.life.end, window.end));
    item.first = static_cast<std::int32_t>(first - starts.begin());
    item.last = static_cast<std::int32_t>(last - starts.begin());
    item.size = b.size;
    item.grid = b.grid;
    item.fixed = window.covers(one.life) ? b.fixed : b.offset;
    item.buffer = one.buffer;
    around.plain = around.plain && item.grid.step == 1 && !item.is_fixed();
    around.items.push_back(item);
  }
  sort_items(around.items);  // several arrivals may have become one section
  return around;
}

TimeSpan reach(const LiveSpace& space, TimeSpan window) {
  TimeSpan all = window;
  space.visit_living(window, [&](const Rectangle& one) { all = all.joined(one.life); });
  return all;
}

Neighbourhood::Neighbourhood(const LiveSpace& space, TimeSpan window, BufferIndex lifted)
    : instance(living_in(space, window)), fit(instance, HardFit::Index::kTime) {
  for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
    const BufferIndex buffer = instance.items[i].buffer;
    const std::int64_t offset = buffer == lifted ? kNoOffset : space[buffer].offset;
    if (offset == kNoOffset) {
      waiting.emplace(buffer, i);
    } else if (!fit.is_placed(i)) {
      fit.put(i, offset);
    }
  }
}

}  // namespace stowage
