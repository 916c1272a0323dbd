#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"

namespace stowage {
namespace {

constexpr const char* kId = "buddy";

std::int64_t power_at_least(std::int64_t bytes) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1))));
}

/// Blocks are powers of two and are halved until they are small enough. Two halves of one block are buddies: their
/// addresses differ in the one bit that is their size, and they become one again when both are free. Less than half of
/// a block is wasted. Without a capacity the arena doubles when it is full.
class Buddy : public PoolSimulator {
 public:
  /// `arena`: bytes, a power of two; 0: it grows.
  Buddy(const PoolSetup& setup, std::int64_t smallest, std::int64_t arena)
      : PoolSimulator(setup, FreeOrder::kAddress), smallest_(smallest), grows_(arena == 0) {
    heap_.add_group("arena");
    if (arena > 0) heap_.open_segment(arena, 0);
    arena_ = arena;
  }

  Grant allocate(BufferIndex i) override {
    const Allocation& asked = request(i);
    if (asked.bytes == 0) {
      if (records()) say_next(i, "nothing is asked for, nothing is given");
      return Grant::nothing();
    }
    if (asked.bytes > kAddressLimit / 2) return Grant::failure(asked.bytes, heap_.largest_free(0));
    const std::int64_t size = power_at_least(std::max(asked.bytes, smallest_));
    if (records()) say_next(i, fmt::format("a block of {}", format_exact_bytes(size)));
    BlockId block = heap_.find(0, size);
    while (block == kNoBlock && grows_ && grow(size)) block = heap_.find(0, size);
    if (block == kNoBlock) return Grant::failure(size, heap_.largest_free(0));
    const std::int64_t found = heap_[block].size;
    while (heap_[block].size > size) heap_.split(block, heap_[block].size / 2);
    block_of_[i] = heap_.take(block, size, i, asked.bytes);
    const std::int64_t address = heap_[block].address;
    if (records()) {
      say_placed(i, address,
                 found == size ? std::string("the lowest free block of its size")
                               : fmt::format("the lowest free block of {} is halved", format_exact_bytes(found)));
    }
    return Grant::at(address);
  }

  void free(BufferIndex i) override {
    heap_.release(block_of_[i]);
    const BlockId merged = merge_buddies(block_of_[i]);
    if (records()) {
      say_freed(i, fmt::format("with its free buddies {} at {}", format_exact_bytes(heap_[merged].size),
                               heap_[merged].address));
    }
  }

  std::vector<PoolFact> facts() const override { return {{"arena", arena_, true}}; }

 private:
  BlockId merge_buddies(BlockId block) {
    for (;;) {
      const std::int64_t size = heap_[block].size;
      const bool is_upper = (heap_[block].address & size) != 0;
      const BlockId buddy = is_upper ? heap_[block].previous : heap_[block].next;
      if (buddy == kNoBlock || heap_[buddy].state != BlockState::kFree || heap_[buddy].size != size) return block;
      block = is_upper ? heap_.merge(buddy, block) : heap_.merge(block, buddy);
    }
  }

  bool grow(std::int64_t size) {
    if (arena_ == 0) {
      arena_ = size;
      return heap_.open_segment(size, 0) != kNoBlock;
    }
    // A second segment of the same size joins the first one, for nothing else is on the device.
    const BlockId above = heap_.open_segment(arena_, 0, true);
    if (above == kNoBlock) return false;
    if (records()) say_note(fmt::format("the arena is full: it doubles to {}", format_exact_bytes(2 * arena_)));
    arena_ *= 2;
    merge_buddies(above);
    return true;
  }

  std::int64_t smallest_;
  bool grows_;
  std::int64_t arena_ = 0;
};

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  const auto smallest = bytes_param(setup.params, "min", kId, 1);
  if (!smallest) return tl::unexpected(smallest.error());
  if (!std::has_single_bit(static_cast<std::uint64_t>(*smallest))) {
    return usage_error(fmt::format("{}: min must be a power of two", kId));
  }
  std::int64_t arena = 0;
  if (setup.capacity) {
    const std::int64_t capacity = std::clamp<std::int64_t>(*setup.capacity, 0, kAddressLimit);
    arena = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(capacity)));
    if (arena < *smallest) {
      return fail(Error::Kind::kRefused,
                  fmt::format("{}: a capacity of {} holds no block of {}", kId, format_exact_bytes(*setup.capacity),
                              format_exact_bytes(*smallest)));
    }
  }
  return std::unique_ptr<PoolSimulator>(std::make_unique<Buddy>(setup, *smallest, arena));
}

}  // namespace

Pool buddy_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Buddy";
  pool.summary = "Blocks are powers of two, halved on the way down and joined with their buddies on the way up.";
  pool.source = "Knowlton, A fast storage allocator, CACM 8(10), 1965";
  pool.params = {{"min", "the smallest block, a power of two", "64", {"16", "64", "256", "512"}, false}};
  pool.make = make;
  return pool;
}

}  // namespace stowage
