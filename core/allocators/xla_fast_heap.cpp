#include "core/allocators/xla_fast_heap.h"

#include <algorithm>
#include <iterator>

#include "core/allocators/placed_conflicts.h"

namespace stowage {

XlaFastHeap::XlaFastHeap(std::int64_t floor) {
  add_free(floor, kMaxInt64);
}

void XlaFastHeap::release_until(std::int64_t time) {
  while (!active_.empty() && active_.top().end_time <= time) {
    const Active over = active_.top();
    active_.pop();
    owners_.erase(over.low);
    std::int64_t start = over.low;
    std::int64_t end = over.high;
    const auto above = free_.find(end);
    if (above != free_.end()) {
      end = above->second;
      remove_free(above);
    }
    const auto next = free_.lower_bound(start);
    if (next != free_.begin() && std::prev(next)->second == start) {
      start = std::prev(next)->first;
      remove_free(std::prev(next));
    }
    add_free(start, end);
  }
}

std::optional<std::int64_t> XlaFastHeap::find(const Unit& unit) const {
  for (auto chunk = by_length_.lower_bound({unit.extent, 0}); chunk != by_length_.end(); ++chunk) {
    const std::int64_t offset = unit.grid.up(chunk->second);
    if (offset <= chunk->second + chunk->first - unit.extent) return offset;
  }
  return std::nullopt;
}

void XlaFastHeap::take(const Unit& unit, std::int64_t offset) {
  const auto chunk = std::prev(free_.upper_bound(offset));
  const std::int64_t start = chunk->first;
  const std::int64_t end = chunk->second;
  const std::int64_t high = offset + unit.extent;
  remove_free(chunk);
  if (start < offset) add_free(start, offset);
  if (high < end) add_free(high, end);
  active_.push(Active{unit.end, offset, high});
  owners_[offset] = unit.leader;
  size_ = std::max(size_, high);
}

void XlaFastHeap::say_rejected(const Unit& unit, const RunContext& context) const {
  if (!context.records()) return;
  for (const auto& chunk : free_) {
    const auto owner = owners_.find(chunk.second);
    if (owner == owners_.end()) continue;
    say_blocked(context, unit.leader, owner->second, unit.grid.up(chunk.first), chunk.second, unit.extent);
  }
}

void XlaFastHeap::add_free(std::int64_t start, std::int64_t end) {
  free_[start] = end;
  by_length_.insert({end - start, start});
}

void XlaFastHeap::remove_free(std::map<std::int64_t, std::int64_t>::iterator chunk) {
  by_length_.erase({chunk->second - chunk->first, chunk->first});
  free_.erase(chunk);
}

}  // namespace stowage
