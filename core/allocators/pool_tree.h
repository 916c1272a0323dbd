#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

/// A pool of memory as a tree (PyTorch Inductor). A temporal split holds parts with disjoint lifetimes, which share
/// their addresses; a spatial split is two temporal splits one right above the other:
///
///        address +------+------+
///                |  c   |      |   right of the spatial split
///                +------+  d   |
///                |  a   |      |   left of it
///                +------+------+-> time      temporal split of {spatial split, d}
///
/// Sizes, and with them the addresses of what lies above, may still grow until offsets() is called.
class PoolTree {
 public:
  /// What lies right above something begins at a multiple of `alignment`.
  explicit PoolTree(std::int64_t alignment) : alignment_(alignment) {}

  /// Makes the buffer the first part of an empty pool.
  void start_with(BufferIndex i, const Buffer& buffer);
  /// Finds the buffer a place in the tree; with `may_grow` the rightmost branch may grow for it. Says how it fits, or
  /// returns an empty text when it does not.
  std::string_view allocate(BufferIndex i, const Buffer& buffer, bool may_grow);
  /// Puts the buffer above everything.
  void allocate_on_top(BufferIndex i, const Buffer& buffer);

  /// Bytes; 2^63-1 when it would be more.
  std::int64_t size() const { return nodes_[root_].size; }
  /// Offsets inside the pool, each written to the buffer's entry.
  void write_offsets(std::vector<std::int64_t>& offsets) const;

 private:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex kNoNode = 0xFFFFFFFFU;
  enum class Kind { kBlock, kEmpty, kTemporal, kSpatial };

  struct Stretch {  // of time, [key, end)
    std::int64_t end = 0;
    std::uint32_t part = 0;
  };
  struct Node {
    Kind kind = Kind::kEmpty;
    std::int64_t size = 0;
    NodeIndex parent = kNoNode;
    std::uint32_t part_of_parent = 0;        // position among its parts
    BufferIndex buffer = kNoBuffer;          // of a block
    std::vector<NodeIndex> parts;            // of a temporal split; of a spatial one left and right
    std::map<std::int64_t, Stretch> in_use;  // of a temporal split: when, and by which part
  };

  NodeIndex add(Kind kind, std::int64_t size);
  NodeIndex add_block(BufferIndex i, const Buffer& buffer);
  void append(NodeIndex parent, NodeIndex part);
  NodeIndex beside_empty(NodeIndex node, std::int64_t spare);
  std::int64_t beside(NodeIndex left, NodeIndex right) const;

  /// The part in use during the lifetime; `none` or `several` when that is not one.
  std::uint32_t part_in_use(NodeIndex temporal, const Buffer& buffer) const;
  std::string_view place_in(NodeIndex temporal, BufferIndex i, const Buffer& buffer);
  void grow_beside(NodeIndex temporal, std::int64_t more);
  void mark_in_use(NodeIndex temporal, std::uint32_t part, std::int64_t start, std::int64_t end);
  void tell_parents(NodeIndex from, std::int64_t start, std::int64_t end);

  std::int64_t alignment_;
  NodeIndex root_ = kNoNode;
  std::vector<Node> nodes_;
};

}  // namespace stowage
