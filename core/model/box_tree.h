#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Position in a BoxTree.
using ItemIndex = std::uint32_t;

/// A job or a box of jobs and boxes, as boxing sees it.
struct Item {
  std::int64_t start = 0;  // [start, end), not empty
  std::int64_t end = 0;
  std::int64_t size = 0;
  std::uint32_t first = 0;  // its contents, in BoxTree::contents; none: a job
  std::uint32_t last = 0;
  bool is_box() const { return first != last; }
};

/// Jobs and the boxes around them, flat: the jobs first, then the boxes in the order in which they are made.
struct BoxTree {
  std::vector<Item> items;
  std::vector<ItemIndex> contents;

  const Item& operator[](ItemIndex i) const { return items[i]; }
  std::span<const ItemIndex> contents_of(ItemIndex i) const {
    return std::span(contents).subspan(items[i].first, items[i].last - items[i].first);
  }
  /// A new box around these, which must not be empty.
  ItemIndex box(std::span<const ItemIndex> members, std::int64_t height);
};

/// Items in rows; those of a row are disjoint in time and in time order.
struct Rows {
  std::vector<ItemIndex> items;      // row after row
  std::vector<std::uint32_t> first;  // one number more than rows
  std::size_t count() const { return first.size() - 1; }
  std::span<const ItemIndex> operator[](std::size_t row) const {
    return std::span(items).subspan(first[row], first[row + 1] - first[row]);
  }
};

/// Interval graph colouring: a sweep in which each item takes the lowest free row. As many rows as items are live at
/// once.
Rows interval_colouring(const BoxTree& tree, std::span<const ItemIndex> items);

/// No two of them overlap in time.
bool are_disjoint(const BoxTree& tree, std::span<const ItemIndex> items);

}  // namespace stowage
