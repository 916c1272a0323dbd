#include "core/search/replan_space.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/search/capacity_question.h"
#include "core/search/core_first.h"
#include "core/search/window_repair.h"

namespace stowage {
namespace {

constexpr std::size_t kMostSpots = 400;  // looked at
constexpr std::size_t kMostTried = 24;   // of them
constexpr std::uint32_t kMostEjected = 12;
/// A stretch of sections with this share of the capacity is full; so far from the buffer it is looked for.
constexpr double kFull = 0.93;
constexpr std::int32_t kFarthest = 400;
/// Windows get so many fifths of the looks before the core is tried.
constexpr std::int64_t kWindowShare = 3;

/// The whole space as one instance, in bytes; sections are those of the problem.
Instance whole_space(const Problem& problem, std::uint16_t space, std::span<const BufferIndex> members) {
  const std::int32_t origin = problem.sections().first_of_space(space);
  Instance instance;
  instance.sections = problem.sections().first_of_space(space + std::size_t{1}) - origin;
  instance.loads.reserve(static_cast<std::size_t>(instance.sections));
  for (std::int32_t s = 0; s < instance.sections; ++s) {
    instance.loads.push_back(problem.sections()[static_cast<std::size_t>(origin + s)].load);
  }
  // Sorted by first section, by counting.
  std::vector<std::uint32_t> next(static_cast<std::size_t>(instance.sections) + 1, 0);
  for (const BufferIndex i : members) ++next[static_cast<std::size_t>(problem.sections().range(i).first - origin) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  instance.items.resize(members.size());
  for (const BufferIndex i : members) {
    const SectionRange range = problem.sections().range(i);
    Instance::Item& item = instance.items[next[static_cast<std::size_t>(range.first - origin)]++];
    item.first = range.first - origin;
    item.last = range.last - origin;
    item.size = problem[i].size;
    item.grid = problem.grid(i);
    item.fixed = problem[i].fixed;
    item.buffer = i;
    instance.plain = instance.plain && item.grid.step == 1 && !item.is_fixed();
  }
  return instance;
}

}  // namespace

ReplanSpace::ReplanSpace(const Problem& problem, std::uint16_t space, std::span<const BufferIndex> members,
                         std::span<const std::int64_t> before, const std::vector<bool>& homeless)
    : instance_(whole_space(problem, space, members)),
      fit_(instance_, HardFit::Index::kTime),
      bound_(instance_.bound()) {
  before_.reserve(members.size());
  for (std::uint32_t i = 0; i < instance_.items.size(); ++i) {
    const BufferIndex buffer = instance_.items[i].buffer;
    before_.push_back(before[buffer]);
    if (fit_.is_placed(i)) continue;  // a pin
    if (homeless[buffer]) {
      homeless_.push_back(i);
    } else {
      fit_.put(i, before[buffer]);
    }
  }
}

void ReplanSpace::write(std::vector<std::int64_t>& offsets) const {
  for (std::uint32_t i = 0; i < instance_.items.size(); ++i) offsets[instance_.items[i].buffer] = fit_.offsets()[i];
}

std::int64_t ReplanSpace::makespan() const {
  std::int64_t highest = 0;
  for (std::uint32_t i = 0; i < instance_.items.size(); ++i) {
    if (fit_.is_placed(i)) highest = std::max(highest, fit_.offsets()[i] + instance_.items[i].size);
  }
  return highest;
}

std::optional<ReplanTier> ReplanSpace::run(const ReplanLimits& limits, const RunContext& context) {
  if (!clear_pins()) return std::nullopt;
  std::stable_sort(homeless_.begin(), homeless_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return instance_.items[a].size > instance_.items[b].size; });
  const std::int64_t capacity = std::max(bound_, makespan());
  looks_left_ = limits.looks;
  nodes_left_ = limits.nodes;
  std::erase_if(homeless_, [&](std::uint32_t i) { return stay(i, capacity); });
  ReplanTier needed = ReplanTier::kStay;
  for (const std::uint32_t i : homeless_) {
    if (fit_.is_placed(i)) continue;  // by a window around another one
    needed = std::max(needed, settle(i, capacity, context));
    if (!fit_.is_placed(i)) return std::nullopt;
  }
  lower(context);
  return needed;
}

/// Places an item as cheaply as can be; it has no place when that would end above 2^63-1.
ReplanTier ReplanSpace::settle(std::uint32_t i, std::int64_t capacity, const RunContext& context) {
  if (fit(i, capacity)) return ReplanTier::kFit;
  if (eject(i, capacity)) return ReplanTier::kEject;
  if (window(i, capacity, looks_left_ * kWindowShare / 5, context)) return ReplanTier::kWindow;
  if (core(i, capacity, nodes_left_, context)) return ReplanTier::kCore;
  if (window(i, capacity, looks_left_, context)) return ReplanTier::kWindow;
  relax(i, capacity);
  return ReplanTier::kRelax;
}

/// Pulls down what sticks out above the bound, the highest first, by cheap means and what is left of the effort.
void ReplanSpace::lower(const RunContext& context) {
  constexpr int kMost = 32;
  for (int k = 0; k < kMost; ++k) {
    std::uint32_t highest = 0;
    std::int64_t end = 0;
    for (std::uint32_t i = 0; i < instance_.items.size(); ++i) {
      const std::int64_t top = fit_.offsets()[i] + instance_.items[i].size;
      if (top <= end) continue;
      end = top;
      highest = i;
    }
    if (end <= bound_ || instance_.items[highest].is_fixed()) return;
    const std::int64_t offset = fit_.offsets()[highest];
    fit_.remove(highest);
    if (fit(highest, bound_) || eject(highest, bound_) || core(highest, bound_, nodes_left_, context)) continue;
    if (window(highest, bound_, looks_left_, context)) continue;
    if (fit(highest, end - 1) || eject(highest, end - 1)) continue;
    fit_.put(highest, offset);
    return;
  }
}

/// What collides with a pin looks for a place as well. False when two pins collide.
bool ReplanSpace::clear_pins() {
  if (instance_.plain) return true;
  for (std::uint32_t i = 0; i < instance_.items.size(); ++i) {
    const Instance::Item& pin = instance_.items[i];
    if (!pin.is_fixed()) continue;
    fit_.meeting(i, met_);
    for (const std::uint32_t other : met_) {
      const std::int64_t offset = fit_.offsets()[other];
      if (other == i || offset >= pin.fixed + pin.size || offset + instance_.items[other].size <= pin.fixed) continue;
      if (instance_.items[other].is_fixed()) return false;
      fit_.remove(other);
      homeless_.push_back(other);
    }
  }
  return true;
}

bool ReplanSpace::stay(std::uint32_t i, std::int64_t capacity) {
  const Instance::Item& item = instance_.items[i];
  const std::int64_t offset = before_[i];
  if (offset == kNoOffset || offset < 0 || offset > capacity - item.size || !item.grid.holds(offset)) return false;
  fit_.meeting(i, met_);
  for (const std::uint32_t other : met_) {
    const std::int64_t below = fit_.offsets()[other];
    if (below < offset + item.size && offset < below + instance_.items[other].size) return false;
  }
  fit_.put(i, offset);
  return true;
}

bool ReplanSpace::fit(std::uint32_t i, std::int64_t capacity) {
  return fit_.place(i, capacity, HardFit::Rule::kBest);
}

bool ReplanSpace::eject(std::uint32_t i, std::int64_t capacity) {
  fit_.meeting(i, met_);
  std::vector<Spot> found = spots(i, capacity);
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
std::vector<ReplanSpace::Spot> ReplanSpace::spots(std::uint32_t i, std::int64_t capacity) const {
  const Instance::Item& item = instance_.items[i];
  const std::int64_t highest = capacity - item.size;
  std::vector<std::int64_t> offsets = {0, highest, before_[i]};
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
bool ReplanSpace::take_spot(std::uint32_t i, std::int64_t offset, std::int64_t capacity) {
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

bool ReplanSpace::place_by_size(std::vector<std::uint32_t> items, std::int64_t capacity) {
  std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t size_a = instance_.items[a].size;
    const std::int64_t size_b = instance_.items[b].size;
    return size_a != size_b ? size_a > size_b : a < b;
  });
  return std::all_of(items.begin(), items.end(), [&](std::uint32_t i) { return fit(i, capacity); });
}

/// Everything where it was at that moment.
void ReplanSpace::restore(std::vector<std::int64_t> offsets) {
  for (std::uint32_t i = 0; i < offsets.size(); ++i) {
    if (fit_.is_placed(i) && fit_.offsets()[i] != offsets[i]) fit_.remove(i);
  }
  for (std::uint32_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] != kNoOffset && !fit_.is_placed(i)) fit_.put(i, offsets[i]);
  }
}

