#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/allocators/xla_heap.h"
#include "core/model/bodies.h"
#include "core/model/buffer.h"
#include "core/model/problem.h"

namespace stowage {

/// The orders in which the slices of a buffer may come to be: which start belongs to which slice by rising address. A
/// start stays with a slice of the size that it was given with. (openxla/xla SliceTimePermutationIterator.)
class SliceTimes {
 public:
  /// All orders, by their times; or the three that XLA prefers: rising, falling, and from the middle outwards (the odd
  /// ones falling, then the even ones rising).
  enum class Which { kAll, kPreferred };

  /// `slices`: null for a buffer that is one piece from its start on.
  SliceTimes(const std::vector<Slice>* slices, const Buffer& buffer, Which which);

  /// When all slices are there.
  std::int64_t last() const;
  /// Bytes of the slices by rising address.
  const std::vector<std::int64_t>& sizes() const { return sizes_; }

  /// The lowest offset of the unit on its grid, `at` or higher, at which each slice is free from its start on with one
  /// of the orders; chosen() is then the first such order. Nothing when there is none below 2^63.
  std::optional<std::int64_t> lowest(XlaHeap& heap, const Body::Member& member, const Grid& grid, std::int64_t at);
  /// Starts by rising address.
  const std::vector<std::int64_t>& chosen() const { return orders_[chosen_]; }

 private:
  void add_all();
  void extend(std::vector<std::int64_t>& order, std::vector<bool>& used);
  void add_preferred();

  bool empty_;
  std::vector<std::int64_t> sizes_;
  std::vector<Slice> by_start_;
  std::vector<std::vector<std::int64_t>> orders_;
  std::size_t chosen_ = 0;
};

}  // namespace stowage
