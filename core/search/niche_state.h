#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/search/failed_states.h"
#include "core/search/instance.h"
#include "core/search/niche_floors.h"
#include "core/search/niche_look.h"
#include "core/search/niche_masks.h"
#include "core/search/niche_names.h"
#include "core/search/niche_tables.h"

namespace stowage {

/// Sections [first, last) that no waiting item leaves; `key` names their state.
struct NichePart {
  std::int32_t first = 0;
  std::int32_t last = 0;
  StateKey key;
  std::int64_t spare = 0;  // units that the fullest section had left when the part came to be
};

/// A plan that a niche search has built so far (niche_search.h): what waits and how low it could lie, and the changes
/// that led here, which can be taken back one by one.
template <typename Value>
class NicheState {
  using L = Lanes<Value>;
  using Block = typename L::Type;
  static constexpr Value kNever = NicheMasks<Value>::kNever;  // lowest offset of a placed item

 public:
  /// The instance must outlive it.
  NicheState(const Instance& instance, std::int64_t capacity)
      : instance_(instance),
        tables_(instance),
        masks_(tables_),
        floors_(tables_, masks_),
        names_(tables_.twins),
        capacity_(capacity) {
    const std::size_t items = instance.items.size();
    failed_at_.assign(items, -1);
    for (const Instance::Item& item : instance.items)
      size_.push_back(static_cast<Value>(std::min(item.size, capacity + 1)));
    low_.assign(masks_.width(), kNever);
    offset_.assign(items, 0);
  }

  /// Nothing is placed. False when that alone is above the capacity.
  bool start() {
    changes_.clear();
    raised_.clear();
    floors_.forget_saved();
    const auto sections = static_cast<std::size_t>(instance_.sections);
    floors_.clear();
    waits_ = size_;
    waits_.resize(masks_.width(), 0);
    waiting_.assign(L::room(sections), 0);
    cuts_.assign(sections, 0);
    for (std::size_t i = 0; i < instance_.items.size(); ++i) {
      const Instance::Item& item = instance_.items[i];
      const std::int64_t low = item.is_fixed() ? item.fixed : item.grid.up(0);
      if (low > capacity_ || item.size > capacity_ - low) return false;
      low_[i] = static_cast<Value>(low);
    }
    for (std::int32_t s = 0; s < instance_.sections; ++s) {
      if (instance_.loads[static_cast<std::size_t>(s)] > capacity_) return false;
    }
    for (std::size_t i = 0; i < instance_.items.size(); ++i) {
      const Instance::Item& item = instance_.items[i];
      for (std::int32_t s = item.first; s < item.last; ++s) {
        waiting_[at(s)] = static_cast<Value>(waiting_[at(s)] + size_[i]);
        if (s + 1 < item.last) ++cuts_[at(s)];
      }
    }
    for (std::int32_t s = 0; s < instance_.sections; ++s) {
      if (!look_at(s)) return false;
    }
    return true;
  }

  NichePart whole() const {
    NichePart all{0, instance_.sections, {}, 0};
    all.key = key_of(all);
    return all;
  }
  std::int32_t sections() const { return instance_.sections; }
  /// By item, where it is placed.
  std::span<const Value> offsets() const { return offset_; }

  /// The section of a niche with the fewest answers to "what is next?"; -1 when nothing waits.
  std::int32_t choose_section(const NichePart& part) const {
    // In answers times the capacity: what is spare counts as a part of one answer more.
    using Count = std::conditional_t<sizeof(Value) <= 4, std::int64_t, double>;
    const auto one = static_cast<Count>(capacity_);
    std::int32_t best = -1;
    Count best_count = 0;
    std::int32_t most = std::numeric_limits<std::int32_t>::max();  // whole answers that need a look
    Value left = kNever;                                           // floor before the stretch
    for (std::int32_t s = part.first; s < part.last;) {
      const Value floor = floors_.floor(s);
      const std::int32_t end = floors_.end_of_plateau(s, part.last);
      const Value right = end < part.last ? floors_.floor(end) : kNever;
      if (floor < left && floor < right) {
        for (std::int32_t k = s; k < end; ++k) {
          if (floors_.count(k) > most) continue;
          const auto spare = static_cast<Count>(capacity_ - floor - waiting_[at(k)]);
          Count count = static_cast<Count>(floors_.count(k)) * one;
          if (spare > 0) count += one + spare;
          if (best >= 0 && count >= best_count) continue;
          best = k;
          best_count = count;
          most = static_cast<std::int32_t>(count / one);
        }
      }
      left = floor;
      s = end;
    }
    return best;
  }

