#include "core/pools/planned_pool.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/block_heap.h"

namespace stowage {
namespace {

/// The arena with its holes by address.
class Arena {
 public:
  Arena(const Trace& trace, std::int64_t height) : trace_(trace), heap_(height, FreeOrder::kAddress) {
    heap_.add_group("plan");
    if (height > 0) holes_[0] = heap_.open_segment(height, 0);
    block_of_.assign(trace.allocations().size(), kNoBlock);
  }

  BlockHeap& heap() { return heap_; }

  /// False when something else is there.
  bool place(BufferIndex i, std::int64_t offset) {
    const std::int64_t size = trace_.allocations()[i].bytes;
    auto hole = holes_.upper_bound(offset);
    if (hole == holes_.begin()) return false;
    hole = std::prev(hole);
    BlockId block = hole->second;
    const std::int64_t begin = hole->first;
    const std::int64_t end = begin + heap_[block].size;
    if (offset + size > end) return false;
    holes_.erase(hole);
    if (offset > begin) {
      holes_[begin] = block;
      block = heap_.split(block, offset - begin);
    }
    block_of_[i] = heap_.take(block, size, i, size);
    if (offset + size < end) holes_[offset + size] = heap_[block_of_[i]].next;
    return true;
  }

  void free(BufferIndex i) {
    if (block_of_[i] == kNoBlock) return;
    const BlockId block = block_of_[i];
    heap_.release(block);
    if (const BlockId above = heap_[block].next; above != kNoBlock) holes_.erase(heap_[above].address);
    const BlockId merged = heap_.merge_neighbours(block);
    holes_[heap_[merged].address] = merged;
    if (const BlockId above = heap_[merged].next; above != kNoBlock && heap_[above].state == BlockState::kFree) {
      holes_[heap_[above].address] = above;
    }
  }

 private:
  const Trace& trace_;
  BlockHeap heap_;
  std::vector<BlockId> block_of_;          // by allocation
  std::map<std::int64_t, BlockId> holes_;  // by address
};

Result<std::int64_t> height_of(const Trace& trace, const std::vector<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const std::int64_t bytes = trace.allocations()[i].bytes;
    if (offsets[i] == kNoOffset || bytes == 0) continue;
    const auto end = checked_add(offsets[i], bytes);
    if (offsets[i] < 0 || !end || *end > kAddressLimit) {
      return fail(Error::Kind::kRefused,
                  fmt::format("the plan puts {} at {}", printable_utf8(trace.id(i)), offsets[i]));
    }
    height = std::max(height, *end);
  }
  return height;
}

}  // namespace

Result<PoolRun> play_plan(const std::string& name, const Trace& trace, const std::vector<std::int64_t>& offsets) {
  const auto height = height_of(trace, offsets);
  if (!height) return tl::unexpected(height.error());
  PoolRun run;
  run.pool = name;
  run.addresses.assign(trace.allocations().size(), kNoOffset);
  Arena arena(trace, *height);
  const auto events = trace.events();
  std::vector<std::vector<BufferIndex>> by_reset(events.size());
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const std::uint32_t end = trace.allocations()[i].ended;
    if (end != kNoEvent) by_reset[end].push_back(i);
  }
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    arena.heap().begin_event(e);
    for (const BufferIndex i : by_reset[e]) arena.free(i);
    if (events[e].op == TraceOp::kAlloc) {
      const BufferIndex i = events[e].allocation;
      const std::int64_t bytes = trace.allocations()[i].bytes;
      if (offsets[i] == kNoOffset) {
        run.failures.push_back(PoolFailure{e, i, bytes, 0, arena.heap().point().largest_free});
      } else if (bytes > 0) {
        if (!arena.place(i, offsets[i])) {
          return fail(Error::Kind::kRefused,
                      fmt::format("the plan puts {} where something else lies", printable_utf8(trace.id(i))));
        }
        run.addresses[i] = offsets[i];
      }
    }
    run.points.push_back(arena.heap().point());
  }
  arena.heap().finish(run, static_cast<std::uint32_t>(events.size()));
  return run;
}

std::vector<std::int64_t> offsets_by_allocation(const Trace& trace, const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> result;
  result.reserve(trace.allocations().size());
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const BufferIndex row = trace.allocations()[i].buffer;
    result.push_back(offsets[row == kNoBuffer ? i : row]);
  }
  return result;
}

}  // namespace stowage
