#include "core/search/live_space.h"

#include <bit>

namespace stowage {
namespace {

template <typename Item>
void sort_by_key(std::vector<Item>& items) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key() < b.key(); });
}

}  // namespace

LiveSpace::LiveSpace(std::vector<LiveBuffer>& buffers, std::span<const BufferIndex> own) : buffers_(buffers) {
  std::array<std::vector<Rectangle>, kClasses> rectangles;
  std::vector<LoadProfile::Step> steps;
  std::vector<Top> highest;
  std::vector<Top> pins;
  for (const BufferIndex i : own) {
    const LiveBuffer& b = buffers[i];
    rectangles[class_of(b.life)].push_back(rectangle(i));
    steps.push_back({b.life.start, b.size});
    steps.push_back({b.life.end, -b.size});
    if (b.offset != kNoOffset) highest.push_back({b.end(), i});
    if (b.is_fixed()) pins.push_back({b.fixed + b.size, i});
  }
  for (std::size_t c = 0; c < kClasses; ++c) {
    sort_by_key(rectangles[c]);
    by_length_[c].fill(rectangles[c]);
  }
  profile_.fill(std::move(steps));
  sort_by_key(highest);
  highest_.fill(highest);
  sort_by_key(pins);
  pins_.fill(pins);
}

std::size_t LiveSpace::class_of(TimeSpan life) {
  const std::uint64_t length = static_cast<std::uint64_t>(life.end) - static_cast<std::uint64_t>(life.start);
  return (static_cast<std::size_t>(std::bit_width(length - 1)) + 1) / 2;
}

LiveSpace::Rectangle LiveSpace::rectangle(BufferIndex i) const {
  const LiveBuffer& b = buffers_[i];
  if (b.offset == kNoOffset) return {b.life, kNoOffset, kNoOffset, i};
  return {b.life, b.offset, b.end(), i};
}

void LiveSpace::add(BufferIndex i) {
  const LiveBuffer& b = buffers_[i];
  by_length_[class_of(b.life)].add(rectangle(i));
  profile_.add(b.life.start, b.life.end, b.size);
  if (b.offset != kNoOffset) highest_.add({b.end(), i});
  if (b.is_fixed()) pins_.add({b.fixed + b.size, i});
}

void LiveSpace::remove(BufferIndex i) {
  const LiveBuffer& b = buffers_[i];
  by_length_[class_of(b.life)].remove({b.life.start, i});
  profile_.add(b.life.start, b.life.end, -b.size);
  if (b.offset != kNoOffset) highest_.remove({b.end(), i});
  if (b.is_fixed()) pins_.remove({b.fixed + b.size, i});
}

void LiveSpace::put(BufferIndex i, std::int64_t offset) {
  LiveBuffer& b = buffers_[i];
  if (b.offset == offset) return;
  past_.push_back({i, b.offset});
  if (b.offset != kNoOffset) highest_.remove({b.end(), i});
  b.offset = offset;
  if (b.offset != kNoOffset) highest_.add({b.end(), i});
  by_length_[class_of(b.life)].replace(rectangle(i));
}

bool LiveSpace::is_free(BufferIndex i, std::int64_t offset) const {
  const LiveBuffer& b = buffers_[i];
  const std::int64_t end = offset + b.size;
  bool free = true;
  visit_living(
      b.life, [&](const Rectangle& one) { free = free && (!one.is_placed() || one.low >= end || one.high <= offset); });
  return free;
}

std::optional<std::int64_t> LiveSpace::tightest(BufferIndex i, std::int64_t capacity) const {
  const LiveBuffer& b = buffers_[i];
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;
  visit_living(b.life, [&](const Rectangle& one) {
    if (one.is_placed()) taken.emplace_back(one.low, one.high);
  });
  std::sort(taken.begin(), taken.end());
  taken.emplace_back(capacity, capacity);
  std::optional<std::int64_t> best;
  std::int64_t best_spare = kMaxInt64;
  std::int64_t at = b.grid.up(0);
  for (const auto& [low, high] : taken) {
    if (at > capacity - b.size) break;
    const std::int64_t spare = std::min(low, capacity) - b.size - at;
    if (spare >= 0 && spare < best_spare) {
      best = at;
      best_spare = spare;
    }
    if (high > at) at = b.grid.up(high);
  }
  return best;
}

}  // namespace stowage
