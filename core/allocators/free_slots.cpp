#include "core/allocators/free_slots.h"

#include <algorithm>
#include <limits>

namespace stowage {
namespace {

constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FreeSlots::FreeSlots(const Problem& problem, std::span<const BufferIndex> order) {
  std::vector<std::int64_t> times;
  for (const BufferIndex i : order) {
    times.push_back(problem[i].start);
    times.push_back(problem[i].end);
  }
  times.push_back(0);  // the first slot begins at time 0, or where the first buffer does when that is earlier
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto rank_of = [&](std::int64_t time) {
    return static_cast<std::int32_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
  };
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    const Buffer& buffer = problem[order[rank]];
    lives_.push_back(Life{rank_of(buffer.start), rank_of(buffer.end), rank, true});
  }
  std::sort(lives_.begin(), lives_.end(),
            [](const Life& a, const Life& b) { return a.start != b.start ? a.start < b.start : a.rank < b.rank; });
  life_of_rank_.resize(lives_.size());
  for (std::size_t at = 0; at < lives_.size(); ++at) life_of_rank_[lives_[at].rank] = at;

  while (leaves_ < lives_.size()) leaves_ *= 2;
  nodes_.assign(2 * leaves_, Node{std::numeric_limits<std::int32_t>::max(), -1, kNoRank});
  for (std::size_t at = 0; at < lives_.size(); ++at) set_leaf(at);
  const auto count = static_cast<std::int32_t>(times.size());  // the last stretch goes on for ever
  while (axis_ < count) axis_ *= 2;
  covers_.resize(2 * static_cast<std::size_t>(axis_));
  insert(Slot{0, 0, count});
}

std::optional<FreeSlots::Slot> FreeSlots::pop() {
  if (slots_.empty()) return std::nullopt;
  const Slot slot = slots_.begin()->second;
  slots_.erase(slots_.begin());
  cover(slot.start, slot.end, -1, 1, 0, axis_);
  return slot;
}

std::optional<std::uint32_t> FreeSlots::first_fitting(const Slot& slot) const {
  std::uint32_t best = kNoRank;
  std::int32_t at = slot.start;
  while (at < slot.end) {  // each stretch that no other slot covers and that meets this one
    const std::int32_t inside = next(false, at, 0, 1, 0, axis_);
    if (inside >= slot.end) break;
    const std::int32_t low = previous_covered(inside, 0, 1, 0, axis_) + 1;
    const std::int32_t high = next(true, inside, 0, 1, 0, axis_);
    search(first_from(low), first_from(std::min(high, slot.end)), slot.start, high, 1, 0, leaves_, best);
    at = high;
  }
  if (best == kNoRank) return std::nullopt;
  return best;
}

void FreeSlots::take(const Slot& slot, std::uint32_t rank, std::int64_t end) {
  Life& life = lives_[life_of_rank_[rank]];
  life.waits = false;
  set_leaf(life_of_rank_[rank]);
  insert(Slot{end, std::max(slot.start, life.start), std::min(slot.end, life.end)});
  // The slots beside the buffer reach to its far end, as in the origin; the colouring mends what that lets collide.
  if (slot.start < life.start) insert(Slot{slot.offset, slot.start, life.end});
  if (life.end < slot.end) insert(Slot{slot.offset, life.start, slot.end});
}

void FreeSlots::put_back(const Slot& slot) {
  insert(slot);
}

void FreeSlots::insert(const Slot& slot) {
  slots_.emplace(slot.offset, slot);
  cover(slot.start, slot.end, 1, 1, 0, axis_);
}

void FreeSlots::cover(std::int32_t start, std::int32_t end, std::int32_t change, std::size_t node, std::int32_t begin,
                      std::int32_t limit) {
  if (end <= begin || limit <= start) return;
  Cover& mine = covers_[node];
  if (start <= begin && limit <= end) {
    mine.own += change;
    mine.least += change;
    mine.most += change;
    return;
  }
  const std::int32_t middle = begin + (limit - begin) / 2;
  cover(start, end, change, 2 * node, begin, middle);
  cover(start, end, change, 2 * node + 1, middle, limit);
  mine.least = mine.own + std::min(covers_[2 * node].least, covers_[2 * node + 1].least);
  mine.most = mine.own + std::max(covers_[2 * node].most, covers_[2 * node + 1].most);
}

/// The first stretch at or after `from` that is covered, or is not; the end of the axis when there is none.
std::int32_t FreeSlots::next(bool covered, std::int32_t from, std::int32_t above, std::size_t node, std::int32_t begin,
                             std::int32_t limit) const {
  const Cover& mine = covers_[node];
  const bool none = covered ? above + mine.most == 0 : above + mine.least > 0;
  if (limit <= from || none) return axis_;
  if (limit - begin == 1) return begin;
  const std::int32_t middle = begin + (limit - begin) / 2;
  const std::int32_t left = next(covered, from, above + mine.own, 2 * node, begin, middle);
  return left < axis_ ? left : next(covered, from, above + mine.own, 2 * node + 1, middle, limit);
}

/// The last covered stretch before `before`, or -1.
std::int32_t FreeSlots::previous_covered(std::int32_t before, std::int32_t above, std::size_t node, std::int32_t begin,
                                         std::int32_t limit) const {
  const Cover& mine = covers_[node];
  if (begin >= before || above + mine.most == 0) return -1;
  if (limit - begin == 1) return begin;
  const std::int32_t middle = begin + (limit - begin) / 2;
  const std::int32_t right = previous_covered(before, above + mine.own, 2 * node + 1, middle, limit);
  return right >= 0 ? right : previous_covered(before, above + mine.own, 2 * node, begin, middle);
}

/// The least rank among the lives [first, last) that end after `after` and at `latest` at the latest.
void FreeSlots::search(std::size_t first, std::size_t last, std::int32_t after, std::int32_t latest, std::size_t node,
                       std::size_t begin, std::size_t end, std::uint32_t& best) const {
  if (end <= first || last <= begin) return;
  const Node& mine = nodes_[node];
  if (mine.least_rank >= best || mine.least_end > latest || mine.greatest_end <= after) return;
  if (end - begin == 1) {
    best = mine.least_rank;
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  search(first, last, after, latest, 2 * node, begin, middle, best);
  search(first, last, after, latest, 2 * node + 1, middle, end, best);
}

void FreeSlots::set_leaf(std::size_t at) {
  const Life& life = lives_[at];
  std::size_t node = leaves_ + at;
  nodes_[node] =
      life.waits ? Node{life.end, life.end, life.rank} : Node{std::numeric_limits<std::int32_t>::max(), -1, kNoRank};
  for (node /= 2; node >= 1; node /= 2) {
    const Node& left = nodes_[2 * node];
    const Node& right = nodes_[2 * node + 1];
    nodes_[node] = {std::min(left.least_end, right.least_end), std::max(left.greatest_end, right.greatest_end),
                    std::min(left.least_rank, right.least_rank)};
  }
}

/// The first life that starts at `start` or later.
std::size_t FreeSlots::first_from(std::int32_t start) const {
  return static_cast<std::size_t>(std::lower_bound(lives_.begin(), lives_.end(), start,
                                                   [](const Life& life, std::int32_t s) { return life.start < s; }) -
                                  lives_.begin());
}

}  // namespace stowage
