#include "ui/replanning.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "core/search/replan.h"

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

}  // namespace

std::optional<ChangedPlan> changed_plan(const Snapshot& before, std::span<const Plan> carried, const Problem& problem,
                                        std::span<const BufferIndex> becomes, const std::stop_token& stop) {
  if (before.shown_plan != kEngine || !can_replan(problem)) return std::nullopt;
  const auto plan = std::find_if(carried.begin(), carried.end(), [](const Plan& p) { return p.id == kEngine; });
  const auto facts = before.plan_facts.find(before.shown_plan);
  if (plan == carried.end() || facts == before.plan_facts.end()) return std::nullopt;
  // One that is only too high for the capacity is sound enough.
  for (const Issue& issue : facts->second.report.issues) {
    if (issue.kind != IssueKind::kOverCapacity) return std::nullopt;
  }
  std::vector<BufferIndex> edited;
  for (BufferIndex i = 0; i < becomes.size(); ++i) {
    const BufferIndex now = becomes[i];
    if (now == kNoBuffer) continue;
    if (counts_as_edited((*before.document.problem)[i], problem[now])) edited.push_back(now);
  }
  RunContext context;
  context.stop = stop;
  context.seed = plan->seed;
  context.deadline = std::chrono::steady_clock::now() + kAtMost;
  auto done = replan(problem, plan->offsets, edited, ReplanLimits(), context);
  if (!done) return std::nullopt;
  ChangedPlan changed{*plan, done->wants_new_plan()};
  changed.plan.offsets = std::move(done->offsets);
  return changed;
}

}  // namespace stowage
