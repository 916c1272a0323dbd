#include "core/allocators/order_state.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/model/conflicts.h"

namespace stowage {
namespace {

constexpr std::int32_t kFixed = -1;
constexpr std::int32_t kNowhere = -2;
constexpr std::size_t kLanes = 16;  // a smallest number is looked for in so many places at once

/// The largest whole number that is at most the limit.
std::int64_t whole(double limit) {
  constexpr double kEndless = 0x1.0p62;  // beyond any excess
  return static_cast<std::int64_t>(std::min(limit, kEndless));
}

template <typename Key>
Key smallest(const std::vector<Key>& keys) {
  std::array<Key, kLanes> least;
  std::copy_n(keys.begin(), kLanes, least.begin());
  for (std::size_t k = kLanes; k < keys.size(); k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) least[lane] = std::min(least[lane], keys[k + lane]);
  }
  return *std::min_element(least.begin(), least.end());
}

int bits_of(Int128 number) {
  int bits = 0;
  for (; number > 0; number /= 2) ++bits;
  return bits;
}

}  // namespace

OrderState::OrderState(const Problem& problem, std::span<const BufferIndex> order)
    : position_(problem.size(), kNowhere),
      step_(problem.size(), 0),
      met_(problem.size(), 0),
      offset_(problem.size(), 0) {
  for (const BufferIndex i : order) {
    if (problem[i].takes_memory() && !problem[i].is_fixed()) order_.push_back(i);
  }
  sequence_.resize(order_.size());
  fits_ = choose_unit(problem);
  if (!fits_) return;
  link_conflicts(problem);
  find_first_floors();
  take(std::vector<BufferIndex>(order_));
}

/// Divides everything by what divides everything: small numbers are compared several at once.
bool OrderState::choose_unit(const Problem& problem) {
  const bool stacked = !problem.has_gaps() && !problem.has_fixed();
  std::int64_t unit = 0;
  Int128 top = 0;  // nothing can come above it
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!problem[i].takes_memory()) continue;
    const Grid grid = problem.grid(i);
    unit = std::gcd(unit, problem[i].size);
    if (grid.step > 1) unit = std::gcd(std::gcd(unit, grid.step), grid.phase);
    top += Int128{problem[i].size} + grid.step;
    if (problem[i].is_fixed()) {
      position_[i] = kFixed;
      top += problem[i].fixed;
    }
  }
  unit_ = stacked && unit > 0 ? unit : 1;
  position_bits_ = bits_of(static_cast<Int128>(problem.size()));
  const int bits = bits_of(top / unit_) + position_bits_;
  narrow_ = bits < 31;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Grid grid = problem.grid(i);
    grid_.push_back(grid.step > 1 ? Grid{std::max<std::int64_t>(1, grid.step / unit_), grid.phase / unit_} : grid);
    height_.push_back(problem[i].size / unit_);
    if (position_[i] == kFixed) offset_[i] = problem[i].fixed / unit_;
    if (problem[i].takes_memory()) aligned_ = aligned_ || grid_.back().step > 1;
  }
  return bits < 62;
}

void OrderState::link_conflicts(const Problem& problem) {
  const std::vector<std::vector<Overlap>> overlaps = all_overlaps(problem);
  const bool stacked = !problem.has_gaps() && !problem.has_fixed();
  const auto needs_below = [&](BufferIndex lower, BufferIndex upper) {
    const std::vector<Overlap>& list = overlaps[lower];
    return std::lower_bound(list.begin(), list.end(), upper,
                            [](const Overlap& overlap, BufferIndex b) { return overlap.other < b; })
        ->effective_size;
  };
  links_begin_.push_back(0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    for (const Overlap& overlap : overlaps[i]) {
      links_.push_back(overlap.other);
      if (!stacked) reaches_.push_back({overlap.effective_size, needs_below(overlap.other, i)});
    }
    links_begin_.push_back(links_.size());
  }
}