bool ReplanSpace::window(std::uint32_t i, std::int64_t capacity, std::int64_t looks, const RunContext& context) {
  if (looks <= 0 || context.should_stop()) return false;
  std::vector<std::int64_t> was = fit_.offsets();
  std::vector<std::uint32_t> ranks(was.size());
  const double scale = 1e9 / static_cast<double>(std::max<std::int64_t>(capacity, 1));
  for (std::size_t k = 0; k < was.size(); ++k) {
    ranks[k] = was[k] == kNoOffset ? 0 : static_cast<std::uint32_t>(std::min(4e9, scale * static_cast<double>(was[k])));
  }
  WindowRepair repair(instance_, fit_, capacity, std::move(ranks), {i}, std::vector<bool>(was.size(), false),
                      context.seed + instance_.items[i].buffer);
  const std::int64_t before = fit_.looks();
  const bool done = repair.go_on(looks, context);
  looks_left_ -= fit_.looks() - before;
  if (!done) restore(std::move(was));
  return done;
}

/// The sections around an item that are full, and its own.
SectionRange ReplanSpace::full_stretch(std::uint32_t i, std::int64_t capacity) const {
  const double full = kFull * static_cast<double>(capacity);
  const auto is_full = [&](std::int32_t s) {
    return static_cast<double>(instance_.loads[static_cast<std::size_t>(s)]) >= full;
  };
  SectionRange stretch{instance_.items[i].first, instance_.items[i].last};
  const std::int32_t least = std::max(0, stretch.first - kFarthest);
  const std::int32_t most = std::min(instance_.sections, stretch.last + kFarthest);
  while (stretch.first > least && is_full(stretch.first - 1)) --stretch.first;
  while (stretch.last < most && is_full(stretch.last)) ++stretch.last;
  return stretch;
}

