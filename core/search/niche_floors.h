#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/search/instance.h"
#include "core/search/niche_tables.h"

namespace stowage {

/// The floor of each section, which is the lowest offset of the waiting items that cover it, and how many attain it.
///
/// Half of a niche search goes into counting a section anew. Items are numbered by their beginnings, so those that
/// cover a section lie close together, and a straight pass over all numbers between the first and the last of them,
/// with a mask for those that do not cover it, takes a few vector instructions where a list takes a load an item:
///
///   item      7   8   9  10  11        floor = min( low | mask ), a mask of ones being "never"
///   low      20  35 (never) 20 50
///   mask      0  ~0   0   0   0        20, attained by 7 and 10
///
/// 16-bit numbers make twice as much of that as 32-bit ones; wider ones keep to the lists.
template <typename Value>
class NicheFloors {
 public:
  /// The floor where nothing waits, and the lowest offset of an item that does not.
  static constexpr Value kNever = std::numeric_limits<Value>::max();

  /// The tables must outlive it.
  explicit NicheFloors(const NicheTables& tables) : tables_(tables) {
    if constexpr (sizeof(Value) == 2) mask_sections();
  }

  /// All sections are counted anew later.
  void clear() {
    floors_.assign(tables_.live.size(), kNever);
    counts_.assign(tables_.live.size(), 0);
  }

  Value floor(std::int32_t s) const { return floors_[at(s)]; }
  std::int32_t count(std::int32_t s) const { return static_cast<std::int32_t>(counts_[at(s)]); }
  /// Nothing that is counted attains the floor any more, though something waits.
  bool is_stale(std::int32_t s) const { return counts_[at(s)] <= 0 && floors_[at(s)] != kNever; }

  /// Counts a section anew. `lows`, by item; kNever for those that do not wait.
  void look_at(std::int32_t s, const std::vector<Value>& lows) {
    const std::span<const std::uint32_t> items = tables_.live[at(s)];
    Value floor = kNever;
    Value count = 0;
    if (!masks_.empty() && masked_[at(s)].first != masked_[at(s)].second) {
      const Value* low = lows.data() + items.front();
      const Value* mask = masks_.data() + masked_[at(s)].first;
      const std::size_t size = masked_[at(s)].second - masked_[at(s)].first;
      for (std::size_t k = 0; k < size; ++k) {
        const auto value = static_cast<Value>(low[k] | mask[k]);
        floor = value < floor ? value : floor;
      }
      for (std::size_t k = 0; k < size; ++k) {
        count = static_cast<Value>(count + (static_cast<Value>(low[k] | mask[k]) == floor ? 1 : 0));
      }
    } else {
      for (const std::uint32_t i : items) floor = std::min(floor, lows[i]);
      for (const std::uint32_t i : items) count = static_cast<Value>(count + (lows[i] == floor ? 1 : 0));
    }
    floors_[at(s)] = floor;
    counts_[at(s)] = floor == kNever ? Value{0} : count;
  }

  /// An item that covers these sections is no longer at `low`: it does not count there any more.
  void leave(std::int32_t first, std::int32_t last, Value low) {
    const Value* floor = floors_.data() + first;
    Value* count = counts_.data() + first;
    const auto size = static_cast<std::size_t>(last - first);
    for (std::size_t k = 0; k < size; ++k) count[k] = static_cast<Value>(count[k] - (floor[k] == low ? 1 : 0));
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

  /// Sections whose items lie too far apart have no mask.
  void mask_sections() {
    constexpr std::size_t kMostMasks = std::size_t{4} << 20U;
    constexpr std::size_t kThin = 8;  // numbers for each item that covers the section
    masked_.assign(tables_.live.size(), {});
    for (std::size_t s = 0; s < tables_.live.size(); ++s) {
      const std::span<const std::uint32_t> items = tables_.live[s];
      if (items.empty()) continue;
      const std::size_t size = items.back() - items.front() + 1;
      if (size > kThin * items.size() || masks_.size() + size > kMostMasks) continue;
      const std::size_t begin = masks_.size();
      masks_.resize(begin + size, kNever);
      for (const std::uint32_t i : items) masks_[begin + i - items.front()] = 0;
      masked_[s] = {begin, begin + size};
    }
  }

  const NicheTables& tables_;
  std::vector<Value> floors_;
  std::vector<Value> counts_;
  std::vector<Value> saved_;  // floors, then counts, of one range of sections after the other
  std::vector<Value> masks_;  // empty: there are none
  std::vector<std::pair<std::size_t, std::size_t>> masked_;  // by section, its masks
};

}  // namespace stowage