  /// Calls found(item) for what could be next on the section.
  template <typename Found>
  void for_candidates(std::int32_t s, const Found& found) const {
    floors_.for_lowest(s, low_, found);
  }
  /// May none of them be?
  bool may_waste(std::int32_t s) const { return waiting_[at(s)] < capacity_ - floors_.floor(s); }
  /// Whoever has the same one could be exchanged for it.
  std::uint32_t twin(std::uint32_t b) const { return tables_.twins[b]; }
  /// Does anything wait above it?
  bool has_hat(std::uint32_t b) const {
    const std::span<const std::uint32_t> overlaps = tables_.overlaps[b];
    return std::any_of(overlaps.begin(), overlaps.end(), [&](std::uint32_t c) { return low_[c] != kNever; });
  }

  /// Does time fall apart within its sections, now that it is placed?
  bool splits(std::uint32_t b) const {
    const Instance::Item& item = instance_.items[b];
    bool splits = false;
    for (std::int32_t s = item.first; s + 1 < item.last; ++s) splits = splits || cuts_[at(s)] == 0;
    return splits;
  }
  /// Appends the parts in which something waits, the fullest first.
  void split(const NichePart& part, std::vector<NichePart>& parts) const {
    const std::size_t begin = parts.size();
    NichePart piece = part;
    std::int64_t spare = kNever;
    for (std::int32_t s = part.first; s < part.last; ++s) {
      const Value floor = floors_.floor(s);
      if (floor != kNever) spare = std::min<std::int64_t>(spare, capacity_ - floor - waiting_[at(s)]);
      if (s + 1 < part.last && cuts_[at(s)] != 0) continue;
      piece.last = s + 1;
      piece.spare = spare;
      if (spare != kNever) {
        piece.key = key_of(piece);
        parts.push_back(piece);
      }
      piece.first = s + 1;
      spare = kNever;
    }
    std::sort(parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.end(),
              [](const NichePart& x, const NichePart& y) {
                return x.spare != y.spare ? x.spare < y.spare : x.first < y.first;
              });
  }

  /// Whether place(b) would fail where it failed last, which is mostly where it fails now: nothing is changed to see
  /// it.
  bool would_fail(std::uint32_t b) {
    const std::int32_t s = failed_at_[b];
    if (s < 0 || masks_.empty()) return false;
    const Instance::Item& item = instance_.items[b];
    const bool covers = item.first <= s && s < item.last;
    const Value low = std::exchange(low_[b], kNever);
    const std::int32_t edge = std::clamp(s, item.first, item.last - 1);
    const Value floor = floors_.floor_with_raised(s, edge, static_cast<Value>(low + size_[b]), low_);
    low_[b] = low;
    overfull_ = overfull(s);
    if (covers) overfull_.most = static_cast<Value>(overfull_.most + size_[b]);
    return floor != kNever && floor > overfull_.most;
  }

