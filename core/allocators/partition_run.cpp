#include "core/allocators/partition_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/told_plan.h"
#include "core/base/text.h"
#include "core/search/presolve.h"
#include "core/search/slices.h"
#include "core/search/window_bound.h"

namespace stowage {
namespace {

/// Without a budget of its own a run ends after so many looks at buffers that overlap the one just placed, or so many
/// states of exact search: some seconds. With half as many one of six runs on D of minimalloc ends without its proof.
constexpr std::int64_t kNodeLooks = 160'000'000;
constexpr std::int64_t kNodes = 2'400'000;
constexpr std::int64_t kGreedyLooks = 8'000'000;
constexpr std::int64_t kUnlimited = kMaxInt64 / 4;

constexpr std::int64_t kFirstNodes = 2'000;
constexpr std::int64_t kFirstLooks = 50'000;
/// The first pass may repair what it leaves: mostly a handful of buffers, and the next pass would look at all. Where
/// few are live at once looks are cheap, and so may every pass.
constexpr std::int64_t kRepairLooksAnItem = 10;
constexpr std::int64_t kLeastRepairLooks = 100'000;
/// Up to so many buffers exact search alone does better than greedy passes; they cost it time.
constexpr std::size_t kSmall = 600;
constexpr std::int64_t kBoundNodes = 6'000;
/// From so many looks a round on, heights above the goal are worth a pass: until then it is mostly reached.
constexpr std::int64_t kLooksBetween = 200'000;
/// From so many nodes a round on, all members take part: what is easy has been found by then, and a proof needs one.
constexpr std::int64_t kAllMembers = 16'000;
/// Overlapping pairs up to which the tables of all members are no burden.
constexpr std::int64_t kPairsForAll = 2'000'000;
/// Up to so many a few greedy passes take no time worth mentioning.
constexpr std::size_t kQuick = 20'000;
/// Attempts at the bound before what everybody else would try, where one of the first nearly always gets there.
constexpr std::size_t kFirstAttempts = 3;

bool has_cheap_passes(const Instance& instance, const LargeFit& greedy) {
  return instance.items.size() > kSmall && !greedy.many_live();
}

std::int64_t repair_looks(const Instance& instance, const LargeFit& greedy) {
  const std::int64_t looks = kRepairLooksAnItem * static_cast<std::int64_t>(instance.items.size());
  return has_cheap_passes(instance, greedy) ? std::max(looks, kLeastRepairLooks) : looks;
}

}  // namespace

bool suits_engine(const Problem& problem) {
  const Needs& needs = problem.needs();
  return needs.only_lifetimes() && needs.only_single_buffers() && !needs.gaps && !needs.candidates;
}

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
      Presolved presolved;
      if (rules_.without == EnginePart::kPresolve) {
        presolved.pieces.push_back({std::move(instance), 0, {}});
      } else {
        presolved = presolve(std::move(instance));
      }
      for (const auto& [buffer, offset] : presolved.settled) result_.offsets[buffer] = offset;
      for (Presolved::Piece& piece : presolved.pieces) {
        auto part = std::make_unique<Part>();
        part->space = static_cast<std::uint16_t>(s);
        part->base = piece.base;
        part->below = std::move(piece.below);
        part->instance = std::move(piece.instance);
        if (const auto begun = begin_part(*part); !begun) return begun;
        update_lower(*part);
        parts_.push_back(std::move(part));
      }
    }
  }
  say_progress();
  return {};
}

