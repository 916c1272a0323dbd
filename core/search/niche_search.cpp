#include "core/search/niche_search.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/lanes.h"
#include "core/base/random.h"
#include "core/search/failed_states.h"
#include "core/search/niche_floors.h"
#include "core/search/niche_masks.h"
#include "core/search/niche_tables.h"

namespace stowage {
namespace {

constexpr std::size_t kMostItems = 4'000;
constexpr std::int64_t kMostPairs = 8'000'000;
/// Sums of an offset and a size stay in int64.
constexpr std::int64_t kHighest = kMaxInt64 / 2;

}  // namespace

/// The search for one width of numbers: the least that holds twice the capacity, because a register then holds the
/// most.
class NicheSearch::Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Verdict run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) = 0;
  virtual std::vector<std::int64_t> offsets() const = 0;

  std::int64_t visited = 0;
  std::vector<std::int32_t> failures;
};

namespace {

template <typename Value>
class NicheKernel final : public NicheSearch::Kernel {
 public:
  NicheKernel(const Instance& instance, std::int64_t capacity)
      : instance_(instance), tables_(instance), masks_(tables_), floors_(tables_, masks_), capacity_(capacity) {
    const std::size_t items = instance.items.size();
    failures.assign(items, 0);
    failed_at_.assign(items, -1);
    size_.reserve(items);
    for (const Instance::Item& item : instance.items)
      size_.push_back(static_cast<Value>(std::min(item.size, capacity + 1)));
    low_.assign(masks_.width(), kNever);
    offset_.assign(items, 0);
    name_keys();
  }

  Verdict run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) override {
    priority_ = priority;
    nodes_left_ = nodes;
    context_ = &context;
    if (!start()) return Verdict::kDoesNotFit;
    Part all{0, instance_.sections, {}};
    all.key = key_of(all);
    const Verdict verdict = solve(all, 0);
    changes_.clear();
    raised_.clear();
    floors_.forget_saved();
    return verdict;
  }

  std::vector<std::int64_t> offsets() const override { return {offset_.begin(), offset_.end()}; }

 private:
  using L = Lanes<Value>;
  using Block = typename L::Type;
  static constexpr Value kNever = NicheMasks<Value>::kNever;  // lowest offset of a placed item
  static constexpr int kDeepest = 8'000;
  static constexpr std::uint32_t kNoItem = 0xFFFFFFFFU;

  /// Sections [first, last) that no waiting item leaves; `key` names their state.
  struct Part {
    std::int32_t first = 0;
    std::int32_t last = 0;
    StateKey key;
  };
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
  struct Piece {
    Part part;
    Value spare = 0;
  };

  /// Equal items share their numbers, so that exchanging them gives the same name.
  void name_keys() {
    Random random(0x5eed);
    const auto draw = [&] {
      return StateKey{random.next() | 1U, random.next() | 1U};
    };
    for (const std::uint32_t twin : tables_.twins) {
      if (twin < waits_key_.size()) {
        waits_key_.push_back(waits_key_[twin]);
        low_key_.push_back(low_key_[twin]);
      } else {
        waits_key_.push_back(draw());
        low_key_.push_back(draw());
      }
    }
    first_key_ = draw();
    last_key_ = draw();
  }

