#include "core/model/unboxing.h"

#include <algorithm>

#include "core/model/buffer.h"

namespace stowage {
namespace {

class Unboxing {
 public:
  explicit Unboxing(const BoxTree& tree) : tree_(tree) {
    result_.offsets.assign(tree.items.size(), kNoOffset);
    result_.rows.assign(tree.items.size(), 0);
  }

  /// Items of which nothing is known.
  void any(std::span<const ItemIndex> items, std::int64_t offset) {
    if (items.size() == 1 || are_disjoint(tree_, items)) return apart(items, offset, 0);
    std::vector<ItemIndex> by_size(items.begin(), items.end());
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](ItemIndex a, ItemIndex b) { return tree_[a].size > tree_[b].size; });
    std::uint32_t row = 0;
    for (std::size_t first = 0; first < by_size.size();) {
      std::size_t last = first;
      while (last < by_size.size() && tree_[by_size[last]].size == tree_[by_size[first]].size) ++last;
      equal(std::span(by_size).subspan(first, last - first), offset, row);
      first = last;
    }
  }

  Unboxed take() { return std::move(result_); }

 private:
  /// Equally high ones, in rows upwards from `offset` and `row`, which move up.
  void equal(std::span<const ItemIndex> items, std::int64_t& offset, std::uint32_t& row) {
    const std::int64_t height = tree_[items.front()].size;
    const Rows rows = interval_colouring(tree_, items);
    for (std::size_t k = 0; k < rows.count(); ++k) {
      apart(rows[k], offset, row++);
      offset += height;
    }
  }

  /// Disjoint ones.
  void apart(std::span<const ItemIndex> items, std::int64_t offset, std::uint32_t row) {
    for (const ItemIndex item : items) {
      result_.offsets[item] = offset;
      result_.rows[item] = row;
      if (tree_[item].is_box()) any(tree_.contents_of(item), offset);
    }
  }

  const BoxTree& tree_;
  Unboxed result_;
};

}  // namespace

Unboxed unbox(const BoxTree& tree, std::span<const ItemIndex> boxes) {
  Unboxing unboxing(tree);
  if (!boxes.empty()) unboxing.any(boxes, 0);
  return unboxing.take();
}

}  // namespace stowage