bool ReplanSpace::core(std::uint32_t i, std::int64_t capacity, std::int64_t nodes, const RunContext& context) {
  if (nodes <= 0 || context.should_stop()) return false;
  const SectionRange stretch = full_stretch(i, capacity);
  std::vector<std::uint32_t> items;
  for (std::uint32_t k = 0; k < fit_.first_item(stretch.last); ++k) {
    if (instance_.items[k].last > stretch.first) items.push_back(k);
  }
  const Instance whole = clipped(instance_, stretch, items);
  const Instance part = make_instance(whole.items, whole.sections);
  if (!NicheSearch::affordable(part, capacity / part.unit)) return false;
  CapacityQuestion question(part, capacity / part.unit, context.seed);
  const Verdict verdict = question.go_on(nodes, context);
  nodes_left_ -= question.nodes();
  if (verdict != Verdict::kFits) return false;

  std::vector<std::int64_t> was = fit_.offsets();
  for (const std::uint32_t k : items) {
    if (fit_.is_placed(k)) fit_.remove(k);
  }
  const std::vector<std::int64_t> offsets = question.offsets();
  std::vector<std::uint32_t> displaced;
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const std::uint32_t item = part.items[k].buffer;
    const std::int64_t offset = offsets[k] * part.unit;
    fit_.meeting(item, met_);
    for (const std::uint32_t other : met_) {
      const std::int64_t below = fit_.offsets()[other];
      if (below >= offset + instance_.items[item].size || below + instance_.items[other].size <= offset) continue;
      if (instance_.items[other].is_fixed()) {
        restore(std::move(was));
        return false;
      }
      fit_.remove(other);
      displaced.push_back(other);
    }
    fit_.put(item, offset);
  }
  if (place_by_size(std::move(displaced), capacity)) return true;
  restore(std::move(was));
  return false;
}

void ReplanSpace::relax(std::uint32_t i, std::int64_t capacity) {
  constexpr std::array<std::int64_t, 9> kSteps = {5, 10, 20, 50, 100, 200, 400, 800, 1'200};  // of 10,000
  for (const std::int64_t step : kSteps) {
    const std::optional<std::int64_t> higher = checked_add(capacity, capacity / 10'000 * step);
    if (!higher) break;
    if (stay(i, *higher) || fit(i, *higher) || eject(i, *higher)) return;
  }
  fit_.place(i, kMaxInt64, HardFit::Rule::kFirst);
}

}  // namespace stowage
