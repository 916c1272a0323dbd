#include "core/search/replan_space.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/random.h"
#include "core/search/ejection.h"
#include "core/search/large_fit.h"

namespace stowage {
namespace {

/// A wide neighbourhood reaches its length further on both sides; for all there is whole_plan.h.
enum class Reach { kNear, kWide, kAll };

/// What is at least this share full in the neighbourhood is solved exactly.
struct Try {
  Reach reach;
  double core;
};
constexpr std::array<Try, 4> kAtBound = {
    {{Reach::kNear, 0.93}, {Reach::kAll, 0}, {Reach::kNear, 0.75}, {Reach::kWide, 0.75}}};
// What sticks into a narrow one would be in the way.
constexpr std::array<Try, 2> kAbove = {{{Reach::kWide, 0.75}, {Reach::kWide, 0.93}}};
constexpr std::int64_t kRepairLooks = 1'000;
/// More than so many at once are too much for that.
constexpr std::size_t kMostAround = 8;

/// By its own length on both sides, as far as time goes.
TimeSpan widened(TimeSpan time) {
  const std::int64_t length = checked_sub(time.end, time.start).value_or(kMaxInt64);
  return {checked_sub(time.start, length).value_or(kMinInt64), checked_add(time.end, length).value_or(kMaxInt64)};
}

}  // namespace

void ReplanSpace::take(const Neighbourhood& around) {
  for (std::uint32_t i = 0; i < around.instance.items.size(); ++i) {
    if (around.fit.is_placed(i)) space_.put(around.instance.items[i].buffer, around.fit.offsets()[i]);
  }
}

/// Other edits, other luck: what failed after the last one is not tried again in the same way.
std::uint64_t ReplanSpace::luck_of(const std::vector<Homeless>& homeless, std::uint64_t seed) const {
  for (const Homeless& one : homeless) {
    const LiveBuffer& b = space_[one.buffer];
    for (const std::int64_t told : {std::int64_t{one.buffer}, b.size, b.life.start, b.life.end}) {
      seed = Random(seed ^ static_cast<std::uint64_t>(told)).next();
    }
  }
  return seed;
}

TimeSpan ReplanSpace::hull(const std::vector<Homeless>& homeless) const {
  TimeSpan all = space_[homeless.front().buffer].life;
  for (const Homeless& one : homeless) all = all.joined(space_[one.buffer].life);
  return all;
}

std::optional<ReplanTier> ReplanSpace::run(std::vector<Homeless> homeless, const RunContext& context) {
  std::stable_sort(homeless.begin(), homeless.end(),
                   [&](const Homeless& a, const Homeless& b) { return space_[a.buffer].size > space_[b.buffer].size; });
  luck_ = luck_of(homeless, context.seed);
  const std::int64_t capacity = space_.makespan();
  std::erase_if(homeless, [&](const Homeless& one) { return stay(one, capacity); });
  std::erase_if(homeless, [&](const Homeless& one) { return fit(one, capacity); });
  if (!homeless.empty()) eject(homeless, capacity);
  if (homeless.size() <= kMostAround) {
    std::erase_if(homeless, [&](const Homeless& one) {
      return space_[one.buffer].offset != kNoOffset || plan_around(one.buffer, space_.bound(), context);
    });
    std::erase_if(homeless, [&](const Homeless& one) { return space_[one.buffer].offset != kNoOffset; });
  }
  if (!homeless.empty() && !relax(homeless, capacity)) return std::nullopt;
  lower(context);
  return needed_;
}

bool ReplanSpace::stay(const Homeless& one, std::int64_t capacity) {
  const LiveBuffer& b = space_[one.buffer];
  if (one.wish < 0 || one.wish > capacity - b.size || !b.grid.holds(one.wish)) return false;
  if (!space_.is_free(one.buffer, one.wish)) return false;
  space_.put(one.buffer, one.wish);
  return true;
}

bool ReplanSpace::fit(const Homeless& one, std::int64_t capacity) {
  const std::optional<std::int64_t> offset = space_.tightest(one.buffer, capacity);
  if (!offset) return false;
  space_.put(one.buffer, *offset);
  needed_ = std::max(needed_, ReplanTier::kFit);
  return true;
}

void ReplanSpace::eject(std::vector<Homeless>& homeless, std::int64_t capacity) {
  Neighbourhood around(space_, reach(space_, hull(homeless)));
  Ejection moves(around.instance, around.fit);
  std::erase_if(homeless, [&](const Homeless& one) {
    if (!moves.eject(around.waiting.at(one.buffer), one.wish, capacity)) return false;
    needed_ = std::max(needed_, ReplanTier::kEject);
    return true;
  });
  take(around);
}

/// Higher than the others, but only as much as must be. False when a place would end above 2^63-1.
bool ReplanSpace::relax(const std::vector<Homeless>& homeless, std::int64_t capacity) {
  constexpr std::array<std::int64_t, 9> kSteps = {5, 10, 20, 50, 100, 200, 400, 800, 1'200};  // of 10,000
  needed_ = ReplanTier::kRelax;
  Neighbourhood around(space_, reach(space_, hull(homeless)));
  Ejection moves(around.instance, around.fit);
  for (const Homeless& one : homeless) {
    const std::uint32_t i = around.waiting.at(one.buffer);
    const bool placed = std::any_of(kSteps.begin(), kSteps.end(), [&](std::int64_t step) {
      const std::optional<std::int64_t> higher = checked_add(capacity, capacity / 10'000 * step);
      if (!higher) return false;
      return moves.stay(i, one.wish, *higher) || moves.fit(i, *higher) || moves.eject(i, one.wish, *higher);
    });
    if (!placed && !around.fit.place(i, kMaxInt64, HardFit::Rule::kFirst)) return false;
  }
  take(around);
  return true;
}

/// Pulls down what sticks out above the bound, the highest first; where that does not succeed, at least some of the
/// way.
void ReplanSpace::lower(const RunContext& context) {
  constexpr int kMost = 32;
  constexpr int kGoals = 4;
  std::int64_t goal = space_.bound();
  int raised = 0;
  for (int k = 0; k < kMost; ++k) {
    const std::int64_t height = space_.makespan();
    if (height <= goal || looks_left_ <= 0 || context.should_stop()) return;
    const BufferIndex i = space_.highest();
    if (lower_cheaply(i, goal) || plan_around(i, goal, context)) continue;
    if (whole_ && whole_->height < space_.makespan()) take_whole();
    const std::int64_t more = (space_.makespan() - goal) / 3;
    if (more == 0 || ++raised == kGoals) return;
    goal += more;
  }
}

bool ReplanSpace::lower_cheaply(BufferIndex buffer, std::int64_t capacity) {
  Neighbourhood around(space_, reach(space_, space_[buffer].life), buffer);
  Ejection moves(around.instance, around.fit);
  looks_left_ -= static_cast<std::int64_t>(around.instance.items.size());
  const std::uint32_t i = around.waiting.at(buffer);
  if (!moves.fit(i, capacity) && !moves.eject(i, kNoOffset, capacity)) return false;
  take(around);
  return true;
}

/// Plans what lives around a buffer anew, less and less of it greedily.
bool ReplanSpace::plan_around(BufferIndex buffer, std::int64_t capacity, const RunContext& context) {
  const TimeSpan near = reach(space_, space_[buffer].life);
  const std::int64_t stop_at = looks_left_ / 4;  // for what else sticks out
  const bool at_bound = capacity == space_.bound();
  for (const Try& next : at_bound ? std::span<const Try>(kAtBound) : std::span<const Try>(kAbove)) {
    if (next.reach == Reach::kAll) {
      if (plan_all(capacity, context)) return true;
      continue;
    }
    Instance bytes = living_in(space_, next.reach == Reach::kWide ? widened(near) : near);
    const auto count = static_cast<std::int64_t>(bytes.items.size());
    if (looks_left_ - count <= stop_at || context.should_stop()) return false;
    const Instance instance = make_instance(std::move(bytes.items), bytes.sections);
    LargeFit greedy(instance, context.seed);
    const bool fits = greedy.attempt({"TW", HardFit::Rule::kFirst, next.core, 0, nodes_}, capacity / instance.unit,
                                     kRepairLooks, context);
    looks_left_ -= greedy.looks() + count;
    if (!fits) continue;
    const std::vector<std::int64_t> offsets = *greedy.complete();
    for (std::size_t k = 0; k < offsets.size(); ++k) space_.put(instance.items[k].buffer, offsets[k] * instance.unit);
    needed_ = std::max(needed_, ReplanTier::kAnew);
    return true;
  }
  return false;
}

/// Once for an edit: it would come to the same again.
bool ReplanSpace::plan_all(std::int64_t capacity, const RunContext& context) {
  if (std::exchange(tried_all_, true)) return false;
  whole_ = plan_whole(space_, capacity, luck_, context);
  if (!whole_ || whole_->height > capacity) return false;
  take_whole();
  return true;
}

void ReplanSpace::take_whole() {
  for (const auto& [buffer, offset] : whole_->offsets) space_.put(buffer, offset);
  needed_ = std::max(needed_, ReplanTier::kAnew);
}

}  // namespace stowage
