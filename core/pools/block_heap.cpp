#include "core/pools/block_heap.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stowage {

BlockHeap::BlockHeap(std::optional<std::int64_t> capacity, FreeOrder order)
    : limit_(std::clamp<std::int64_t>(capacity.value_or(kAddressLimit), 0, kAddressLimit)), order_(order) {}

std::uint32_t BlockHeap::add_group(std::string name) {
  groups_.push_back(std::move(name));
  free_.emplace_back();
  top_.push_back(0);
  tops_.insert(0);
  return static_cast<std::uint32_t>(free_.size() - 1);
}

BlockId BlockHeap::open_segment(std::int64_t size, std::uint32_t group, bool join) {
  if (size > available()) return kNoBlock;
  const std::optional<std::int64_t> address = line_.take(size);
  if (!address) return kNoBlock;
  point_.reserved += size;
  ++point_.device_allocations;
  if (join && !segments_.empty()) {
    const Segment& last = segments_.back();
    if (last.open && last.group == group && last.address + last.size == *address) {
      return extend(static_cast<std::uint32_t>(segments_.size() - 1), size);
    }
  }
  const BlockId block = segments_[new_segment(*address, size, group)].first_block;
  add_free(block);
  return block;
}

/// With one block, which is in no list yet.
std::uint32_t BlockHeap::new_segment(std::int64_t address, std::int64_t size, std::uint32_t group) {
  const auto number = static_cast<std::uint32_t>(segments_.size());
  segments_.push_back(Segment{address, size, group, event_, kNoBlock, kNoBlock, true});
  ++point_.segments;
  const BlockId block = new_block(address, size, number);
  segments_[number].first_block = block;
  segments_[number].last_block = block;
  return number;
}

BlockId BlockHeap::extend(std::uint32_t number, std::int64_t size) {
  Segment& segment = segments_[number];
  close_span(segment, number);
  segment.since = event_;
  const BlockId last = segment.last_block;
  note_idle(last, false);
  const BlockId block = new_block(segment.address + segment.size, size, number);
  segment.size += size;
  link_after(last, block);
  add_free(block);
  return block;
}

void BlockHeap::close_segment(BlockId whole) {
  const std::uint32_t number = blocks_[whole].segment;
  Segment& segment = segments_[number];
  remove_free(whole);
  drop(whole);
  close_span(segment, number);
  segment.open = false;
  --point_.segments;
  point_.reserved -= segment.size;
  line_.give_back(segment.address, segment.size);
}

BlockId BlockHeap::map(std::int64_t address, std::int64_t size, std::uint32_t group) {
  if (size > available()) return kNoBlock;
  point_.reserved += size;
  ++point_.device_allocations;
  const BlockId below = mapped_below(address, group);
  const BlockId above = mapped_above(address + size, group);
  BlockId block = kNoBlock;
  if (below != kNoBlock) {
    block = extend(blocks_[below].segment, size);
  } else {
    const std::uint32_t number = new_segment(address, size, group);
    mapped_.emplace(address, number);
    block = segments_[number].first_block;
    add_free(block);
  }
  if (above != kNoBlock) join(blocks_[block].segment, blocks_[above].segment);
  return block;
}

/// The upper segment becomes the end of the lower one.
void BlockHeap::join(std::uint32_t lower, std::uint32_t upper) {
  Segment& below = segments_[lower];
  Segment& above = segments_[upper];
  close_span(below, lower);
  close_span(above, upper);
  below.since = event_;
  mapped_.erase(above.address);
  note_idle(below.last_block, false);
  note_idle(above.first_block, false);
  below.size += above.size;
  above.open = false;
  --point_.segments;
  renumber(above.first_block, lower);
  blocks_[below.last_block].next = above.first_block;
  blocks_[above.first_block].previous = below.last_block;
  below.last_block = above.last_block;
}

/// This block and all above it belong to another segment from now on.
void BlockHeap::renumber(BlockId first, std::uint32_t segment) {
  for (BlockId block = first; block != kNoBlock; block = blocks_[block].next) {
    close_span(block);
    blocks_[block].segment = segment;
  }
}

