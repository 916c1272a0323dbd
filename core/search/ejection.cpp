#include "core/search/ejection.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

constexpr std::size_t kMostSpots = 400;  // looked at
constexpr std::size_t kMostTried = 24;   // of them
constexpr std::uint32_t kMostEjected = 12;

}  // namespace

bool Ejection::stay(std::uint32_t i, std::int64_t offset, std::int64_t capacity) {
  const Instance::Item& item = instance_.items[i];
  if (offset == kNoOffset || offset < 0 || offset > capacity - item.size || !item.grid.holds(offset)) return false;
  if (!fit_.is_free(i, offset)) return false;
  fit_.put(i, offset);
  return true;
}

bool Ejection::fit(std::uint32_t i, std::int64_t capacity) {
  return fit_.place(i, capacity, HardFit::Rule::kBest);
}

bool Ejection::eject(std::uint32_t i, std::int64_t old, std::int64_t capacity) {
  fit_.meeting(i, met_);
  std::vector<Spot> found = spots(i, old, capacity);
  const std::size_t tried = std::min(found.size(), kMostTried);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(tried), found.end(),
                    [](const Spot& a, const Spot& b) {
                      if (a.volume != b.volume) return a.volume < b.volume;
                      if (a.count != b.count) return a.count < b.count;
                      return a.offset < b.offset;
                    });
  for (std::size_t k = 0; k < tried; ++k) {
    if (take_spot(i, found[k].offset, capacity)) return true;
  }
  return false;
}

/// Offsets worth a try: the bottom, the top, the old one, and flush with everything that is live together with it.
std::vector<Ejection::Spot> Ejection::spots(std::uint32_t i, std::int64_t old, std::int64_t capacity) const {
  const Instance::Item& item = instance_.items[i];
  const std::int64_t highest = capacity - item.size;
  std::vector<std::int64_t> offsets = {0, highest, old};
  const std::size_t stride = 1 + 2 * met_.size() / kMostSpots;
  for (std::size_t k = 0; k < met_.size(); k += stride) {
    const std::int64_t offset = fit_.offsets()[met_[k]];
    offsets.push_back(offset + instance_.items[met_[k]].size);
    offsets.push_back(offset - item.size);
  }
  for (std::int64_t& offset : offsets) offset = offset < 0 ? kMaxInt64 : item.grid.up(offset);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  std::vector<Spot> found;
  for (const std::int64_t offset : offsets) {
    if (offset > highest) break;
    Spot spot{offset, 0, 0};
    bool possible = true;
    for (const std::uint32_t other : met_) {
      const std::int64_t below = fit_.offsets()[other];
      if (below >= offset + item.size) break;
      if (below + instance_.items[other].size <= offset) continue;
      possible = possible && !instance_.items[other].is_fixed() && ++spot.count <= kMostEjected;
      if (!possible) break;
      spot.volume += instance_.items[other].size;
    }
    if (possible) found.push_back(spot);
  }
  return found;
}

/// Puts an item there and finds gaps for what was in its way; else all is as before.
bool Ejection::take_spot(std::uint32_t i, std::int64_t offset, std::int64_t capacity) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> ejected;
  for (const std::uint32_t other : met_) {
    const std::int64_t below = fit_.offsets()[other];
    const bool in_the_way = below < offset + instance_.items[i].size && offset < below + instance_.items[other].size;
    if (in_the_way) ejected.emplace_back(other, below);
  }
  for (const auto& [other, below] : ejected) fit_.remove(other);
  fit_.put(i, offset);
  std::vector<std::uint32_t> items;
  for (const auto& [other, below] : ejected) items.push_back(other);
  if (place_by_size(items, capacity)) return true;
  for (const std::uint32_t other : items) {
    if (fit_.is_placed(other)) fit_.remove(other);
  }
  fit_.remove(i);
  for (const auto& [other, below] : ejected) fit_.put(other, below);
  return false;
}

bool Ejection::place_by_size(std::vector<std::uint32_t> items, std::int64_t capacity) {
  std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t size_a = instance_.items[a].size;
    const std::int64_t size_b = instance_.items[b].size;
    return size_a != size_b ? size_a > size_b : a < b;
  });
  return std::all_of(items.begin(), items.end(), [&](std::uint32_t i) { return fit(i, capacity); });
}

}  // namespace stowage
