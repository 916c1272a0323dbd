#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// A sorted list that changes in the middle, in blocks of some hundred items. To find an item the first keys of the
/// blocks are searched; to add one, only its block moves. What is to be known of a whole block is kept with it.
///
///      first keys     3          17           40
///                   [ 3 5 9 16 ][ 17 18 30 ][ 40 41 55 70 ]      one that is full becomes two, an empty one goes
///
/// Item::key() orders the items and tells them apart. A Summary is made from the items of a block: Summary(items).
template <typename Item, typename Summary>
class SortedBlocks {
 public:
  using Key = decltype(std::declval<const Item&>().key());

  /// Instead of what is there; sorted, no key twice.
  void fill(std::span<const Item> items) {
    blocks_.clear();
    summaries_.clear();
    first_.clear();
    for (std::size_t at = 0; at < items.size(); at += kFull / 2) {
      const std::span<const Item> some = items.subspan(at, std::min(kFull / 2, items.size() - at));
      blocks_.emplace_back(some.begin(), some.end());
      summaries_.emplace_back(some);
      first_.push_back(some.front().key());
    }
  }

  bool empty() const { return blocks_.empty(); }
  /// Counts block by block.
  std::size_t size() const {
    std::size_t size = 0;
    for (const std::vector<Item>& items : blocks_) size += items.size();
    return size;
  }
  const Item& back() const { return blocks_.back().back(); }
  /// By block, in order.
  const std::vector<Summary>& summaries() const { return summaries_; }

  /// Its key must be new.
  void add(const Item& item) {
    if (empty()) return fill({&item, 1});
    const std::size_t b = block_of(item.key());
    std::vector<Item>& items = blocks_[b];
    items.insert(place(items, item.key()), item);
    if (items.size() == kFull) {
      const auto middle = items.begin() + kFull / 2;
      std::vector<Item> upper(middle, items.end());
      items.erase(middle, items.end());
      first_.insert(first_.begin() + offset(b + 1), upper.front().key());
      summaries_.insert(summaries_.begin() + offset(b + 1), Summary(std::span<const Item>(upper)));
      blocks_.insert(blocks_.begin() + offset(b + 1), std::move(upper));
    }
    sum_up(b);
  }

  /// Null when there is none with this key.
  const Item* find(Key key) const {
    if (empty()) return nullptr;
    const std::vector<Item>& items = blocks_[block_of(key)];
    const auto at = place(items, key);
    return at != items.end() && at->key() == key ? &*at : nullptr;
  }

  /// Puts another one with the same key in its place; there must be one.
  void replace(const Item& item) {
    const std::size_t b = block_of(item.key());
    *place(blocks_[b], item.key()) = item;
    sum_up(b);
  }

  /// There must be one.
  void remove(Key key) {
    const std::size_t b = block_of(key);
    std::vector<Item>& items = blocks_[b];
    items.erase(place(items, key));
    if (!items.empty()) return sum_up(b);
    blocks_.erase(blocks_.begin() + offset(b));
    summaries_.erase(summaries_.begin() + offset(b));
    first_.erase(first_.begin() + offset(b));
  }

  /// Visits what has this key or a higher one, in order, until a visit says false.
  template <typename Visit>
  void visit_from(Key key, Visit&& visit) const {
    if (empty()) return;
    std::size_t b = block_of(key);
    auto at = place(blocks_[b], key);
    while (true) {
      for (; at != blocks_[b].end(); ++at) {
        if (!visit(*at)) return;
      }
      if (++b == blocks_.size()) return;
      at = blocks_[b].begin();
    }
  }

 private:
  static constexpr std::size_t kFull = 256;

  static std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// The last block that begins at or below the key, else the first.
  std::size_t block_of(Key key) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), key);
    return after == first_.begin() ? 0 : static_cast<std::size_t>(after - first_.begin()) - 1;
  }

  template <typename Items>
  static auto place(Items& items, Key key) {
    return std::lower_bound(items.begin(), items.end(), key,
                            [](const Item& item, const Key& wanted) { return item.key() < wanted; });
  }

  void sum_up(std::size_t b) {
    const std::vector<Item>& items = blocks_[b];
    first_[b] = items.front().key();
    summaries_[b] = Summary(std::span<const Item>(items));
  }

  std::vector<std::vector<Item>> blocks_;
  std::vector<Summary> summaries_;
  std::vector<Key> first_;
};

/// For lists of which nothing is to be known by block.
struct NoSummary {
  template <typename Items>
  explicit NoSummary(const Items& /*items*/) {}
};

}  // namespace stowage