void BlockHeap::unmap(BlockId block, std::int64_t low, std::int64_t high) {
  remove_free(block);
  close_span(block);
  const bool keeps_lower = blocks_[block].address < low;
  BlockId gone = keeps_lower ? cut(block, low - blocks_[block].address) : block;
  const bool keeps_upper = high < blocks_[gone].address + blocks_[gone].size;
  const BlockId rest = keeps_upper ? cut(gone, high - low) : kNoBlock;
  const std::uint32_t number = blocks_[gone].segment;
  const BlockId below = blocks_[gone].previous;
  const BlockId above = blocks_[gone].next;
  close_span(segments_[number], number);
  const Segment whole = segments_[number];
  drop(gone);
  point_.reserved -= high - low;
  if (below != kNoBlock) {
    blocks_[below].next = kNoBlock;
    segments_[number].size = low - whole.address;
    segments_[number].last_block = below;
    segments_[number].since = event_;
  } else {
    segments_[number].open = false;
    --point_.segments;
    mapped_.erase(whole.address);
  }
  if (above != kNoBlock) {
    const auto upper = static_cast<std::uint32_t>(segments_.size());
    segments_.push_back(
        Segment{high, whole.address + whole.size - high, whole.group, event_, above, whole.last_block, true});
    ++point_.segments;
    mapped_.emplace(high, upper);
    blocks_[above].previous = kNoBlock;
    renumber(above, upper);
  }
  if (keeps_lower) add_free(block);
  if (keeps_upper) add_free(rest);
}

BlockId BlockHeap::mapped_below(std::int64_t address, std::uint32_t group) const {
  const auto after = mapped_.lower_bound(address);
  if (after == mapped_.begin()) return kNoBlock;
  const Segment& segment = segments_[std::prev(after)->second];
  return segment.group == group && segment.address + segment.size == address ? segment.last_block : kNoBlock;
}

BlockId BlockHeap::mapped_above(std::int64_t address, std::uint32_t group) const {
  const auto found = mapped_.find(address);
  if (found == mapped_.end() || segments_[found->second].group != group) return kNoBlock;
  return segments_[found->second].first_block;
}

bool BlockHeap::is_whole_segment(BlockId block) const {
  return blocks_[block].previous == kNoBlock && blocks_[block].next == kNoBlock;
}

BlockId BlockHeap::find(std::uint32_t group, std::int64_t size) const {
  const auto found = free_[group].lower_bound(FreeKey{size, kMinInt64, kNoBlock});
  return found == free_[group].end() ? kNoBlock : found->block;
}

BlockId BlockHeap::find_next(BlockId block) const {
  const Block& from = blocks_[block];
  const auto found = free_[from.group].upper_bound(FreeKey{from.size, from.tie, block});
  return found == free_[from.group].end() ? kNoBlock : found->block;
}

std::vector<BlockId> BlockHeap::free_blocks(std::uint32_t group) const {
  std::vector<BlockId> all;
  for (const FreeKey& key : free_[group]) all.push_back(key.block);
  return all;
}

BlockId BlockHeap::largest(std::uint32_t group) const {
  return free_[group].empty() ? kNoBlock : free_[group].rbegin()->block;
}

std::int64_t BlockHeap::largest_free(std::uint32_t group) const {
  return top_[group];
}

BlockId BlockHeap::take(BlockId block, std::int64_t size, BufferIndex owner, std::int64_t requested, bool upper) {
  remove_free(block);
  close_span(block);
  BlockId used = block;
  if (blocks_[block].size > size) {
    const BlockId above = cut(block, upper ? blocks_[block].size - size : size);
    if (upper) used = above;
    add_free(upper ? block : above);
  }
  Block& taken = blocks_[used];
  taken.state = BlockState::kUsed;
  taken.owner = owner;
  taken.requested = requested;
  point_.allocated += taken.size;
  point_.requested += requested;
  return used;
}

BlockId BlockHeap::split(BlockId block, std::int64_t lower_size) {
  remove_free(block);
  close_span(block);
  const BlockId above = cut(block, lower_size);
  add_free(block);
  add_free(above);
  return above;
}

BlockId BlockHeap::cut(BlockId block, std::int64_t lower_size) {
  const BlockId above =
      new_block(blocks_[block].address + lower_size, blocks_[block].size - lower_size, blocks_[block].segment);
  blocks_[block].size = lower_size;
  link_after(block, above);
  return above;
}

void BlockHeap::wait(BlockId block) {
  close_span(block);
  Block& waiting = blocks_[block];
  waiting.state = BlockState::kWaiting;
  point_.allocated -= waiting.size;
  point_.requested -= waiting.requested;
  point_.waiting += waiting.size;
}

void BlockHeap::release(BlockId block) {
  close_span(block);
  Block& freed = blocks_[block];
  if (freed.state == BlockState::kWaiting) {
    point_.waiting -= freed.size;
  } else {
    point_.allocated -= freed.size;
    point_.requested -= freed.requested;
  }
  freed.state = BlockState::kFree;
  freed.owner = kNoBuffer;
  add_free(block);
}

