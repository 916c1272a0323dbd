#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// Finds the placed items that overlap a lifetime, when items are numbered by their start: those that begin before it
/// ends are a prefix, and of a prefix the tree skips whatever ends too early.
///
///               [  9  ]                 each node: the latest end of 16 below it, 0 where nothing is placed
///         [ 7 ]   ...   [ 9 ]           query(prefix, after): visits the leaves of the prefix that end after `after`
///     2 0 7 0 4         0 9 0           and looks only into nodes that do; the 16 of a node are compared at once
class MaxEndTree {
 public:
  explicit MaxEndTree(std::size_t items) {
    std::size_t nodes = items;
    do {
      nodes = (nodes + kArity - 1) / kArity;
      levels_.emplace_back(nodes * kArity, 0);
    } while (nodes > 1);
  }

  /// `last` is the section after the item's last one.
  void add(std::uint32_t item, std::int32_t last) {
    std::size_t at = item;
    for (std::vector<std::int32_t>& level : levels_) {
      if (level[at] >= last) return;
      level[at] = last;
      at /= kArity;
    }
  }

  void remove(std::uint32_t item) {
    std::size_t at = item;
    std::int32_t latest = 0;
    for (std::vector<std::int32_t>& level : levels_) {
      level[at] = latest;
      at /= kArity;
      latest = 0;
      for (std::size_t k = 0; k < kArity; ++k)
        latest = level[at * kArity + k] > latest ? level[at * kArity + k] : latest;
    }
  }

  void clear() {
    for (std::vector<std::int32_t>& level : levels_) level.assign(level.size(), 0);
  }

  /// Calls visit(item) for each placed item below `prefix` that ends after section `after`, ascending.
  template <typename Visit>
  void query(std::uint32_t prefix, std::int32_t after, Visit&& visit) const {
    if (prefix > 0) look(levels_.size() - 1, 0, prefix, after, visit);
  }

  void prefetch(std::uint32_t item) const { __builtin_prefetch(levels_.front().data() + item); }

 private:
  static constexpr std::size_t kArity = 16;

  /// One bit for each of the 16 from `begin` on: whether it is above `after`.
  static unsigned above(const std::int32_t* begin, std::int32_t after) {
    unsigned bits = 0;
    for (unsigned k = 0; k < kArity; ++k) bits |= (begin[k] > after ? 1U : 0U) << k;
    return bits;
  }

  template <typename Visit>
  void look(std::size_t level, std::size_t node, std::uint32_t prefix, std::int32_t after, Visit& visit) const {
    std::size_t below = 1;  // items under one entry
    for (std::size_t k = 0; k < level; ++k) below *= kArity;
    unsigned bits = above(levels_[level].data() + node * kArity, after);
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t entry = node * kArity + static_cast<std::size_t>(std::countr_zero(bits));
      if (entry * below >= prefix) return;
      if (level == 0) {
        visit(static_cast<std::uint32_t>(entry));
      } else {
        look(level - 1, entry, prefix, after, visit);
      }
    }
  }

  std::vector<std::vector<std::int32_t>> levels_;  // the lowest first
};

}  // namespace stowage