  /// Puts an item where it can lie lowest. False when something that waits no longer fits; take it back either way.
  /// The memory is told of the state as soon as its name is known.
  bool place(std::uint32_t b, NichePart& part, const FailedStates& memory) {
    const Instance::Item& item = instance_.items[b];
    const SectionRange hull = tables_.hulls[b];
    overfull_ = {};
    begin_change(b, std::max(part.first, hull.first), std::min(part.last, hull.last));
    const Value top = static_cast<Value>(low_[b] + size_[b]);
    offset_[b] = low_[b];
    part.key -= names_.waits(b, low_[b]);
    raised_.push_back({b, low_[b]});
    low_[b] = kNever;
    wait(b, false);
    // Whatever waits above it lies at its top or higher.
    floors_.settle(item.first, item.last, top);
    std::int32_t first = item.first;
    std::int32_t last = item.last;
    for (const std::uint32_t c : tables_.overlaps[b]) {
      if (low_[c] > top) continue;
      const Instance::Item& other = instance_.items[c];
      if (low_[c] == top) {
        floors_.attain(std::max(item.first, other.first), std::min(item.last, other.last));
        continue;
      }
      const Value low = up(c, top);
      if (other.is_fixed() || low > capacity_ - size_[c]) return false;
      floors_.rise(other.first, other.last, low_[c], low);
      set_low(c, low, part.key);
      first = std::min(first, other.first);
      last = std::max(last, other.last);
    }
    memory.prepare(part.key);
    std::int32_t s = item.first;
    while (s < item.last && (floors_.count(s) == 0 || waiting_[at(s)] <= capacity_ - top)) ++s;
    if (s == item.last) s = first_overfull(first, last);
    if (s >= last) return true;
    failed_at_[b] = s;
    overfull_ = overfull(s);
    return false;
  }

  /// Nothing that could be next on the section is: all of that lies higher, on something that waits. False when then
  /// something no longer fits; take it back either way.
  bool lift(std::int32_t s, NichePart& part, const FailedStates& memory) {
    lifts_.clear();
    overfull_ = {};
    if (!lift_candidates(s) || lifts_overfill(s)) return false;
    std::int32_t first = s;
    std::int32_t last = s + 1;
    for (const Raised& lift : lifts_) {
      first = std::min(first, instance_.items[lift.item].first);
      last = std::max(last, instance_.items[lift.item].last);
    }
    begin_change(kNoItem, first, last);
    for (const Raised& lift : lifts_) {
      const Instance::Item& item = instance_.items[lift.item];
      floors_.leave(item.first, item.last, low_[lift.item]);
      set_low(lift.item, lift.low, part.key);
    }
    memory.prepare(part.key);
    const std::int32_t full = first_overfull(first, last);
    if (full == last) return true;
    overfull_ = overfull(full);
    return false;
  }

  /// What it looks at to know that these candidates, and nobody else, can be next on the section: nobody lies as low
  /// there, and below them nobody does.
  void look_for_next(std::int32_t s, std::span<const std::uint32_t> candidates, NicheLook<Value>& look) const {
    const Value floor = floors_.floor(s);
    SectionRange under{s, s + 1};
    for (const std::uint32_t c : candidates) {
      under.first = std::min(under.first, instance_.items[c].first);
      under.last = std::max(under.last, instance_.items[c].last);
    }
    look.add(under, static_cast<Value>(floor - 1));
    look.add({s, s + 1}, floor);
  }
  /// ... that nothing waits above it.
  void look_above(std::uint32_t b, NicheLook<Value>& look) const { look.add(range(b), NicheLook<Value>::kAll); }
  /// ... that the placement or lift which failed just now fails: what is too full would not be, if somebody lay lower.
  void look_at_overfull(NicheLook<Value>& look) const {
    if (overfull_.section >= 0) look.add({overfull_.section, overfull_.section + 1}, overfull_.most);
  }
  /// ... that the candidates of the last lift lie no lower than that, or too high.
  void look_under_lifts(NicheLook<Value>& look) const {
    for (const Raised& lift : lifts_) {
      const auto most = static_cast<Value>(capacity_ - size_[lift.item]);
      look.add(range(lift.item), std::min(most, static_cast<Value>(lift.low - 1)));
    }
  }
  /// Did a change, the first being 0, touch anything that this looks at?
  bool touched(std::size_t change, const NicheLook<Value>& look) const {
    const auto begin = raised_.begin() + static_cast<std::ptrdiff_t>(changes_[change].raised);
    const auto end = change + 1 == changes_.size()
                         ? raised_.end()
                         : raised_.begin() + static_cast<std::ptrdiff_t>(changes_[change + 1].raised);
    return std::any_of(begin, end, [&](const Raised& raised) { return look.sees(range(raised.item), raised.low); });
  }

