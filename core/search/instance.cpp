#include "core/search/instance.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

/// kept_before[s]: how many of the sections below s, counted from the partition's first, see an arrival.
std::vector<std::int32_t> kept_sections(const Problem& problem, const Partition& partition) {
  std::vector<std::int32_t> kept_before(static_cast<std::size_t>(partition.last - partition.first) + 1, 0);
  for (const BufferIndex i : partition.buffers) {
    kept_before[static_cast<std::size_t>(problem.sections().range(i).first - partition.first) + 1] = 1;
  }
  std::partial_sum(kept_before.begin(), kept_before.end(), kept_before.begin());
  return kept_before;
}

void count_in_units(Instance& instance) {
  std::int64_t unit = 0;
  for (const Instance::Item& item : instance.items) {
    unit = std::gcd(unit, item.size);
    if (item.grid.step > 1) unit = std::gcd(std::gcd(unit, item.grid.step), item.grid.phase);
    if (item.is_fixed()) unit = std::gcd(unit, item.fixed);
  }
  instance.unit = unit;
  for (Instance::Item& item : instance.items) {
    item.size /= unit;
    if (item.grid.step > 1) item.grid = {item.grid.step / unit, item.grid.phase / unit};
    if (item.is_fixed()) item.fixed /= unit;
    instance.plain = instance.plain && item.grid.step == 1 && !item.is_fixed();
  }
}

Instance instance_of(const Problem& problem, const Partition& partition) {
  const std::vector<std::int32_t> kept_before = kept_sections(problem, partition);
  std::vector<Instance::Item> items;
  items.reserve(partition.buffers.size());
  for (const BufferIndex i : partition.buffers) {
    const SectionRange range = problem.sections().range(i);
    Instance::Item item;
    item.first = kept_before[static_cast<std::size_t>(range.first - partition.first)];
    item.last = kept_before[static_cast<std::size_t>(range.last - partition.first)];
    item.size = problem[i].size;
    item.grid = problem.grid(i);
    item.fixed = problem[i].fixed;
    item.buffer = i;
    items.push_back(item);
  }
  sort_items(items);
  return make_instance(std::move(items), kept_before.back());
}

}  // namespace

void sort_items(std::vector<Instance::Item>& items) {
  std::sort(items.begin(), items.end(), [](const Instance::Item& a, const Instance::Item& b) {
    return a.first != b.first ? a.first < b.first : a.buffer < b.buffer;
  });
}

Instance make_instance(std::vector<Instance::Item> items, std::int32_t sections) {
  Instance instance;
  instance.sections = sections;
  instance.items = std::move(items);
  count_in_units(instance);
  instance.loads.assign(static_cast<std::size_t>(instance.sections) + 1, 0);
  for (const Instance::Item& item : instance.items) {
    instance.loads[static_cast<std::size_t>(item.first)] += item.size;
    instance.loads[static_cast<std::size_t>(item.last)] -= item.size;
  }
  std::partial_sum(instance.loads.begin(), instance.loads.end(), instance.loads.begin());
  instance.loads.pop_back();
  return instance;
}

std::int64_t Instance::bound() const {
  std::int64_t bound = 0;
  for (const std::int64_t load : loads) bound = std::max(bound, load);
  for (const Item& item : items) {
    if (item.is_fixed()) bound = std::max(bound, item.fixed + item.size);
  }
  return bound;
}

std::int64_t Instance::height(const std::vector<std::int64_t>& offsets) const {
  std::int64_t height = 0;
  for (std::size_t i = 0; i < items.size(); ++i) height = std::max(height, offsets[i] + items[i].size);
  return height;
}

std::vector<std::uint32_t> first_items(const Instance& instance) {
  std::vector<std::uint32_t> first(static_cast<std::size_t>(instance.sections) + 1, 0);
  for (const Instance::Item& item : instance.items) ++first[static_cast<std::size_t>(item.first) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

std::int64_t overlapping_pairs(const Instance& instance) {
  const std::vector<std::uint32_t> first = first_items(instance);
  std::int64_t pairs = 0;  // an item meets later ones that begin before it ends, and each of them meets it
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const std::int64_t end = first[static_cast<std::size_t>(instance.items[i].last)];
    pairs += 2 * (end - static_cast<std::int64_t>(i) - 1);
  }
  return pairs;
}

std::vector<Instance> instances_of(const Problem& problem, std::uint16_t space) {
  std::vector<Instance> instances;
  for (const Partition& partition : partitions(problem.buffers(), problem.sections())) {
    if (problem[partition.buffers.front()].space != space) continue;
    instances.push_back(instance_of(problem, partition));
  }
  return instances;
}

}  // namespace stowage
