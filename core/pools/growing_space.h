#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "core/pools/block_heap.h"

namespace stowage {

/// A range of addresses to which memory is mapped piece by piece, as free blocks ask for it: PyTorch's expandable
/// segments. Nothing is ever too small for the next request: what lies at the end grows.
///
///     base                                                             base + width
///      | used | free | used | free |<--- mapped when they do not do --->|
class GrowingSpace {
 public:
  /// Memory comes and goes in whole `granule`s.
  GrowingSpace(BlockHeap& heap, std::uint32_t group, std::int64_t base, std::int64_t width, std::int64_t granule);

  /// A free block of at least so much at the lowest place where it can be made by mapping; kNoBlock when the device has
  /// too little left (what it had until then stays mapped).
  BlockId make_room(std::int64_t bytes);
  /// The size of a free block together with what could be mapped right behind it.
  std::int64_t extent(BlockId block) const;
  /// Gives back every granule in which nothing is in use; how many pieces these were.
  std::size_t unmap_idle();
  /// How far above the base memory has ever been mapped.
  std::int64_t highest() const { return highest_; }

 private:
  using Gaps = std::map<std::int64_t, std::int64_t>;  // where nothing is mapped: begin, end

  std::int64_t reach_from(Gaps::const_iterator gap, std::int64_t wanted) const;
  BlockId map_at(std::int64_t address, std::int64_t bytes);
  void add_gap(std::int64_t begin, std::int64_t end);
  bool is_free(BlockId block) const { return block != kNoBlock && heap_[block].state == BlockState::kFree; }
  std::int64_t end_of(BlockId block) const { return heap_[block].address + heap_[block].size; }

  BlockHeap& heap_;
  std::uint32_t group_;
  std::int64_t base_;
  std::int64_t granule_;
  std::int64_t highest_ = 0;
  Gaps gaps_;
};

}  // namespace stowage
