#include "core/search/neighbourhood.h"

#include <algorithm>
#include <vector>

namespace stowage {
namespace {

using Rectangle = LiveSpace::Rectangle;

/// The times at which something arrives, ascending: only these count as sections (instance.h).
std::vector<std::int64_t> arrivals(const std::vector<Rectangle>& living, TimeSpan window) {
  std::vector<std::int64_t> times;
  for (const Rectangle& one : living) {
    const std::int64_t arrival = std::max(one.life.start, window.start);
    if (times.empty() || times.back() != arrival) times.push_back(arrival);
  }
  return times;
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
  const std::vector<std::int64_t> times = arrivals(living, window);
  const auto sections_before = [&](std::int64_t time) {
    return static_cast<std::int32_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
  };
  Instance around;
  around.sections = static_cast<std::int32_t>(times.size());
  around.items.reserve(living.size());
  for (const Rectangle& one : living) {
    const LiveBuffer& b = space[one.buffer];
    Instance::Item item;
    item.first = sections_before(std::max(one.life.start, window.start));
    item.last = sections_before(std::min(one.life.end, window.end));
    item.size = b.size;
    item.grid = b.grid;
    item.fixed = window.covers(one.life) ? b.fixed : b.offset;
    item.buffer = one.buffer;
    around.plain = around.plain && item.grid.step == 1 && !item.is_fixed();
    around.items.push_back(item);
  }
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
