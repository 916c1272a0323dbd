#include "core/allocators/partition_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/told_plan.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// Without a budget of its own a run ends after so many looks at buffers that overlap the one just placed, or so many
/// states of exact search: about a second.
constexpr std::int64_t kNodeLooks = 20'000'000;
constexpr std::int64_t kNodes = 300'000;
constexpr std::int64_t kGreedyLooks = 8'000'000;
constexpr std::int64_t kUnlimited = kMaxInt64 / 4;

constexpr std::int64_t kFirstNodes = 2'000;
constexpr std::int64_t kFirstLooks = 50'000;
/// Up to so many buffers exact search alone does better than greedy passes; they cost it time.
constexpr std::size_t kSmall = 600;
/// Up to so many a few greedy passes take no time worth mentioning.
constexpr std::size_t kQuick = 20'000;

}  // namespace

PartitionRun::PartitionRun(const Problem& problem, const EngineRules& rules, RunContext& context)
    : problem_(problem), rules_(rules), context_(context), lower_(problem.spaces().size(), 0) {}

Result<RunResult> PartitionRun::run() {
  if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
  if (const auto begun = begin(); !begun) return tl::unexpected(begun.error());
  context_.report(0.1);
  rounds();
  return finish();
}

Result<void> PartitionRun::begin() {
  result_.offsets.assign(problem_.size(), kNoOffset);
  for (BufferIndex i = 0; i < problem_.size(); ++i) {
    if (problem_[i].takes_memory()) continue;
    result_.offsets[i] = problem_[i].is_fixed() ? problem_[i].fixed : problem_.grid(i).up(0);
  }
  if (context_.records()) context_.say(Step{step::Phase{"a first plan, greedily"}, {}});
  for (std::size_t s = 0; s < problem_.spaces().size(); ++s) {
    for (Instance& instance : instances_of(problem_, static_cast<std::uint16_t>(s))) {
      auto part = std::make_unique<Part>();
      part->space = static_cast<std::uint16_t>(s);
      part->instance = std::move(instance);
      if (const auto begun = begin_part(*part); !begun) return begun;
      update_lower(*part);
      parts_.push_back(std::move(part));
    }
  }
  say_progress();
  return {};
}

Result<void> PartitionRun::begin_part(Part& part) {
  LargeFit greedy(part.instance, context_.seed);
  const auto take = [&]() -> Result<void> {
    if (!part.descent && context_.stop.stop_requested()) {
      return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    }
    auto offsets = greedy.complete();
    if (!offsets) {
      const BufferIndex buffer = part.instance.items[offsets.error()].buffer;
      return fail(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem_.id(buffer))));
    }
    if (part.descent) {
      part.descent->take(std::move(*offsets));
    } else {
      part.descent.emplace(part.instance, std::move(*offsets), context_.seed);
    }
    return {};
  };
  // One pass at the bound where passes are most of the work; else what everybody else would try as well.
  greedy.attempt(part.attempts++, part.instance.bound(), 0, context_);
  if (const auto taken = take(); !taken) return taken;
  for (const char* order : {"Z", "TW", "TZ", "A"}) {
    if (part.descent->optimal() || part.instance.items.size() > kQuick || context_.should_stop()) break;
    greedy.loose(order, context_);
    if (const auto taken = take(); !taken) return taken;
  }
  return {};
}

bool PartitionRun::is_large(const Part& part) const {
  return part.instance.items.size() > kSmall;
}

void PartitionRun::update_lower(const Part& part) {
  lower_[part.space] = std::max(lower_[part.space], part.lower());
}

/// A low partition is no concern where a high one needs more anyway.
bool PartitionRun::is_answered(const Part& part) const {
  const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
  if (capacity && part.lower() > *capacity) return true;
  if (capacity && !rules_.minimize && part.height() <= *capacity) return true;
  return part.height() <= lower(part.space);
}

std::int64_t PartitionRun::node_budget() const {
  if (rules_.nodes) return *rules_.nodes;
  if (context_.deadline) return kUnlimited;
  std::int64_t pairs = 0;
  std::int64_t items = 1;
  for (const auto& part : parts_) {
    if (is_answered(*part)) continue;
    pairs += overlapping_pairs(part->instance);
    items += static_cast<std::int64_t>(part->instance.items.size());
  }
  return std::min(kNodes, kNodeLooks / (1 + pairs / items));
}

