#include "core/allocators/slice_times.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stowage {
namespace {

/// Eight equal slices have as many orders; more than these are not tried.
constexpr std::size_t kMostOrders = 40'320;

using UsedByStart = std::map<std::int64_t, std::vector<XlaHeap::Used>>;

/// Moves `at` above everything that bytes [low, low + size) above it would meet.
std::int64_t raise(std::int64_t at, std::int64_t low, std::int64_t size, const std::vector<XlaHeap::Used>& used,
                   const Grid& grid) {
  for (const XlaHeap::Used& chunk : used) {
    if (at < chunk.high - low && at > chunk.low - low - size) at = grid.up(chunk.high - low);
  }
  return at;
}

/// The lowest offset at which all slices with these starts are free.
std::int64_t lowest_for(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& sizes,
                        std::int64_t relative, const UsedByStart& used, const Grid& grid, std::int64_t at) {
  while (true) {
    const std::int64_t before = at;
    std::int64_t low = relative;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      if (sizes[k] > 0) at = raise(at, low, sizes[k], used.at(starts[k]), grid);
      low += sizes[k];
    }
    if (at == before || at == kMaxInt64) return at;
  }
}

}  // namespace

SliceTimes::SliceTimes(const std::vector<Slice>* slices, const Buffer& buffer, Which which)
    : empty_(!buffer.takes_memory()) {
  if (slices == nullptr) {
    sizes_ = {buffer.size};
    by_start_ = {Slice{buffer.size, buffer.start}};
    orders_ = {{buffer.start}};
    return;
  }
  for (const Slice& slice : *slices) sizes_.push_back(slice.size);
  by_start_ = *slices;
  std::stable_sort(by_start_.begin(), by_start_.end(),
                   [](const Slice& a, const Slice& b) { return a.start < b.start; });
  if (which == Which::kAll) {
    add_all();
  } else {
    add_preferred();
  }
}

std::int64_t SliceTimes::last() const {
  return by_start_.back().start;
}

std::optional<std::int64_t> SliceTimes::lowest(XlaHeap& heap, const Body::Member& member, const Grid& grid,
                                               std::int64_t at) {
  if (empty_) return at;
  UsedByStart used;
  for (const Slice& slice : by_start_) {
    if (!used.contains(slice.start)) used[slice.start] = heap.used_beside(member.buffer, slice.start);
  }
  std::int64_t best = kMaxInt64;
  for (std::size_t k = 0; k < orders_.size() && best > at; ++k) {
    const std::int64_t offset = lowest_for(orders_[k], sizes_, member.relative, used, grid, at);
    if (offset >= best) continue;
    best = offset;
    chosen_ = k;
  }
  if (best == kMaxInt64) return std::nullopt;
  return best;
}

void SliceTimes::add_all() {
  std::vector<std::int64_t> order;
  std::vector<bool> used(by_start_.size(), false);
  extend(order, used);
}

/// Depth first by rising starts: lexicographic, and equal starts of slices of one size count once.
void SliceTimes::extend(std::vector<std::int64_t>& order, std::vector<bool>& used) {
  if (orders_.size() == kMostOrders) return;
  if (order.size() == sizes_.size()) {
    orders_.push_back(order);
    return;
  }
  std::optional<std::int64_t> tried;
  for (std::size_t k = 0; k < by_start_.size(); ++k) {
    if (used[k] || by_start_[k].size != sizes_[order.size()] || tried == by_start_[k].start) continue;
    tried = by_start_[k].start;
    used[k] = true;
    order.push_back(by_start_[k].start);
    extend(order, used);
    order.pop_back();
    used[k] = false;
  }
}

void SliceTimes::add_preferred() {
  const std::size_t count = by_start_.size();
  std::vector<std::vector<std::size_t>> candidates(3);
  for (std::size_t k = 0; k < count; ++k) {
    candidates[0].push_back(k);
    candidates[1].push_back(count - 1 - k);
  }
  for (std::size_t k = count; k-- > 0;) {
    if (k % 2 == 1) candidates[2].push_back(k);
  }
  for (std::size_t k = 0; k < count; k += 2) candidates[2].push_back(k);

  std::vector<std::pair<std::int64_t, std::int64_t>> given;
  for (const Slice& slice : by_start_) given.emplace_back(slice.size, slice.start);
  std::sort(given.begin(), given.end());
  for (const std::vector<std::size_t>& candidate : candidates) {
    std::vector<std::int64_t> order;
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::size_t k = 0; k < count; ++k) {
      order.push_back(by_start_[candidate[k]].start);
      pairs.emplace_back(sizes_[k], order.back());
    }
    std::sort(pairs.begin(), pairs.end());
    if (pairs == given && std::find(orders_.begin(), orders_.end(), order) == orders_.end()) orders_.push_back(order);
  }
  if (!orders_.empty()) return;
  add_all();  // none of the three keeps the sizes with their starts: the first that does
  orders_.resize(1);
}

}  // namespace stowage