  /// Nothing is placed. False when that alone is above the capacity.
  bool start() {
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

  static std::size_t at(std::int32_t section) { return static_cast<std::size_t>(section); }

  Value up(std::uint32_t item, Value low) const {
    if (instance_.plain) return low;
    return static_cast<Value>(std::min<std::int64_t>(instance_.items[item].grid.up(low), kNever - 1));
  }

  StateKey key_of(const Part& part) const {
    StateKey key = first_key_ * static_cast<std::uint64_t>(part.first);
    key += last_key_ * static_cast<std::uint64_t>(part.last);
    const std::uint32_t end = tables_.first_item[at(part.last)];
    for (std::uint32_t i = tables_.first_item[at(part.first)]; i < end; ++i) {
      if (low_[i] == kNever) continue;
      key += waits_key_[i];
      key += low_key_[i] * static_cast<std::uint64_t>(low_[i]);
    }
    return key;
  }

  /// Counts the waiting items of a section anew. False when they cannot fit any more.
  bool look_at(std::int32_t s) {
    floors_.look_at(s, low_);
    const Value floor = floors_.floor(s);
    return floor == kNever || waiting_[at(s)] <= capacity_ - floor;
  }

  /// From here on changes can be taken back; they touch floors of these sections only.
  void begin_change(std::uint32_t item, std::int32_t first, std::int32_t last) {
    changes_.push_back({item, first, floors_.save(first, last), raised_.size()});
  }

  void take_back(std::size_t changes) {
    while (changes_.size() > changes) {
      const Change& change = changes_.back();
      if (change.item != kNoItem) wait(change.item, true);
      for (; raised_.size() > change.raised; raised_.pop_back()) low_[raised_.back().item] = raised_.back().low;
      floors_.restore(change.first, change.saved);
      changes_.pop_back();
    }
  }

  void set_low(std::uint32_t i, Value low, StateKey& key) {
    raised_.push_back({i, low_[i]});
    key += low_key_[i] * static_cast<std::uint64_t>(static_cast<std::int64_t>(low) - low_[i]);
    low_[i] = low;
  }

  /// Whether place(b) would find this section too full; asked where it failed last, which is mostly where it fails now.
  bool would_overfill(std::uint32_t b, std::int32_t s) {
    if (s < 0 || masks_.empty()) return false;
    const Instance::Item& item = instance_.items[b];
    const bool covers = item.first <= s && s < item.last;
    const Value low = std::exchange(low_[b], kNever);
    const std::int32_t edge = std::clamp(s, item.first, item.last - 1);
    const Value floor = floors_.floor_with_raised(s, edge, static_cast<Value>(low + size_[b]), low_);
    low_[b] = low;
    return floor != kNever && waiting_[at(s)] - (covers ? size_[b] : 0) > capacity_ - floor;
  }

  /// Puts an item where it can lie lowest. False when something that waits no longer fits; take it back either way.
  bool place(std::uint32_t b, Part& part) {
    const Instance::Item& item = instance_.items[b];
    const Value top = static_cast<Value>(low_[b] + size_[b]);
    offset_[b] = low_[b];
    part.key -= waits_key_[b];
    part.key -= low_key_[b] * static_cast<std::uint64_t>(low_[b]);
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
    failed_.prepare(part.key);
    std::int32_t s = item.first;
    while (s < item.last && (floors_.count(s) == 0 || waiting_[at(s)] <= capacity_ - top)) ++s;
    if (s == item.last) s = first_overfull(first, last);
    if (s < last) failed_at_[b] = s;
    return s >= last;
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

  /// The section of a niche with the fewest answers to "what is next?"; -1 when nothing waits.
  std::int32_t choose_section(const Part& part) const {
    // In answers times the capacity: what is spare counts as a part of one answer more.
    using Count = std::conditional_t<sizeof(Value) <= 4, std::int64_t, double>;
    const auto one = static_cast<Count>(capacity_);
    std::int32_t best = -1;
    Count best_count = 0;
    Value left = kNever;  // floor before the stretch
    for (std::int32_t s = part.first; s < part.last;) {
      const Value floor = floors_.floor(s);
      std::int32_t end = s + 1;
      while (end < part.last && floors_.floor(end) == floor) ++end;
      const Value right = end < part.last ? floors_.floor(end) : kNever;
      if (floor < left && floor < right) {
        for (std::int32_t k = s; k < end; ++k) {
          const auto spare = static_cast<Count>(capacity_ - floor - waiting_[at(k)]);
          Count count = static_cast<Count>(floors_.count(k)) * one;
          if (spare > 0) count += one + spare;
          if (best < 0 || count < best_count) {
            best = k;
            best_count = count;
          }
        }
      }
      left = floor;
      s = end;
    }
    return best;
  }

  /// Puts the candidates of a section onto the stack of choices, the most urgent first.
  void gather(std::int32_t s) {
    const std::size_t begin = choices_.size();
    floors_.for_lowest(s, low_, [&](std::uint32_t i) {
      const auto same = [&](std::uint32_t other) {
        return tables_.twins[other] == tables_.twins[i];
      };
      if (std::none_of(choices_.begin() + static_cast<std::ptrdiff_t>(begin), choices_.end(), same)) {
        choices_.push_back(i);
      }
    });
    std::sort(choices_.begin() + static_cast<std::ptrdiff_t>(begin), choices_.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b;
              });
  }

  bool has_hat(std::uint32_t b) const {
    const std::span<const std::uint32_t> overlaps = tables_.overlaps[b];
    return std::any_of(overlaps.begin(), overlaps.end(), [&](std::uint32_t c) { return low_[c] != kNever; });
  }

  Verdict solve(const Part& part, int depth) {
    if (--nodes_left_ < 0 || depth > kDeepest) return Verdict::kOutOfNodes;
    if (++visited % 512 == 0 && context_->should_stop()) return Verdict::kStopped;
    if (failed_.contains(part.key)) return Verdict::kDoesNotFit;
    const std::int32_t s = choose_section(part);
    if (s < 0) return Verdict::kFits;
    const std::size_t begin = choices_.size();
    gather(s);
    const std::size_t end = choices_.size();
    Verdict verdict = Verdict::kDoesNotFit;
    bool closed = false;  // no other choice can help
    for (std::size_t k = begin; k < end && verdict == Verdict::kDoesNotFit && !closed; ++k) {
      verdict = try_item(choices_[k], part, depth, closed);
    }
    choices_.resize(begin);
    const bool may_waste = waiting_[at(s)] < capacity_ - floors_.floor(s);
    if (verdict == Verdict::kDoesNotFit && !closed && may_waste) verdict = try_none(s, part, depth);
    if (verdict == Verdict::kDoesNotFit) failed_.add(part.key);
    return verdict;
  }

  Verdict try_item(std::uint32_t b, const Part& part, int depth, bool& closed) {
    closed = !has_hat(b);
    if (would_overfill(b, failed_at_[b])) {
      ++failures[b];
      return Verdict::kDoesNotFit;
    }
    const std::size_t changes = changes_.size();
    const SectionRange hull = tables_.hulls[b];
    begin_change(b, std::max(part.first, hull.first), std::min(part.last, hull.last));
    Part rest = part;
    Verdict verdict = Verdict::kDoesNotFit;
    if (place(b, rest)) {
      verdict = solve_rest(b, rest, depth);
    } else {
      ++failures[b];
    }
    if (verdict != Verdict::kFits) take_back(changes);
    return verdict;
  }

  /// Nothing that could be next on the section is: all of that lies higher, on something that waits.
  Verdict try_none(std::int32_t s, const Part& part, int depth) {
    const std::size_t begin = lifts_.size();
    const std::size_t changes = changes_.size();
    Part rest = part;
    Verdict verdict = Verdict::kDoesNotFit;
    if (lift_candidates(s, begin) && !lifts_overfill(s, begin)) {
      std::int32_t first = s;
      std::int32_t last = s + 1;
      for (std::size_t k = begin; k < lifts_.size(); ++k) {
        first = std::min(first, instance_.items[lifts_[k].item].first);
        last = std::max(last, instance_.items[lifts_[k].item].last);
      }
      begin_change(kNoItem, first, last);
      for (std::size_t k = begin; k < lifts_.size(); ++k) {
        const Instance::Item& item = instance_.items[lifts_[k].item];
        floors_.leave(item.first, item.last, low_[lifts_[k].item]);
        set_low(lifts_[k].item, lifts_[k].low, rest.key);
      }
      failed_.prepare(rest.key);
      if (first_overfull(first, last) == last) verdict = solve(rest, depth + 1);
      if (verdict != Verdict::kFits) take_back(changes);
    }
    lifts_.resize(begin);
    return verdict;
  }

  /// Whether the section would be too full once its candidates are lifted: most of these failures are there.
  bool lifts_overfill(std::int32_t s, std::size_t begin) const {
    if (masks_.empty()) return false;
    Value floor = floors_.floor_without_lowest(s, low_);
    for (std::size_t k = begin; k < lifts_.size(); ++k) floor = std::min(floor, lifts_[k].low);
    return waiting_[at(s)] > capacity_ - floor;
  }

  /// Puts the candidates of a section with their new lowest offsets onto the stack of lifts. False when one has none.
  bool lift_candidates(std::int32_t s, std::size_t begin) {
    bool free = true;
    floors_.for_lowest(s, low_, [&](std::uint32_t c) {
      free = free && !instance_.items[c].is_fixed();
      lifts_.push_back({c, kNever});
    });
    if (!free) return false;
    lift_onto_others(floors_.floor(s), begin);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = begin; k < lifts_.size(); ++k) {
        for (std::size_t j = begin; j < lifts_.size(); ++j) {
          if (j == k || lifts_[j].low > capacity_) continue;
          const Value low = up(lifts_[k].item, static_cast<Value>(lifts_[j].low + size_[lifts_[j].item]));
          if (low >= lifts_[k].low) continue;
          lifts_[k].low = low;
          changed = true;
        }
      }
    }
    return std::all_of(lifts_.begin() + static_cast<std::ptrdiff_t>(begin), lifts_.end(),
                       [&](const Raised& lift) { return lift.low <= capacity_ - size_[lift.item]; });
  }

  /// The lowest offset of each lift on something that waits and is no candidate itself.
  void lift_onto_others(Value floor, std::size_t begin) {
    for (std::size_t k = begin; k < lifts_.size(); ++k) {
      low_[lifts_[k].item] = kNever;
      waits_[lifts_[k].item] = 0;
    }
    for (std::size_t k = begin; k < lifts_.size(); ++k) {
      const Value low = lowest_top(lifts_[k].item);
      if (low != kNever) lifts_[k].low = up(lifts_[k].item, low);
    }
    for (std::size_t k = begin; k < lifts_.size(); ++k) {
      low_[lifts_[k].item] = floor;
      waits_[lifts_[k].item] = size_[lifts_[k].item];
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

  /// After the placement of b: solves the parts into which time falls.
  Verdict solve_rest(std::uint32_t b, const Part& part, int depth) {
    const Instance::Item& item = instance_.items[b];
    bool splits = false;
    for (std::int32_t s = item.first; s + 1 < item.last; ++s) splits = splits || cuts_[at(s)] == 0;
    if (!splits) return solve(part, depth + 1);

    const std::size_t begin = pieces_.size();
    split(part);
    const std::size_t end = pieces_.size();
    const std::size_t changes = changes_.size();
    Verdict verdict = Verdict::kFits;
    for (std::size_t k = begin; k < end && verdict == Verdict::kFits; ++k) {
      const Part piece = pieces_[k].part;
      verdict = solve(piece, depth + 1);
    }
    if (verdict != Verdict::kFits) take_back(changes);
    pieces_.resize(begin);
    return verdict;
  }

  /// Puts the parts in which something waits onto the stack of pieces, the fullest first.
  void split(const Part& part) {
    const std::size_t begin = pieces_.size();
    Piece piece;
    piece.part.first = part.first;
    piece.spare = kNever;
    for (std::int32_t s = part.first; s < part.last; ++s) {
      const Value floor = floors_.floor(s);
      if (floor != kNever) piece.spare = std::min(piece.spare, static_cast<Value>(capacity_ - floor - waiting_[at(s)]));
      if (s + 1 < part.last && cuts_[at(s)] != 0) continue;
      piece.part.last = s + 1;
      if (piece.spare != kNever) {
        piece.part.key = key_of(piece.part);
        pieces_.push_back(piece);
      }
      piece.part.first = s + 1;
      piece.spare = kNever;
    }
    std::sort(pieces_.begin() + static_cast<std::ptrdiff_t>(begin), pieces_.end(), [](const Piece& x, const Piece& y) {
      return x.spare != y.spare ? x.spare < y.spare : x.part.first < y.part.first;
    });
  }

  const Instance& instance_;
  NicheTables tables_;
  NicheMasks<Value> masks_;
  NicheFloors<Value> floors_;
  std::int64_t capacity_;
  std::span<const double> priority_;
  std::int64_t nodes_left_ = 0;
  const RunContext* context_ = nullptr;

  std::vector<Value> size_;          // by item
  std::vector<Value> low_;           // by item: its lowest offset; kNever when it is placed
  std::vector<Value> waits_;         // by item: its size; 0 when it is placed
  std::vector<Value> offset_;        // by item, where it is placed
  std::vector<StateKey> waits_key_;  // by item
  std::vector<StateKey> low_key_;    // by item
  StateKey first_key_;
  StateKey last_key_;
  std::vector<Value> waiting_;      // by section: the sizes that wait in it
  std::vector<std::int32_t> cuts_;  // by section: the waiting items that cover it and the next one
  FailedStates failed_;
  std::vector<std::int32_t> failed_at_;  // by item: the section that was too full when it failed last; -1 before

  // Stacks of the search.
  std::vector<Change> changes_;
  std::vector<Raised> raised_;
  std::vector<std::uint32_t> choices_;
  std::vector<Raised> lifts_;
  std::vector<Piece> pieces_;
};

}  // namespace

