#include "core/model/box_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace stowage {
namespace {

/// By start; of those that start together the one that ends last comes first.
std::vector<ItemIndex> by_start(const BoxTree& tree, std::span<const ItemIndex> items) {
  std::vector<ItemIndex> order(items.begin(), items.end());
  std::sort(order.begin(), order.end(), [&](ItemIndex a, ItemIndex b) {
    if (tree[a].start != tree[b].start) return tree[a].start < tree[b].start;
    return tree[a].end != tree[b].end ? tree[a].end > tree[b].end : a < b;
  });
  return order;
}

/// A heap with the least on top.
template <typename T>
void push_least(std::vector<T>& heap, T value) {
  heap.push_back(value);
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
}

template <typename T>
T pop_least(std::vector<T>& heap) {
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  const T least = heap.back();
  heap.pop_back();
  return least;
}

}  // namespace

ItemIndex BoxTree::box(std::span<const ItemIndex> members, std::int64_t height) {
  Item box = items[members.front()];
  box.size = height;
  box.first = static_cast<std::uint32_t>(contents.size());
  for (const ItemIndex member : members) {
    box.start = std::min(box.start, items[member].start);
    box.end = std::max(box.end, items[member].end);
    contents.push_back(member);
  }
  box.last = static_cast<std::uint32_t>(contents.size());
  items.push_back(box);
  return static_cast<ItemIndex>(items.size() - 1);
}

Rows interval_colouring(const BoxTree& tree, std::span<const ItemIndex> items) {
  const std::vector<ItemIndex> order = by_start(tree, items);
  std::vector<std::uint32_t> row_of(order.size());
  std::vector<std::uint32_t> free;
  std::vector<std::pair<std::int64_t, std::uint32_t>> live;  // end and row
  std::vector<std::uint32_t> lengths;
  for (std::size_t k = 0; k < order.size(); ++k) {
    while (!live.empty() && live.front().first <= tree[order[k]].start) push_least(free, pop_least(live).second);
    if (free.empty()) {
      free.push_back(static_cast<std::uint32_t>(lengths.size()));
      lengths.push_back(0);
    }
    row_of[k] = pop_least(free);
    ++lengths[row_of[k]];
    push_least(live, {tree[order[k]].end, row_of[k]});
  }
  Rows rows;
  rows.first.assign(1, 0);
  for (const std::uint32_t length : lengths) rows.first.push_back(rows.first.back() + length);
  rows.items.resize(order.size());
  std::vector<std::uint32_t> at(rows.first.begin(), rows.first.end() - 1);
  for (std::size_t k = 0; k < order.size(); ++k) rows.items[at[row_of[k]]++] = order[k];
  return rows;
}

bool are_disjoint(const BoxTree& tree, std::span<const ItemIndex> items) {
  const std::vector<ItemIndex> order = by_start(tree, items);
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (tree[order[k]].start < tree[order[k - 1]].end) return false;
  }
  return true;
}

}  // namespace stowage
