#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/lanes.h"
#include "core/search/niche_masks.h"
#include "core/search/niche_tables.h"

namespace stowage {

/// The floor of each section, which is the lowest offset of the waiting items that cover it, and how many attain it.
///
/// Counting a section anew is what a niche search would spend most of its time on. So the counts follow the changes, a
/// block of sections at a time, and only where nobody is left that attains the floor is the section looked at again.
template <typename Value>
class NicheFloors {
  using L = Lanes<Value>;
  using Block = typename L::Type;

 public:
  static constexpr Value kNever = NicheMasks<Value>::kNever;

  /// Tables and masks must outlive it. In all that follows `lows` has an offset for each item, kNever for those that do
  /// not wait, and room for whole blocks.
  NicheFloors(const NicheTables& tables, const NicheMasks<Value>& masks) : tables_(tables), masks_(masks) {}

  /// All sections are counted anew later.
  void clear() {
    floors_.assign(L::room(tables_.live.size()), kNever);
    counts_.assign(L::room(tables_.live.size()), 0);
  }

  Value floor(std::int32_t s) const { return floors_[at(s)]; }
  std::int32_t count(std::int32_t s) const { return static_cast<std::int32_t>(counts_[at(s)]); }
  /// Nothing that is counted attains the floor any more, though something waits.
  bool is_stale(std::int32_t s) const { return counts_[at(s)] <= 0 && floors_[at(s)] != kNever; }

  /// The first section after this one, but none from `last` on, that has another floor.
  std::int32_t end_of_plateau(std::int32_t s, std::int32_t last) const {
    const Value floor = floors_[at(s)];
    std::int32_t end = s + 1;
    constexpr auto kBlock = static_cast<std::int32_t>(L::kCount);
    while (end + kBlock <= last && !L::any(L::load(floors_.data() + end) != L::all(floor))) end += kBlock;
    while (end < last && floors_[at(end)] == floor) ++end;
    return end;
  }

  /// Counts a section anew.
  void look_at(std::int32_t s, const std::vector<Value>& lows) {
    Value floor = kNever;
    Value count = 0;
    const std::span<const std::uint32_t> items = tables_.live[at(s)];
    if (masks_.empty() || items.empty()) {
      for (const std::uint32_t i : items) floor = std::min(floor, lows[i]);
      for (const std::uint32_t i : items) count = static_cast<Value>(count + (lows[i] == floor ? 1 : 0));
    } else {
      const Value* row = masks_.covers(at(s));
      const auto low = [&](std::size_t k) {
        return L::load(lows.data() + k) | L::load(row + k);
      };
      Block lowest = L::all(kNever);
      for_items(s, [&](std::size_t k) { lowest = L::min(lowest, low(k)); });
      floor = L::least(lowest);
      Block counts{};
      for_items(s, [&](std::size_t k) { counts -= low(k) == L::all(floor); });
      count = L::sum(counts);
    }
    floors_[at(s)] = floor;
    counts_[at(s)] = floor == kNever ? Value{0} : count;
  }

  /// What the floor of a section would be if all items at it were gone: the next lowest offset. Asks the masks.
  Value floor_without_lowest(std::int32_t s, const std::vector<Value>& lows) const {
    const Value* row = masks_.covers(at(s));
    const Block floor = L::all(floors_[at(s)]);
    Block lowest = L::all(kNever);
    for_items(s, [&](std::size_t k) {
      const Block low = L::load(lows.data() + k);
      lowest = L::min(lowest, low | ((low == floor) & L::all(kNever)) | L::load(row + k));
    });
    return L::least(lowest);
  }

  /// What the floor of a section would be if the items that cover `edge` too lay at `top` or higher. Asks the masks.
  Value floor_with_raised(std::int32_t s, std::int32_t edge, Value top, const std::vector<Value>& lows) const {
    const Value* row = masks_.covers(at(s));
    const Value* apart = masks_.covers(at(edge));
    Block lowest = L::all(kNever);
    for_items(s, [&](std::size_t k) {
      const Block raised = L::max(L::load(lows.data() + k), L::all(top) & ~L::load(apart + k));
      lowest = L::min(lowest, raised | L::load(row + k));
    });
    return L::least(lowest);
  }