  /// How many changes led here; takes back all that came after so many.
  std::size_t changes() const { return changes_.size(); }
  void take_back(std::size_t changes) {
    while (changes_.size() > changes) {
      const Change& change = changes_.back();
      if (change.item != kNoItem) wait(change.item, true);
      for (; raised_.size() > change.raised; raised_.pop_back()) low_[raised_.back().item] = raised_.back().low;
      floors_.restore(change.first, change.saved);
      changes_.pop_back();
    }
  }

 private:
  static constexpr std::uint32_t kNoItem = 0xFFFFFFFFU;

  struct Raised {
    std::uint32_t item = 0;
    Value low = 0;
  };
  /// A placement, or a "none of them", and what it takes to take it back.
  struct Change {
    std::uint32_t item = kNoItem;
    std::int32_t first = 0;  // of the sections whose floors are saved
    std::size_t saved = 0;   // where they begin on their stack
    std::size_t raised = 0;
  };

  /// A section in which what waits would fit if its floor were no higher than this.
  struct Overfull {
    std::int32_t section = -1;  // none
    Value most = 0;
  };

  static std::size_t at(std::int32_t section) { return static_cast<std::size_t>(section); }
  SectionRange range(std::uint32_t i) const { return {instance_.items[i].first, instance_.items[i].last}; }
  Overfull overfull(std::int32_t s) const { return {s, static_cast<Value>(capacity_ - waiting_[at(s)])}; }

  Value up(std::uint32_t item, Value low) const {
    if (instance_.plain) return low;
    return static_cast<Value>(std::min<std::int64_t>(instance_.items[item].grid.up(low), kNever - 1));
  }

  StateKey key_of(const NichePart& part) const {
    StateKey key = names_.sections(part.first, part.last);
    const std::uint32_t end = tables_.first_item[at(part.last)];
    for (std::uint32_t i = tables_.first_item[at(part.first)]; i < end; ++i) {
      if (low_[i] != kNever) key += names_.waits(i, low_[i]);
    }
    return key;
  }

  /// Counts the waiting items of a section anew. False when they cannot fit any more.
  bool look_at(std::int32_t s) {
    floors_.look_at(s, low_);
    const Value floor = floors_.floor(s);
    return floor == kNever || waiting_[at(s)] <= capacity_ - floor;
  }

  /// Counts stale sections anew, up to the first of them in which what waits cannot fit any more; else `last`.
  std::int32_t first_overfull(std::int32_t first, std::int32_t last) {
    std::int32_t s = first;
    while (s < last && (!floors_.is_stale(s) || look_at(s))) ++s;
    return s;
  }

  /// The item waits, or it does no longer.
  void wait(std::uint32_t b, bool waits) {
    const Instance::Item& item = instance_.items[b];
    const auto change = static_cast<Value>(waits ? size_[b] : -size_[b]);
    waits_[b] = waits ? size_[b] : Value{0};
    for_blocks<Value>(at(item.first), at(item.last), [&](std::size_t k, Block mask) {
      L::store(waiting_.data() + k, L::load(waiting_.data() + k) + (L::all(change) & mask));
    });
    const std::int32_t cut = waits ? 1 : -1;
    for (std::int32_t s = item.first; s + 1 < item.last; ++s) cuts_[at(s)] += cut;
  }

