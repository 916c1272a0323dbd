#include "core/search/hard_fit.h"

#include <algorithm>

namespace stowage {
namespace {

/// Reading on in a list takes so much less time than finding a neighbour in the tree.
constexpr std::int64_t kAddressesALook = 8;

/// Measured: walking the addresses wins once an item meets about one in 500 of all, in passes; windows that are taken
/// out and placed again lose by it, unless so many are live that the tree is of no use.
bool many_meet(const Instance& instance) {
  constexpr std::int64_t kManyAnyway = 128;
  constexpr std::int64_t kFewItems = 600;
  const auto items = static_cast<std::int64_t>(instance.items.size());
  const std::int64_t met = overlapping_pairs(instance) / items;
  return met > items / 500 && (met > kManyAnyway || items <= kFewItems);
}

}  // namespace

HardFit::HardFit(const Instance& instance, Index index)
    : instance_(instance),
      first_item_(first_items(instance)),
      by_address_(index == Index::kWhatSuits && many_meet(instance)),
      by_start_(by_address_ ? 0 : instance.items.size()) {
  clear();
}

void HardFit::clear() {
  offsets_.assign(instance_.items.size(), kNoOffset);
  list_ = PlacedByAddress();
  by_start_.clear();
  if (instance_.plain) return;
  for (std::uint32_t i = 0; i < instance_.items.size(); ++i) {
    if (instance_.items[i].is_fixed()) put(i, instance_.items[i].fixed);
  }
}

/// Calls visit(offset, end) for everything placed that overlaps an item, by rising offset, until it says false.
template <typename Visit>
void HardFit::by_address(std::uint32_t i, Visit&& visit) {
  const Instance::Item& item = instance_.items[i];
  if (by_address_) {
    std::int64_t seen = 0;
    list_.by_address({item.first, item.last}, [&](const Placed& placed) {
      ++seen;
      return visit(placed.offset, placed.end);
    });
    looks_ += seen / kAddressesALook;
    return;
  }
  met_.clear();
  by_start_.query(first_item(item.last), item.first, [&](std::uint32_t other) {
    met_.push_back({offsets_[other], offsets_[other] + instance_.items[other].size});
  });
  looks_ += static_cast<std::int64_t>(met_.size());
  std::sort(met_.begin(), met_.end(), [](const Stretch& a, const Stretch& b) { return a.offset < b.offset; });
  for (const Stretch& stretch : met_) {
    if (!visit(stretch.offset, stretch.end)) return;
  }
}

std::optional<std::int64_t> HardFit::find(std::uint32_t i, std::int64_t capacity, Rule rule) {
  const Instance::Item& item = instance_.items[i];
  std::int64_t at = item.grid.up(0);
  std::int64_t best = kNoOffset;
  std::int64_t best_spare = kMaxInt64;
  const std::int64_t highest = capacity - item.size;
  const auto take = [&](std::int64_t end) {  // a gap [at, end)
    const std::int64_t spare = end - item.size - at;
    if (spare < 0 || spare >= best_spare) return false;
    best = at;
    best_spare = spare;
    return true;
  };
  ++looks_;
  by_address(i, [&](std::int64_t offset, std::int64_t end) {
    if (take(offset) && (rule == Rule::kFirst || best_spare == 0)) return false;
    if (end > at) at = item.grid.up(end);
    return at <= highest;
  });
  const bool over = best != kNoOffset && (rule == Rule::kFirst || best_spare == 0);
  if (!over && at <= highest) take(capacity);
  return best == kNoOffset ? std::nullopt : std::optional(best);
}

bool HardFit::place(std::uint32_t i, std::int64_t capacity, Rule rule) {
  const std::optional<std::int64_t> offset = find(i, capacity, rule);
  if (offset) put(i, *offset);
  return offset.has_value();
}

bool HardFit::is_free(std::uint32_t i, std::int64_t offset) {
  const std::int64_t end = offset + instance_.items[i].size;
  bool free = true;
  ++looks_;
  by_address(i, [&](std::int64_t other, std::int64_t other_end) {
    free = other >= end || other_end <= offset;
    return free && other < end;
  });
  return free;
}

void HardFit::put(std::uint32_t i, std::int64_t offset) {
  const Instance::Item& item = instance_.items[i];
  offsets_[i] = offset;
  if (by_address_) {
    list_.add({{item.first, item.last}, offset, offset + item.size, i});
  } else {
    by_start_.add(i, item.last);
  }
}

void HardFit::meeting(std::uint32_t i, std::vector<std::uint32_t>& items) {
  meeting(SectionRange{instance_.items[i].first, instance_.items[i].last}, items);
}

void HardFit::meeting(SectionRange sections, std::vector<std::uint32_t>& items) {
  items.clear();
  if (by_address_) {
    list_.by_address(sections, [&](const Placed& placed) {
      items.push_back(placed.buffer);
      return true;
    });
  } else {
    by_start_.query(first_item(sections.last), sections.first, [&](std::uint32_t other) { items.push_back(other); });
    std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
      return offsets_[a] != offsets_[b] ? offsets_[a] < offsets_[b] : a < b;
    });
  }
  looks_ += static_cast<std::int64_t>(items.size());
}

void HardFit::remove(std::uint32_t i) {
  if (by_address_) {
    list_.remove(offsets_[i], i);
  } else {
    by_start_.remove(i);
  }
  offsets_[i] = kNoOffset;
}

}  // namespace stowage
