#include "core/search/replan_space.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/search/ejection.h"
#include "core/search/large_fit.h"
#include "core/search/neighbourhood.h"

namespace stowage {
namespace {

/// A neighbourhood reaches so many times its length further on both sides; what is at least this share full in it is
/// solved exactly.
struct Try {
  std::int32_t margin;
  double core;
};
constexpr std::array<Try, 3> kAtBound = {{{0, 0.93}, {0, 0.75}, {1, 0.75}}};
constexpr std::array<Try, 2> kAbove = {{{1, 0.75}, {1, 0.93}}};  // what sticks into a narrow one would be in the way
constexpr std::int64_t kRepairLooks = 1'000;
/// More than so many at once are too much for that.
constexpr std::size_t kMostAround = 8;

SectionRange joined(SectionRange a, SectionRange b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

}  // namespace

ReplanSpace::ReplanSpace(const Problem& problem, std::uint16_t space, std::int64_t bound, std::vector<BufferIndex> high,
                         std::vector<std::int64_t>& offsets)
    : problem_(problem), space_(space), bound_(bound), high_(std::move(high)), offsets_(offsets) {}

std::int64_t ReplanSpace::makespan() const {
  std::int64_t highest = bound_;
  for (const BufferIndex i : high_) highest = std::max(highest, offsets_[i] + problem_[i].size);
  return highest;
}

/// The highest one above the bound; none when there is none.
BufferIndex ReplanSpace::highest() {
  std::erase_if(high_, [&](BufferIndex i) { return offsets_[i] + problem_[i].size <= bound_; });
  BufferIndex found = kNoBuffer;
  for (const BufferIndex i : high_) {
    if (found == kNoBuffer || offsets_[i] + problem_[i].size > offsets_[found] + problem_[found].size) found = i;
  }
  return found;
}

void ReplanSpace::put(BufferIndex i, std::int64_t offset) {
  if (offsets_[i] == offset) return;
  offsets_[i] = offset;
  if (offset + problem_[i].size > bound_) high_.push_back(i);
}

void ReplanSpace::take(const Neighbourhood& around) {
  for (std::uint32_t i = 0; i < around.instance.items.size(); ++i) {
    if (around.fit.is_placed(i)) put(around.instance.items[i].buffer, around.fit.offsets()[i]);
  }
}

SectionRange ReplanSpace::hull(std::span<const BufferIndex> buffers) const {
  SectionRange hull = problem_.sections().range(buffers.front());
  for (const BufferIndex i : buffers) hull = joined(hull, problem_.sections().range(i));
  return hull;
}

std::optional<ReplanTier> ReplanSpace::run(std::vector<BufferIndex> homeless, std::span<const std::int64_t> before,
                                           const ReplanLimits& limits, const RunContext& context) {
  looks_left_ = limits.looks;
  nodes_ = limits.nodes;
  std::stable_sort(homeless.begin(), homeless.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem_[a].size > problem_[b].size; });
  const std::int64_t capacity = makespan();
  if (!homeless.empty()) find_gaps(homeless, before, capacity);
  if (!homeless.empty()) eject(homeless, before, capacity);
  if (homeless.size() <= kMostAround) {
    for (const BufferIndex i : homeless) {
      if (offsets_[i] == kNoOffset) plan_around(i, bound_, context);
    }
    std::erase_if(homeless, [&](BufferIndex i) { return offsets_[i] != kNoOffset; });
  }
  if (!homeless.empty() && !relax(homeless, before, capacity)) return std::nullopt;
  lower(context);
  return needed_;
}

void ReplanSpace::find_gaps(std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before,
                            std::int64_t capacity) {
  Neighbourhood around(problem_, hull(homeless), offsets_);
  Ejection moves(around.instance, around.fit);
  std::erase_if(homeless, [&](BufferIndex i) { return moves.stay(around.waiting.at(i), before[i], capacity); });
  std::erase_if(homeless, [&](BufferIndex i) {
    if (!moves.fit(around.waiting.at(i), capacity)) return false;
    needed_ = std::max(needed_, ReplanTier::kFit);
    return true;
  });
  take(around);
}

void ReplanSpace::eject(std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before,
                        std::int64_t capacity) {
  Neighbourhood around(problem_, reach(problem_, hull(homeless)), offsets_);
  Ejection moves(around.instance, around.fit);
  std::erase_if(homeless, [&](BufferIndex i) {
    if (!moves.eject(around.waiting.at(i), before[i], capacity)) return false;
    needed_ = std::max(needed_, ReplanTier::kEject);
    return true;
  });
  take(around);
}

/// Higher than the others, but only as much as must be. False when a place would end above 2^63-1.
bool ReplanSpace::relax(const std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before,
                        std::int64_t capacity) {
  constexpr std::array<std::int64_t, 9> kSteps = {5, 10, 20, 50, 100, 200, 400, 800, 1'200};  // of 10,000
  needed_ = ReplanTier::kRelax;
  Neighbourhood around(problem_, reach(problem_, hull(homeless)), offsets_);
  Ejection moves(around.instance, around.fit);
  for (const BufferIndex buffer : homeless) {
    const std::uint32_t i = around.waiting.at(buffer);
    const bool placed = std::any_of(kSteps.begin(), kSteps.end(), [&](std::int64_t step) {
      const std::optional<std::int64_t> higher = checked_add(capacity, capacity / 10'000 * step);
      if (!higher) return false;
      return moves.stay(i, before[buffer], *higher) || moves.fit(i, *higher) || moves.eject(i, before[buffer], *higher);
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
  std::int64_t goal = bound_;
  int raised = 0;
  for (int k = 0; k < kMost; ++k) {
    const BufferIndex i = highest();
    if (i == kNoBuffer || problem_[i].is_fixed() || makespan() <= goal) return;
    if (looks_left_ <= 0 || context.should_stop()) return;
    if (lower_cheaply(i, goal) || plan_around(i, goal, context)) continue;
    const std::int64_t more = (makespan() - goal) / 3;
    if (more == 0 || ++raised == kGoals) return;
    goal += more;
  }
}

bool ReplanSpace::lower_cheaply(BufferIndex buffer, std::int64_t capacity) {
  const std::int64_t was = offsets_[buffer];
  offsets_[buffer] = kNoOffset;
  Neighbourhood around(problem_, reach(problem_, problem_.sections().range(buffer)), offsets_);
  Ejection moves(around.instance, around.fit);
  offsets_[buffer] = was;
  looks_left_ -= static_cast<std::int64_t>(around.instance.items.size());
  const std::uint32_t i = around.waiting.at(buffer);
  if (!moves.fit(i, capacity) && !moves.eject(i, kNoOffset, capacity)) return false;
  take(around);
  return true;
}

/// Plans what lives around a buffer anew, less and less of it greedily.
bool ReplanSpace::plan_around(BufferIndex buffer, std::int64_t capacity, const RunContext& context) {
  const SectionRange all{problem_.sections().first_of_space(space_), problem_.sections().first_of_space(space_ + 1U)};
  const SectionRange near = reach(problem_, problem_.sections().range(buffer));
  const std::int64_t stop_at = looks_left_ / 4;  // for what else sticks out
  for (const Try& next : capacity == bound_ ? std::span<const Try>(kAtBound) : std::span<const Try>(kAbove)) {
    const std::int32_t more = std::min(next.margin * near.length(), all.length());
    const SectionRange window{std::max(all.first, near.first - more), std::min(all.last, near.last + more)};
    Instance bytes = living_in(problem_, window, offsets_);
    const auto count = static_cast<std::int64_t>(bytes.items.size());
    if (looks_left_ - count <= stop_at || context.should_stop()) return false;
    const Instance instance = make_instance(std::move(bytes.items), bytes.sections);
    LargeFit greedy(instance, context.seed);
    const bool fits = greedy.attempt({"TW", HardFit::Rule::kFirst, next.core, 0, nodes_}, capacity / instance.unit,
                                     kRepairLooks, context);
    looks_left_ -= greedy.looks() + count;
    if (!fits) continue;
    const std::vector<std::int64_t> offsets = *greedy.complete();
    for (std::size_t k = 0; k < offsets.size(); ++k) put(instance.items[k].buffer, offsets[k] * instance.unit);
    needed_ = std::max(needed_, ReplanTier::kAnew);
    return true;
  }
  return false;
}

}  // namespace stowage