/// The lowest place from `at` on that meets nothing placed.
std::int64_t OrderState::above_all(BufferIndex i, std::int64_t at, const auto& is_placed) const {
  at = grid_[i].up(at);
  for (bool met = true; met;) {
    met = false;
    for (std::size_t k = links_begin_[i]; k < links_begin_[i + 1]; ++k) {
      const BufferIndex other = links_[k];
      if (!is_placed(other)) continue;
      if (at <= offset_[other] - reaches_[k].below || at >= offset_[other] + reaches_[k].above) continue;
      at = grid_[i].up(offset_[other] + reaches_[k].above);
      met = true;
    }
  }
  return at;
}

void OrderState::find_first_floors() {
  for (BufferIndex i = 0; i < position_.size(); ++i) {
    first_floor_.push_back(reaches_.empty() ? grid_[i].up(0) : above_all(i, 0, [&](BufferIndex other) {
      return position_[other] == kFixed;
    }));
    if (position_[i] == kFixed) highest_fixed_ = std::max(highest_fixed_, offset_[i] + height_[i]);
  }
}

void OrderState::take(std::span<const BufferIndex> order) {
  order_.assign(order.begin(), order.end());
  for (std::size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<std::int32_t>(k);
  place_from(0, whole(std::numeric_limits<double>::infinity()));
}

void OrderState::aim_at(std::int64_t target) {
  target_ = target / unit_;
  count_excess();
}

void OrderState::count_excess() {
  excess_ = 0;
  for (const BufferIndex i : order_) excess_ += std::max<std::int64_t>(0, offset_[i] + height_[i] - target_);
}

bool OrderState::rests_on(BufferIndex i, std::size_t k) const {
  const BufferIndex other = conflicts(i)[k];
  const std::int64_t above = reaches_.empty() ? height_[other] : reaches_[links_begin_[i] + k].above;
  return offset_[other] + above <= offset_[i] && grid_[i].up(offset_[other] + above) == offset_[i];
}

bool OrderState::place_from(std::size_t step, std::int64_t most) {
  return narrow_ ? place_by(narrow_keys_, step, most) : place_by(wide_keys_, step, most);
}

/// Places what comes at this step of the sequence and later. False as soon as the excess passes `most`: then the end of
/// the sequence is of no use.
template <typename Key>
bool OrderState::place_by(std::vector<Key>& keys, std::size_t step, std::int64_t most) {
  constexpr Key kPlaced = std::numeric_limits<Key>::max();
  keys.assign((position_.size() + kLanes - 1) / kLanes * kLanes, kPlaced);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    keys[order_[k]] = static_cast<Key>((first_floor_[order_[k]] << position_bits_) | static_cast<std::int64_t>(k));
  }
  std::int64_t excess = 0;
  std::int64_t highest = highest_fixed_;
  const auto settle = [&](BufferIndex i) {
    keys[i] = kPlaced;
    const std::int64_t end = offset_[i] + height_[i];
    highest = std::max(highest, end);
    excess += std::max<std::int64_t>(0, end - target_);
    raise_those_above(i, keys);
  };
  for (std::size_t k = 0; k < step; ++k) settle(sequence_[k]);
  const std::int64_t position_mask = (std::int64_t{1} << position_bits_) - 1;
  for (std::size_t k = step; k < sequence_.size(); ++k) {
    const std::int64_t key = smallest(keys);
    const BufferIndex next = order_[static_cast<std::size_t>(key & position_mask)];
    offset_[next] = key >> position_bits_;
    sequence_[k] = next;
    step_[next] = k;
    settle(next);
    if (excess > most) return false;
  }
  excess_ = excess;
  highest_ = highest;
  return true;
}