BlockId BlockHeap::merge(BlockId lower, BlockId upper) {
  remove_free(lower);
  remove_free(upper);
  close_span(lower);
  close_span(upper);
  blocks_[lower].size += blocks_[upper].size;
  const BlockId above = blocks_[upper].next;
  blocks_[lower].next = above;
  if (above != kNoBlock) {
    blocks_[above].previous = lower;
  } else {
    segments_[blocks_[lower].segment].last_block = lower;
  }
  unused_.push_back(upper);
  add_free(lower);
  return lower;
}

BlockId BlockHeap::merge_neighbours(BlockId block) {
  const BlockId above = blocks_[block].next;
  if (above != kNoBlock && blocks_[above].state == BlockState::kFree) block = merge(block, above);
  const BlockId below = blocks_[block].previous;
  if (below != kNoBlock && blocks_[below].state == BlockState::kFree) block = merge(below, block);
  return block;
}

std::vector<BlockId> BlockHeap::idle_segments() const {
  std::vector<BlockId> all;
  for (const std::uint32_t number : idle_) all.push_back(segments_[number].first_block);
  return all;
}

PoolPoint BlockHeap::point() const {
  PoolPoint point = point_;
  point.largest_free = tops_.empty() ? 0 : *tops_.rbegin();
  return point;
}

void BlockHeap::finish(PoolRun& run, std::uint32_t events) {
  event_ = events;
  for (std::uint32_t number = 0; number < segments_.size(); ++number) {
    if (!segments_[number].open) continue;
    close_span(segments_[number], number);
    for (BlockId block = segments_[number].first_block; block != kNoBlock; block = blocks_[block].next) {
      close_span(block);
    }
  }
  run.segments = std::move(segment_spans_);
  run.blocks = std::move(block_spans_);
  run.groups = std::move(groups_);
}

BlockId BlockHeap::new_block(std::int64_t address, std::int64_t size, std::uint32_t segment) {
  BlockId id = static_cast<BlockId>(blocks_.size());
  if (unused_.empty()) {
    blocks_.emplace_back();
  } else {
    id = unused_.back();
    unused_.pop_back();
  }
  Block block;
  block.address = address;
  block.size = size;
  block.segment = segment;
  block.group = segments_[segment].group;
  block.since = event_;
  blocks_[id] = block;
  return id;
}

void BlockHeap::drop(BlockId block) {
  close_span(block);
  unused_.push_back(block);
}

void BlockHeap::link_after(BlockId lower, BlockId upper) {
  const BlockId above = blocks_[lower].next;
  blocks_[lower].next = upper;
  blocks_[upper].previous = lower;
  blocks_[upper].next = above;
  if (above != kNoBlock) {
    blocks_[above].previous = upper;
  } else {
    segments_[blocks_[lower].segment].last_block = upper;
  }
}

void BlockHeap::add_free(BlockId block) {
  Block& added = blocks_[block];
  added.tie = order_ == FreeOrder::kAddress ? added.address : next_tie_++;
  free_[added.group].insert(FreeKey{added.size, added.tie, block});
  note_top(added.group);
  note_idle(block, true);
}

void BlockHeap::remove_free(BlockId block) {
  const Block& removed = blocks_[block];
  free_[removed.group].erase(FreeKey{removed.size, removed.tie, block});
  note_top(removed.group);
  note_idle(block, false);
}

void BlockHeap::note_top(std::uint32_t group) {
  const std::int64_t now = free_[group].empty() ? 0 : free_[group].rbegin()->size;
  if (now == top_[group]) return;
  tops_.erase(tops_.find(top_[group]));
  tops_.insert(now);
  top_[group] = now;
}

void BlockHeap::note_idle(BlockId block, bool is_free) {
  if (!is_whole_segment(block)) return;
  if (is_free) {
    idle_.insert(blocks_[block].segment);
  } else {
    idle_.erase(blocks_[block].segment);
  }
}

/// What was so for no event is not written down.
void BlockHeap::close_span(BlockId block) {
  Block& closed = blocks_[block];
  if (closed.since < event_) {
    block_spans_.push_back(
        BlockSpan{closed.address, closed.size, closed.since, event_, closed.segment, closed.owner, closed.state});
  }
  closed.since = event_;
}

void BlockHeap::close_span(const Segment& segment, std::uint32_t number) {
  if (segment.since >= event_) return;
  segment_spans_.push_back(SegmentSpan{segment.address, segment.size, segment.since, event_, number, segment.group});
}

}  // namespace stowage
