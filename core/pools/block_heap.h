#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/pools/address_line.h"
#include "core/pools/pool_run.h"

namespace stowage {

using BlockId = std::uint32_t;
inline constexpr BlockId kNoBlock = 0xFFFFFFFFU;

/// Of equally large free blocks, which one is found first.
enum class FreeOrder {
  kAddress,  // the lowest
  kOldest,   // the one that has been free for longest
};

/// Segments cut into blocks, and the free blocks by size: what all pools have in common. Each segment belongs to a
/// group and blocks are only found in their own group. It keeps count of bytes and writes down every block and segment
/// with the events during which it was as it was.
///
///     segment  +------+------------+----------+------+
///              | used |    free    | waiting  | used |     previous <- block -> next
///              +------+------------+----------+------+
class BlockHeap {
 public:
  struct Block {
    std::int64_t address = 0;
    std::int64_t size = 0;
    std::uint32_t segment = 0;
    std::uint32_t group = 0;
    BlockId previous = kNoBlock;
    BlockId next = kNoBlock;
    BufferIndex owner = kNoBuffer;
    BlockState state = BlockState::kFree;
    std::uint32_t since = 0;     // the event at which it became what it is
    std::int64_t requested = 0;  // of a used block
    std::int64_t tie = 0;        // its place among free ones of its size
  };

  BlockHeap(std::optional<std::int64_t> capacity, FreeOrder order);

  /// From now on things happen at this event.
  void begin_event(std::uint32_t event) { event_ = event; }

  std::uint32_t add_group(std::string name);

  /// Asks the device for memory: one free block, or nothing when the capacity does not allow it. With `join`, memory
  /// that begins where the newest segment of the group ends makes that one longer; its last block stays apart.
  BlockId open_segment(std::int64_t size, std::uint32_t group, bool join = false);
  /// Gives a segment back that is one free block.
  void close_segment(BlockId whole);
  bool is_whole_segment(BlockId block) const;
  /// Memory at an address of the pool's own choice, where nothing is yet: one free block, or nothing when the capacity
  /// does not allow it. It makes the segments of the group that it touches longer, and one; its block stays apart. A
  /// heap has either mapped or opened segments.
  BlockId map(std::int64_t address, std::int64_t size, std::uint32_t group);
  /// Gives the bytes [low, high) of a free block in mapped memory back; what lies on either side stays.
  void unmap(BlockId block, std::int64_t low, std::int64_t high);
  /// The block of a group's mapped memory that ends or begins at an address; kNoBlock when there is none.
  BlockId mapped_below(std::int64_t address, std::uint32_t group) const;
  BlockId mapped_above(std::int64_t address, std::uint32_t group) const;
  /// What the device can still give.
  std::int64_t available() const { return limit_ - point_.reserved; }

  /// The smallest free block of a group with at least `size` bytes.
  BlockId find(std::uint32_t group, std::int64_t size) const;
  /// The next one in the order of sizes behind a free block.
  BlockId find_next(BlockId block) const;
  std::vector<BlockId> free_blocks(std::uint32_t group) const;
  /// The largest free block of a group.
  BlockId largest(std::uint32_t group) const;
  std::int64_t largest_free(std::uint32_t group) const;

  /// Gives a free block to an allocation: its lower `size` bytes (or its upper ones); what is left is a free block.
  /// Returns the block that is used.
  BlockId take(BlockId block, std::int64_t size, BufferIndex owner, std::int64_t requested, bool upper = false);
  /// Cuts a free block in two; returns the upper part.
  BlockId split(BlockId block, std::int64_t lower_size);
  /// A used block becomes waiting or free, a waiting one free. Neighbours stay apart.
  void wait(BlockId block);
  void release(BlockId block);
  /// Two free neighbours become one; returns it.
  BlockId merge(BlockId lower, BlockId upper);
  /// Merges with the free neighbour above, then with the one below.
  BlockId merge_neighbours(BlockId block);

  const Block& operator[](BlockId block) const { return blocks_[block]; }
  /// Segments that are one free block, in the order of opening.
  std::vector<BlockId> idle_segments() const;

  PoolPoint point() const;
  /// Writes down what is still there, and moves everything written into the run.
  void finish(PoolRun& run, std::uint32_t events);

 private:
  struct Segment {
    std::int64_t address = 0;
    std::int64_t size = 0;
    std::uint32_t group = 0;
    std::uint32_t since = 0;
    BlockId first_block = kNoBlock;
    BlockId last_block = kNoBlock;
    bool open = false;
  };
  struct FreeKey {
    std::int64_t size = 0;
    std::int64_t tie = 0;
    BlockId block = kNoBlock;
    bool operator<(const FreeKey& other) const { return size != other.size ? size < other.size : tie < other.tie; }
  };

  std::uint32_t new_segment(std::int64_t address, std::int64_t size, std::uint32_t group);
  BlockId extend(std::uint32_t number, std::int64_t size);
  void join(std::uint32_t lower, std::uint32_t upper);
  void renumber(BlockId first, std::uint32_t segment);
  BlockId new_block(std::int64_t address, std::int64_t size, std::uint32_t segment);
  void drop(BlockId block);
  BlockId cut(BlockId block, std::int64_t lower_size);
  void link_after(BlockId lower, BlockId upper);
  void add_free(BlockId block);
  void remove_free(BlockId block);
  void note_top(std::uint32_t group);
  void note_idle(BlockId block, bool is_free);
  void close_span(BlockId block);
  void close_span(const Segment& segment, std::uint32_t number);

  std::int64_t limit_;
  FreeOrder order_;
  AddressLine line_;
  std::uint32_t event_ = 0;
  std::int64_t next_tie_ = 0;
  PoolPoint point_;
  std::vector<Block> blocks_;
  std::vector<BlockId> unused_;  // positions in blocks_ that are no block now
  std::vector<Segment> segments_;
  std::map<std::int64_t, std::uint32_t> mapped_;  // open segments of mapped memory, by address
  std::vector<std::string> groups_;
  std::vector<std::set<FreeKey>> free_;  // by group
  std::vector<std::int64_t> top_;        // by group: its largest free block
  std::multiset<std::int64_t> tops_;     // of all groups
  std::set<std::uint32_t> idle_;         // segments that are one free block
  std::vector<BlockSpan> block_spans_;
  std::vector<SegmentSpan> segment_spans_;
};

}  // namespace stowage
