#include "core/pools/growing_space.h"

#include <algorithm>
#include <iterator>

#include "core/base/integers.h"

namespace stowage {

GrowingSpace::GrowingSpace(BlockHeap& heap, std::uint32_t group, std::int64_t base, std::int64_t width,
                           std::int64_t granule)
    : heap_(heap), group_(group), base_(base), granule_(granule) {
  gaps_.emplace(base, base + width / granule * granule);
}

/// What could be had in one piece from the free block below a gap on, through free blocks and gaps in turn; no further
/// than what is wanted.
std::int64_t GrowingSpace::reach_from(Gaps::const_iterator gap, std::int64_t wanted) const {
  const BlockId below = heap_.mapped_below(gap->first, group_);
  std::int64_t bytes = is_free(below) ? heap_[below].size : 0;
  while (gap != gaps_.end()) {
    bytes += gap->second - gap->first;
    const BlockId above = heap_.mapped_above(gap->second, group_);
    if (bytes >= wanted || !is_free(above)) break;
    bytes += heap_[above].size;
    gap = gaps_.find(end_of(above));
  }
  return bytes;
}

BlockId GrowingSpace::make_room(std::int64_t bytes) {
  auto gap = gaps_.cbegin();
  while (gap != gaps_.cend() && reach_from(gap, bytes) < bytes) ++gap;
  if (gap == gaps_.cend()) return kNoBlock;
  BlockId block = heap_.mapped_below(gap->first, group_);
  if (!is_free(block)) block = map_at(gap->first, bytes);
  while (block != kNoBlock && heap_[block].size < bytes) block = map_at(end_of(block), bytes - heap_[block].size);
  return block;
}

/// From the beginning of a gap on, as much of it as is needed; one block with the free ones around it.
BlockId GrowingSpace::map_at(std::int64_t address, std::int64_t bytes) {
  const auto gap = gaps_.find(address);
  const std::int64_t end = gap->second;
  const std::int64_t size = std::min(align_up(bytes, granule_), end - address);
  const BlockId block = heap_.map(address, size, group_);
  if (block == kNoBlock) return kNoBlock;
  gaps_.erase(gap);
  if (address + size < end) gaps_.emplace(address + size, end);
  highest_ = std::max(highest_, address + size - base_);
  return heap_.merge_neighbours(block);
}

std::int64_t GrowingSpace::extent(BlockId block) const {
  const auto gap = gaps_.find(end_of(block));
  return heap_[block].size + (gap == gaps_.end() ? 0 : gap->second - gap->first);
}

std::size_t GrowingSpace::unmap_idle() {
  std::size_t pieces = 0;
  for (const BlockId block : heap_.free_blocks(group_)) {
    const std::int64_t low = base_ + align_up(heap_[block].address - base_, granule_);
    const std::int64_t high = base_ + (end_of(block) - base_) / granule_ * granule_;
    if (low >= high) continue;
    heap_.unmap(block, low, high);
    add_gap(low, high);
    ++pieces;
  }
  return pieces;
}

void GrowingSpace::add_gap(std::int64_t begin, std::int64_t end) {
  const auto above = gaps_.find(end);
  if (above != gaps_.end()) {
    end = above->second;
    gaps_.erase(above);
  }
  const auto after = gaps_.lower_bound(begin);
  if (after != gaps_.begin() && std::prev(after)->second == begin) {
    std::prev(after)->second = end;
  } else {
    gaps_.emplace(begin, end);
  }
}

}  // namespace stowage