template <typename Key>
void OrderState::raise_those_above(BufferIndex placed, std::vector<Key>& keys) const {
  constexpr Key kPlaced = std::numeric_limits<Key>::max();
  const std::size_t first = links_begin_[placed];
  const std::size_t last = links_begin_[placed + 1];
  const std::int64_t top = offset_[placed] + height_[placed];
  const auto key_of = [&](BufferIndex i, std::int64_t floor) {
    return static_cast<Key>((floor << position_bits_) | position_[i]);
  };
  if (reaches_.empty() && !aligned_) {
    // What is placed has the largest key already and keeps it.
    const auto base = static_cast<Key>(top << position_bits_);
    for (std::size_t k = first; k < last; ++k) {
      const BufferIndex other = links_[k];
      keys[other] = std::max(keys[other], static_cast<Key>(base + position_[other]));
    }
    return;
  }
  for (std::size_t k = first; k < last; ++k) {
    const BufferIndex other = links_[k];
    if (keys[other] == kPlaced) continue;
    const std::int64_t floor = keys[other] >> position_bits_;
    if (reaches_.empty()) {
      if (floor < top) keys[other] = key_of(other, grid_[other].up(top));
      continue;
    }
    // Seen from the buffer just placed: the other may not begin in (offset - above, offset + below).
    if (floor <= offset_[placed] - reaches_[k].above || floor >= offset_[placed] + reaches_[k].below) continue;
    keys[other] = key_of(other, above_all(other, offset_[placed] + reaches_[k].below,
                                          [&](BufferIndex i) { return keys[i] == kPlaced; }));
  }
}

/// The step of the sequence at which the move leads to another buffer; the end when it never does.
std::size_t OrderState::first_difference(OrderMove move) {
  if (!reaches_.empty()) return 0;
  const BufferIndex moved = order_[move.from];
  const std::size_t step = step_[moved];
  if (move.to > move.from) {
    // One that it let pass had the same floor.
    for (std::size_t k = step + 1; k < sequence_.size(); ++k) {
      const BufferIndex other = sequence_[k];
      const std::size_t at = position(other);
      if (at > move.from && at <= move.to && floor_before(other, step) == offset_[moved]) return step;
    }
    return sequence_.size();
  }
  // Its floor rose until its turn came: one that was placed from the same floor is one that it now passes.
  for (const BufferIndex other : conflicts(moved)) met_[other] = 1;
  std::size_t found = sequence_.size();
  std::int64_t floor = first_floor_[moved];
  for (std::size_t k = 0; k < step; ++k) {
    const BufferIndex other = sequence_[k];
    const std::size_t at = position(other);
    if (offset_[other] == floor && at >= move.to && at < move.from) {
      found = k;
      break;
    }
    const std::int64_t top = offset_[other] + height_[other];
    if (met_[other] != 0 && top > floor) floor = grid_[moved].up(top);
  }
  for (const BufferIndex other : conflicts(moved)) met_[other] = 0;
  return found;
}

/// The floor that a buffer had when that step of the sequence came.
std::int64_t OrderState::floor_before(BufferIndex i, std::size_t step) const {
  std::int64_t floor = 0;
  for (const BufferIndex other : conflicts(i)) {
    if (step_[other] < step) floor = std::max(floor, offset_[other] + height_[other]);
  }
  return std::max(first_floor_[i], grid_[i].up(floor));
}

void OrderState::rotate(OrderMove move) {
  const BufferIndex moved = order_[move.from];
  const auto put = [&](std::size_t at, BufferIndex i) {
    order_[at] = i;
    position_[i] = static_cast<std::int32_t>(at);
  };
  for (std::size_t k = move.from; k > move.to; --k) put(k, order_[k - 1]);
  for (std::size_t k = move.from; k < move.to; ++k) put(k, order_[k + 1]);
  put(move.to, moved);
}

bool OrderState::move(OrderMove move, double limit) {
  const std::size_t step = first_difference(move);
  last_move_ = move;
  highest_before_ = highest_;
  before_.clear();
  for (std::size_t k = step; k < sequence_.size(); ++k) before_.push_back({sequence_[k], offset_[sequence_[k]]});
  rotate(move);
  const std::int64_t most = whole(limit);
  const bool made = step == sequence_.size() ? excess_ <= most : place_from(step, most);
  if (!made) undo();
  return made;
}

void OrderState::undo() {
  rotate({last_move_.to, last_move_.from});
  const std::size_t step = sequence_.size() - before_.size();
  for (std::size_t k = 0; k < before_.size(); ++k) {
    sequence_[step + k] = before_[k].buffer;
    step_[before_[k].buffer] = step + k;
    offset_[before_[k].buffer] = before_[k].offset;
  }
  highest_ = highest_before_;
  count_excess();  // the target can have changed
}

}  // namespace stowage