void PartitionRun::rounds() {
  nodes_left_ = node_budget();
  looks_left_ = context_.deadline ? kUnlimited : kGreedyLooks;
  const std::int64_t all = nodes_left_;
  const std::int64_t all_looks = looks_left_;
  std::int64_t nodes = kFirstNodes;
  std::int64_t looks = kFirstLooks;
  while (true) {
    bool any = false;
    for (const auto& part : parts_) {
      if (is_answered(*part)) continue;
      if (context_.should_stop()) {
        out_of_time_ = true;
        return;
      }
      const bool can_search = NicheSearch::affordable(part->instance, part->descent->height()) && nodes_left_ > 0;
      const bool can_pass = rules_.greedy && is_large(*part) && looks_left_ > 0;
      if (!can_search && !can_pass) continue;
      any = true;
      improve(*part, nodes, looks);
      update_lower(*part);
      say_progress();
      const double left =
          std::max(static_cast<double>(nodes_left_) / static_cast<double>(all),
                   rules_.greedy ? static_cast<double>(looks_left_) / static_cast<double>(all_looks) : 0);
      context_.report(0.1 + 0.9 * (1 - std::clamp(left, 0.0, 1.0)));
    }
    if (!any) return;
    nodes *= 2;
    looks *= 2;
  }
}

void PartitionRun::improve(Part& part, std::int64_t nodes, std::int64_t looks) {
  const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
  std::int64_t goal = lower(part.space);
  if (capacity && !rules_.minimize) goal = std::max(goal, *capacity);
  goal /= part.instance.unit;
  if (rules_.greedy && is_large(part) && looks_left_ > 0) pass(part, goal, std::min(looks, looks_left_));
  if (nodes_left_ <= 0 || part.height() <= lower(part.space)) return;
  const std::int64_t before = part.descent->nodes();
  const std::optional<std::int64_t> first = capacity ? std::optional(*capacity / part.instance.unit) : std::nullopt;
  part.descent->go_on(goal, first, std::min(nodes, nodes_left_), context_);
  nodes_left_ -= part.descent->nodes() - before;
}

/// One more greedy attempt at the goal; then, where there is no exact search to do it, half way up the one that came
/// closest.
void PartitionRun::pass(Part& part, std::int64_t goal, std::int64_t looks) {
  if (!part.greedy) part.greedy = std::make_unique<LargeFit>(part.instance, context_.seed);
  const std::int64_t before = part.greedy->looks();
  const auto try_at = [&](std::size_t number, std::int64_t capacity) {
    const std::int64_t height = part.descent->height();
    part.greedy->attempt(number, capacity, looks, context_);
    if (auto offsets = part.greedy->complete()) part.descent->take(std::move(*offsets));
    if (part.descent->height() < height) part.best_attempt = number;
  };
  try_at(part.attempts++, goal);
  const std::int64_t above = part.descent->height() - goal;
  if (above > 1 && !NicheSearch::affordable(part.instance, part.descent->height()) && !context_.should_stop()) {
    try_at(part.best_attempt, goal + above / 2);
  }
  looks_left_ -= part.greedy->looks() - before;
}

std::int64_t PartitionRun::makespan() const {
  std::int64_t makespan = 0;
  for (const auto& part : parts_) makespan = std::max(makespan, part->height());
  return makespan;
}

void PartitionRun::say_progress() {
  if (!context_.records()) return;
  const std::int64_t bound = *std::max_element(lower_.begin(), lower_.end());
  if (bound > said_bound_) {
    const char* why = said_bound_ == 0 ? "the load, or where the highest pin ends" : "everything lower was tried";
    context_.say(Step{step::Bound{bound}, why});
    said_bound_ = bound;
  }
  const std::int64_t height = makespan();
  if (height < said_makespan_ && height > 0) context_.say(Step{step::Incumbent{height}, {}});
  said_makespan_ = height;
}

RunResult PartitionRun::finish() {
  std::int64_t bound = 0;
  bool answered = true;
  result_.iterations = 0;
  for (const auto& part : parts_) {
    for (std::size_t i = 0; i < part->instance.items.size(); ++i) {
      result_.offsets[part->instance.items[i].buffer] = part->descent->offsets()[i] * part->instance.unit;
    }
    result_.iterations += part->descent->nodes();
    bound = std::max(bound, part->lower());
    answered = answered && is_answered(*part);
    const std::optional<std::int64_t> capacity = problem_.capacity(part->space);
    if (!capacity || part->lower() <= *capacity || !result_.infeasible_set.empty()) continue;
    for (const Instance::Item& item : part->instance.items) result_.infeasible_set.push_back(item.buffer);
    std::sort(result_.infeasible_set.begin(), result_.infeasible_set.end());
  }
  result_.lower_bound = bound;
  result_.status = RunStatus::kComplete;
  if (!result_.infeasible_set.empty()) {
    result_.status = RunStatus::kProvedInfeasible;
  } else if (makespan() == bound) {
    result_.status = RunStatus::kProvedOptimal;
  } else if (out_of_time_ || (!answered && !rules_.greedy)) {
    result_.status = RunStatus::kStopped;
  }
  tell_plan(problem_, result_.offsets, context_);
  context_.report(1);
  return std::move(result_);
}

}  // namespace stowage