NicheSearch::NicheSearch(const Instance& instance, std::int64_t capacity) {
  if (capacity < std::numeric_limits<std::int16_t>::max() / 2) {
    kernel_ = std::make_unique<NicheKernel<std::int16_t>>(instance, capacity);
  } else if (capacity < std::numeric_limits<std::int32_t>::max() / 2) {
    kernel_ = std::make_unique<NicheKernel<std::int32_t>>(instance, capacity);
  } else {
    kernel_ = std::make_unique<NicheKernel<std::int64_t>>(instance, capacity);
  }
}

NicheSearch::~NicheSearch() = default;
NicheSearch::NicheSearch(NicheSearch&&) noexcept = default;
NicheSearch& NicheSearch::operator=(NicheSearch&&) noexcept = default;

bool NicheSearch::affordable(const Instance& instance, std::int64_t capacity) {
  return instance.items.size() <= kMostItems && capacity < kHighest && overlapping_pairs(instance) <= kMostPairs;
}

Verdict NicheSearch::run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) {
  return kernel_->run(priority, nodes, context);
}

std::vector<std::int64_t> NicheSearch::offsets() const {
  return kernel_->offsets();
}

std::int64_t NicheSearch::nodes() const {
  return kernel_->visited;
}

std::span<const std::int32_t> NicheSearch::failures() const {
  return kernel_->failures;
}

void NicheSearch::forget_half() {
  for (std::int32_t& count : kernel_->failures) count /= 2;
}

}  // namespace stowage