  /// Calls found(item) for those that attain the floor of a section, by rising number.
  template <typename Found>
  void for_lowest(std::int32_t s, const std::vector<Value>& lows, const Found& found) const {
    const std::span<const std::uint32_t> items = tables_.live[at(s)];
    std::int32_t left = count(s);
    if (masks_.empty()) {
      for (std::size_t k = 0; left > 0; ++k) {
        if (lows[items[k]] != floor(s)) continue;
        found(items[k]);
        --left;
      }
      return;
    }
    const Value* row = masks_.covers(at(s));
    for (std::size_t k = L::block_of(items.front()); left > 0; k += L::kCount) {
      const Block lowest = (L::load(lows.data() + k) | L::load(row + k)) == L::all(floor(s));
      if (!L::any(lowest)) continue;
      for (std::size_t j = 0; j < L::kCount; ++j) {
        if (lowest[j] == 0) continue;
        found(static_cast<std::uint32_t>(k + j));
        --left;
      }
    }
  }

  /// An item that covers these sections is no longer at `low`: it does not count there any more.
  void leave(std::int32_t first, std::int32_t last, Value low) {
    for_blocks<Value>(at(first), at(last), [&](std::size_t k, Block mask) {
      add_counts(k, (L::load(floors_.data() + k) == L::all(low)) & mask);
    });
  }
  /// The item is no longer at `low` but at `high`, which is no lower than the new floors of the sections it leaves.
  void rise(std::int32_t first, std::int32_t last, Value low, Value high) {
    for_blocks<Value>(at(first), at(last), [&](std::size_t k, Block mask) {
      const Block floor = L::load(floors_.data() + k);
      add_counts(k, ((floor == L::all(low)) - (floor == L::all(high))) & mask);
    });
  }
  /// The floor of these sections is `floor`, if anybody is found that attains it.
  void settle(std::int32_t first, std::int32_t last, Value floor) {
    for_blocks<Value>(at(first), at(last), [&](std::size_t k, Block mask) {
      L::store(floors_.data() + k, (L::load(floors_.data() + k) & ~mask) | (L::all(floor) & mask));
      L::store(counts_.data() + k, L::load(counts_.data() + k) & ~mask);
    });
  }
  /// One more attains it.
  void attain(std::int32_t first, std::int32_t last) {
    for_blocks<Value>(at(first), at(last), [&](std::size_t k, Block mask) { add_counts(k, -mask); });
  }

  /// Remembers sections on a stack; returns where they begin there.
  std::size_t save(std::int32_t first, std::int32_t last) {
    const std::size_t begin = saved_.size();
    saved_.insert(saved_.end(), floors_.begin() + first, floors_.begin() + last);
    saved_.insert(saved_.end(), counts_.begin() + first, counts_.begin() + last);
    return begin;
  }
  /// Brings back what was saved last, and takes it off the stack.
  void restore(std::int32_t first, std::size_t begin) {
    const auto from = saved_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto middle = from + (saved_.end() - from) / 2;
    std::copy(from, middle, floors_.begin() + first);
    std::copy(middle, saved_.end(), counts_.begin() + first);
    saved_.resize(begin);
  }
  void forget_saved() { saved_.clear(); }

 private:
  static std::size_t at(std::int32_t section) { return static_cast<std::size_t>(section); }

  /// Items are numbered by their beginnings, so that those which cover a section lie close together.
  template <typename Work>
  void for_items(std::int32_t s, const Work& work) const {
    const std::span<const std::uint32_t> items = tables_.live[at(s)];
    for (std::size_t k = L::block_of(items.front()); k <= items.back(); k += L::kCount) work(k);
  }

  void add_counts(std::size_t k, Block change) { L::store(counts_.data() + k, L::load(counts_.data() + k) + change); }

  const NicheTables& tables_;
  const NicheMasks<Value>& masks_;
  std::vector<Value> floors_;
  std::vector<Value> counts_;
  std::vector<Value> saved_;  // floors, then counts, of one range of sections after the other
};

}  // namespace stowage