Result<void> PartitionRun::begin_part(Part& part) {
  LargeFit greedy(part.instance, context_.seed, rules_.without);
  const auto take = [&]() -> Result<void> {
    if (!part.descent && context_.stop.stop_requested()) {
      return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    }
    auto offsets = greedy.complete();
    if (!offsets && part.descent) return {};
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
  // One pass at the bound where passes are most of the work; else some, and what everybody else would try as well.
  const bool quick = part.instance.items.size() <= kQuick;
  const bool some = quick && rules_.greedy && has_cheap_passes(part.instance, greedy);
  const std::int64_t repair = rules_.greedy ? repair_looks(part.instance, greedy) : 0;
  do {
    greedy.attempt(part.attempts++, part.instance.bound(), repair, context_);
    if (const auto taken = take(); !taken) return taken;
  } while (some && part.attempts < kFirstAttempts && !part.descent->optimal() && !context_.should_stop());
  for (const char* order : {"Z", "TW", "TZ", "A"}) {
    if (part.descent->optimal() || !quick || context_.should_stop()) break;
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
  nodes_ = nodes_left_ = node_budget();
  looks_ = looks_left_ = !rules_.greedy ? 0 : context_.deadline ? kUnlimited : kGreedyLooks;
  std::int64_t nodes = kFirstNodes;
  std::int64_t looks = kFirstLooks;
  while (true) {
    std::vector<Slice> slices = make_round(nodes, looks);
    if (slices.empty()) return;
    SliceWork work;
    work.wanted = [&](std::size_t k) {
      return !is_answered(*slices[k].part);
    };
    work.run = [&](std::size_t k, const RunContext& context) {
      run_slice(slices[k], context);
    };
    work.take = [&](std::size_t k) {
      take_slice(slices[k]);
    };
    run_slices(slices.size(), rules_.threads, context_, work);
    if (context_.should_stop()) {
      out_of_time_ = true;
      return;
    }
    if (nodes == kFirstNodes && rules_.without != EnginePart::kBound) raise_bounds();
    nodes *= 2;
    looks *= 2;
  }
}

/// What is not over soon is worth a better bound.
void PartitionRun::raise_bounds() {
  for (const auto& part : parts_) {
    if (is_answered(*part) || !rules_.minimize) continue;
    part->descent->raise(window_bound(part->instance, kBoundNodes, context_));
    update_lower(*part);
  }
  say_progress();
}

/// What is to be done next for each partition that is too high, all of it from the present state.
std::vector<PartitionRun::Slice> PartitionRun::make_round(std::int64_t nodes, std::int64_t looks) {
  std::vector<Slice> slices;
  std::int64_t nodes_left = nodes_left_;
  std::int64_t looks_left = looks_left_;
  for (const auto& part : parts_) {
    if (is_answered(*part)) continue;
    const std::optional<std::int64_t> capacity = problem_.capacity(part->space);
    std::int64_t goal = lower(part->space);
    if (capacity && !rules_.minimize) goal = std::max(goal, *capacity);
    goal = part->in_units(goal);
    if (is_large(*part) && rules_.without != EnginePart::kPasses) add_passes(*part, goal, looks, looks_left, slices);
    add_searches(*part, goal, nodes, nodes_left, slices);
  }
  return slices;
}

/// One more greedy attempt at the goal. Where there is no exact search another one, and later the one that came closest
/// again half way and a quarter of the way up.
void PartitionRun::add_passes(Part& part, std::int64_t goal, std::int64_t looks, std::int64_t& left,
                              std::vector<Slice>& slices) {
  const std::int64_t height = part.descent->height();
  const std::int64_t above = height - goal;
  const auto add = [&](std::size_t passer, std::size_t attempt, std::int64_t capacity) {
    if (left <= 0) return;
    Slice slice;
    slice.part = &part;
    slice.is_pass = true;
    slice.member = passer;
    slice.attempt = attempt;
    slice.wish = {capacity, std::nullopt, height, std::min(looks, left)};
    left -= slice.wish.nodes;
    slices.push_back(std::move(slice));
  };
  add(0, part.attempts++, goal);
  if (NicheSearch::affordable(part.instance, height)) return;
  add(1, part.attempts++, goal);
  if (looks < kLooksBetween) return;
  if (above > 1) add(2, part.best_attempt, goal + above / 2);
  if (above > 3) add(3, part.best_attempt, goal + above / 4);
}

void PartitionRun::add_searches(Part& part, std::int64_t goal, std::int64_t nodes, std::int64_t& left,
                                std::vector<Slice>& slices) {
  if (rules_.without == EnginePart::kSearch || left <= 0 ||
      !NicheSearch::affordable(part.instance, part.descent->height()))
    return;
  const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
  const std::optional<std::int64_t> first = capacity ? std::optional(part.in_units(*capacity)) : std::nullopt;
  const bool all = nodes >= kAllMembers && overlapping_pairs(part.instance) <= kPairsForAll;
  for (std::size_t member = 0; member < (all ? Descent::kMembers : 2) && left > 0; ++member) {
    Slice slice;
    slice.part = &part;
    slice.member = member;
    slice.wish = part.descent->wish(goal, first, std::min(member == 0 ? nodes : nodes / 2, left));
    if (rules_.without == EnginePart::kFollow) slice.wish.plan = nullptr;
    left -= slice.wish.nodes;
    slices.push_back(std::move(slice));
  }
}

/// Reads what belongs to its member and what stays as it is during a round.
void PartitionRun::run_slice(Slice& slice, const RunContext& context) const {
  Part& part = *slice.part;
  if (!slice.is_pass) {
    slice.found = part.descent->search(slice.member, slice.wish, context);
    return;
  }
  std::unique_ptr<LargeFit>& greedy = part.greedy[slice.member];
  if (!greedy)
    greedy = std::make_unique<LargeFit>(part.instance, context_.seed + ((slice.member + 1) << 32U), rules_.without);
  const std::int64_t before = greedy->looks();
  std::int64_t looks = slice.wish.nodes;
  if (has_cheap_passes(part.instance, *greedy)) looks = std::max(looks, repair_looks(part.instance, *greedy));
  greedy->attempt(slice.attempt, slice.wish.goal, looks, context);
  if (auto offsets = greedy->complete()) slice.found.offsets = std::move(*offsets);
  slice.found.nodes = greedy->looks() - before;
}

void PartitionRun::take_slice(Slice& slice) {
  Part& part = *slice.part;
  if (slice.is_pass) {
    looks_left_ -= slice.found.nodes;
    const std::int64_t height = part.descent->height();
    if (!slice.found.offsets.empty()) part.descent->take(std::move(slice.found.offsets));
    if (part.descent->height() < height) part.best_attempt = slice.attempt;
  } else {
    nodes_left_ -= slice.found.nodes;
    part.descent->take(std::move(slice.found));
  }
  update_lower(part);
  report_progress();
}

void PartitionRun::report_progress() {
  say_progress();
  const auto share_left = [](std::int64_t left, std::int64_t all) {
    return all > 0 ? std::clamp(static_cast<double>(left) / static_cast<double>(all), 0.0, 1.0) : 0.0;
  };
  context_.report(0.1 + 0.9 * (1 - std::max(share_left(nodes_left_, nodes_), share_left(looks_left_, looks_))));
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
      const std::int64_t offset = part->base + part->descent->offsets()[i] * part->instance.unit;
      result_.offsets[part->instance.items[i].buffer] = offset;
    }
    result_.iterations += part->descent->nodes();
    bound = std::max(bound, part->lower());
    answered = answered && is_answered(*part);
    const std::optional<std::int64_t> capacity = problem_.capacity(part->space);
    if (!capacity || part->lower() <= *capacity || !result_.infeasible_set.empty()) continue;
    result_.infeasible_set = part->below;
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
