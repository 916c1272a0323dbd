#include "core/search/niche_tables.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace stowage {
namespace {

std::vector<std::uint32_t> find_twins(const Instance& instance) {
  const auto key = [&](std::uint32_t i) {
    const Instance::Item& item = instance.items[i];
    return std::tuple(item.first, item.last, item.size, item.fixed, item.grid.step, item.grid.phase, i);
  };
  std::vector<std::uint32_t> order(instance.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> twins(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool again = k > 0 && instance.items[order[k]].same_as(instance.items[order[k - 1]]);
    twins[order[k]] = again ? twins[order[k - 1]] : order[k];
  }
  return twins;
}

}  // namespace

NicheTables::NicheTables(const Instance& instance)
    : hulls(instance.items.size()), first_item(first_items(instance)), twins(find_twins(instance)) {
  std::vector<std::uint32_t> now;
  for (std::int32_t s = 0; s < instance.sections; ++s) {
    std::erase_if(now, [&](std::uint32_t i) { return instance.items[i].last <= s; });
    for (std::uint32_t i = first_item[static_cast<std::size_t>(s)]; i < first_item[static_cast<std::size_t>(s) + 1];
         ++i) {
      now.push_back(i);
    }
    for (const std::uint32_t i : now) live.add(i);
    live.close_list();
  }
  for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
    const Instance::Item& item = instance.items[i];
    SectionRange& hull = hulls[i];
    hull = {item.first, item.last};
    const auto meet = [&](std::uint32_t other) {
      if (other == i) return;
      overlaps.add(other);
      hull.first = std::min(hull.first, instance.items[other].first);
      hull.last = std::max(hull.last, instance.items[other].last);
    };
    for (const std::uint32_t other : live[static_cast<std::size_t>(item.first)]) meet(other);
    const std::uint32_t end = first_item[static_cast<std::size_t>(item.last)];
    for (std::uint32_t other = first_item[static_cast<std::size_t>(item.first) + 1]; other < end; ++other) meet(other);
    overlaps.close_list();
  }
}

}  // namespace stowage