  /// From here on changes can be taken back; they touch floors of these sections only.
  void begin_change(std::uint32_t item, std::int32_t first, std::int32_t last) {
    changes_.push_back({item, first, floors_.save(first, last), raised_.size()});
  }

  void set_low(std::uint32_t i, Value low, StateKey& key) {
    raised_.push_back({i, low_[i]});
    key += names_.raised(i, static_cast<std::int64_t>(low) - low_[i]);
    low_[i] = low;
  }

  /// Whether the section would be too full once its candidates are lifted: most of these failures are there.
  bool lifts_overfill(std::int32_t s) {
    if (masks_.empty()) return false;
    Value floor = floors_.floor_without_lowest(s, low_);
    for (const Raised& lift : lifts_) floor = std::min(floor, lift.low);
    overfull_ = overfull(s);
    return floor > overfull_.most;
  }

  /// Finds the candidates of a section and their new lowest offsets. False when one has none.
  bool lift_candidates(std::int32_t s) {
    bool free = true;
    floors_.for_lowest(s, low_, [&](std::uint32_t c) {
      free = free && !instance_.items[c].is_fixed();
      lifts_.push_back({c, kNever});
    });
    if (!free) return false;
    lift_onto_others(floors_.floor(s));
    for (bool changed = true; changed;) {
      changed = false;
      for (Raised& lift : lifts_) {
        for (const Raised& under : lifts_) {
          if (under.item == lift.item || under.low > capacity_) continue;
          const Value low = up(lift.item, static_cast<Value>(under.low + size_[under.item]));
          if (low >= lift.low) continue;
          lift.low = low;
          changed = true;
        }
      }
    }
    return std::all_of(lifts_.begin(), lifts_.end(),
                       [&](const Raised& lift) { return lift.low <= capacity_ - size_[lift.item]; });
  }

  /// The lowest offset of each lift on something that waits and is no candidate itself.
  void lift_onto_others(Value floor) {
    for (const Raised& lift : lifts_) {
      low_[lift.item] = kNever;
      waits_[lift.item] = 0;
    }
    for (Raised& lift : lifts_) {
      const Value low = lowest_top(lift.item);
      if (low != kNever) lift.low = up(lift.item, low);
    }
    for (const Raised& lift : lifts_) {
      low_[lift.item] = floor;
      waits_[lift.item] = size_[lift.item];
    }
  }

  /// The lowest end of the waiting items that an item meets.
  Value lowest_top(std::uint32_t c) const {
    if (masks_.empty()) {
      Value low = kNever;
      for (const std::uint32_t d : tables_.overlaps[c]) low = std::min(low, static_cast<Value>(low_[d] + waits_[d]));
      return low;
    }
    const Value* row = masks_.meets(c);
    Block lowest = L::all(kNever);
    for (std::size_t k = 0; k < masks_.width(); k += L::kCount) {
      lowest = L::min(lowest, (L::load(low_.data() + k) + L::load(waits_.data() + k)) | L::load(row + k));
    }
    return L::least(lowest);
  }

  const Instance& instance_;
  NicheTables tables_;
  NicheMasks<Value> masks_;
  NicheFloors<Value> floors_;
  NicheNames names_;
  std::int64_t capacity_;

  std::vector<Value> size_;              // by item
  std::vector<Value> low_;               // by item: its lowest offset; kNever when it is placed
  std::vector<Value> waits_;             // by item: its size; 0 when it is placed
  std::vector<Value> offset_;            // by item, where it is placed
  std::vector<Value> waiting_;           // by section: the sizes that wait in it
  std::vector<std::int32_t> cuts_;       // by section: the waiting items that cover it and the next one
  std::vector<std::int32_t> failed_at_;  // by item: the section that was too full when it failed last; -1 before

  std::vector<Change> changes_;  // stacks
  std::vector<Raised> raised_;
  std::vector<Raised> lifts_;  // of the last "none of them"
  Overfull overfull_;          // of the last failure
};

}  // namespace stowage
