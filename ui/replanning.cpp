#include "ui/replanning.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace stowage {
namespace {

/// The allocator whose plans are searched for, not defined by a rule: any sound plan may stand for one.
constexpr std::string_view kEngine = "best";
/// Beyond this a hand would feel it.
constexpr std::chrono::milliseconds kAtMost{8};

/// Whether an offset that was right is right now.
bool counts_as_edited(const Buffer& was, const Buffer& is) {
  return was.start != is.start || was.end != is.end || was.size != is.size || was.alignment != is.alignment ||
         was.fixed != is.fixed || was.space != is.space;
}

bool keep_their_numbers(std::span<const BufferIndex> becomes, const Problem& problem) {
  if (becomes.size() != problem.size()) return false;
  for (BufferIndex i = 0; i < becomes.size(); ++i) {
    if (becomes[i] != i) return false;
  }
  return true;
}

/// The engine's plan of before; null when it is not shown or not sound. One that is only too high for the capacity is
/// sound enough.
const Plan* sound_plan(const Snapshot& before, std::span<const Plan> carried) {
  if (before.shown_plan != kEngine) return nullptr;
  const auto plan = std::find_if(carried.begin(), carried.end(), [](const Plan& p) { return p.id == kEngine; });
  const auto facts = before.plan_facts.find(before.shown_plan);
  if (plan == carried.end() || facts == before.plan_facts.end()) return nullptr;
  const bool sound = std::all_of(facts->second.report.issues.begin(), facts->second.report.issues.end(),
                                 [](const Issue& issue) { return issue.kind == IssueKind::kOverCapacity; });
  return sound ? &*plan : nullptr;
}

}  // namespace

std::optional<ChangedPlan> changed_plan(const Snapshot& before, std::span<const Plan> carried,
                                        const std::shared_ptr<const Problem>& problem,
                                        std::span<const BufferIndex> becomes, bool drag, KeptPlan& kept,
                                        const std::stop_token& stop) {
  const Plan* plan = sound_plan(before, carried);
  const std::shared_ptr<const Problem>& old = before.document.problem;
  if (plan == nullptr || !can_replan(*old) || !can_replan(*problem)) return std::nullopt;
  const bool same_numbers =
      keep_their_numbers(becomes, *problem) && std::ranges::equal(old->spaces(), problem->spaces());
  std::vector<LiveEdit> edits;
  std::vector<std::int64_t> placed = plan->offsets;  // where nothing was edited
  for (BufferIndex i = 0; i < becomes.size(); ++i) {
    const BufferIndex now = becomes[i];
    if (now == kNoBuffer || !counts_as_edited((*old)[i], (*problem)[now])) continue;
    edits.push_back({now, (*problem)[now], plan->offsets[now]});
    placed[now] = kNoOffset;
  }
  for (BufferIndex i = 0; i < problem->size(); ++i) {
    if (plan->offsets[i] == kNoOffset) edits.push_back({i, (*problem)[i], kNoOffset});
  }
  if (!same_numbers) {
    kept = {problem, std::make_unique<LivePlan>(*problem, placed)};
  } else if (kept.problem != old || kept.plan->offsets() != plan->offsets) {
    kept = {old, std::make_unique<LivePlan>(*old, plan->offsets)};
  }
  RunContext context;
  context.stop = stop;
  context.seed = plan->seed;
  context.deadline = std::chrono::steady_clock::now() + kAtMost;
  const auto done = kept.plan->change(edits, ReplanLimits(), context);
  if (!done) return std::nullopt;
  ChangedPlan changed{*plan, done->wants_new_plan()};
  changed.plan.offsets = kept.plan->offsets();
  if (drag) {
    kept.plan->take_back();
  } else {
    kept.problem = problem;
  }
  return changed;
}

}  // namespace stowage
