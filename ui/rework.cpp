#include "ui/rework.h"

#include <chrono>
#include <utility>
#include <vector>

#include "core/allocators/allocator.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

/// An allocator that needed longer follows after the last change instead of each one; seconds.
constexpr double kFastAtOnce = 0.045;
constexpr double kFastInBackground = 0.8;

/// The allocator that plans again with each change; null when it is too slow for that or the shown plan is not its own.
const Allocator* live_allocator(const Snapshot& before) {
  const std::string& id = before.shown_plan.empty() ? std::string(kFirstAllocator) : before.shown_plan;
  const Allocator* allocator = find_allocator(id);
  if (allocator == nullptr) return nullptr;
  const auto facts = before.plan_facts.find(id);
  const double seconds = facts == before.plan_facts.end() || facts->second.seconds < 0 ? 0 : facts->second.seconds;
  const double most = before.document.problem->size() <= Editing::kAtOnce ? kFastAtOnce : kFastInBackground;
  return seconds <= most ? allocator : nullptr;
}

/// A search that was quick before may take long now: then what it has so far is shown, and it follows when it is quiet.
std::chrono::duration<double> time_for_live(const Problem& problem) {
  return std::chrono::duration<double>(problem.size() <= Editing::kAtOnce ? 2 * kFastAtOnce : 2 * kFastInBackground);
}

/// Adds the allocator's plan of the new problem; errors: it refuses the problem, or had no plan in time (cancelled).
Result<void> plan_live(Snapshot& after, const Allocator& allocator, const std::stop_token& stop) {
  RunContext context;
  context.stop = stop;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            time_for_live(*after.document.problem));
  auto run = run_allocator(allocator, *after.document.problem, ParamValues{}, context);
  if (!run) return tl::unexpected<Error>(std::move(run.error()));
  Plan plan = std::move(run->plan);
  plan.id = allocator.id;
  PlanFacts facts = judge(*after.document.problem, after.analysis, plan);
  facts.seconds = run->result.seconds;
  facts.stale = run->result.status == RunStatus::kStopped;
  after.plan_facts[allocator.id] = std::move(facts);
  after.document.put_plan(std::move(plan));
  after.shown_plan = allocator.id;
  return {};
}

/// Adds the engine's plan, changed for the edit. It is stale while the engine may find a lower one.
bool plan_by_change(const Snapshot& before, const std::vector<Plan>& carried, EditOutcome& outcome,
                    const std::stop_token& stop) {
  Snapshot& after = outcome.after;
  auto changed =
      changed_plan(before, carried, after.document.problem, outcome.becomes, outcome.request.drag, *outcome.kept, stop);
  if (!changed) return false;
  PlanFacts facts = judge(*after.document.problem, after.analysis, changed->plan);
  facts.seconds = before.plan_facts.at(before.shown_plan).seconds;
  facts.stale = changed->wants_new_plan;
  after.plan_facts[changed->plan.id] = std::move(facts);
  after.document.put_plan(std::move(changed->plan));
  return true;
}

/// Judges and keeps a plan that was made for the problem before; an allocator's is stale until it has planned again.
void keep_plan(const Snapshot& before, Plan carried, Snapshot& after) {
  PlanFacts& facts = after.plan_facts[carried.id] = judge(*after.document.problem, after.analysis, carried);
  facts.stale = find_allocator(carried.id) != nullptr;
  const auto known = before.plan_facts.find(carried.id);
  if (known != before.plan_facts.end()) facts.seconds = known->second.seconds;
  after.document.put_plan(std::move(carried));
}

/// Checks, measures and plans what an edit has made; `carried` are plans for the new problem.
Result<void> settle(const Snapshot& before, std::vector<Plan> carried, EditOutcome& outcome,
                    const std::stop_token& stop) {
  Snapshot& after = outcome.after;
  std::optional<Analysis> analysis =
      analyse_edited(*before.document.problem, before.analysis, *after.document.problem, outcome.becomes, stop);
  if (!analysis) return fail(Error::Kind::kCancelled, "the edit was cancelled");
  after.analysis = std::move(*analysis);
  const Allocator* live = live_allocator(before);
  const bool by_change = plan_by_change(before, carried, outcome, stop);
  bool planned = by_change;
  if (!by_change && live != nullptr) {
    const Result<void> made = plan_live(after, *live, stop);
    planned = made.has_value();
    if (!planned && made.error().kind != Error::Kind::kCancelled)
      outcome.unplanned = live->title + ": " + made.error().message;
  }
  for (Plan& plan : carried) {
    const bool replaced = planned && plan.id == (by_change ? before.shown_plan : live->id);
    if (!replaced) keep_plan(before, std::move(plan), after);
  }
  if (after.document.find_plan(after.shown_plan) == nullptr) {
    after.shown_plan = after.document.plans.empty() ? std::string() : after.document.plans.back().id;
  }
  return {};
}

/// The document made anew; plans of the one before do not fit it.
Result<EditOutcome> remade(const Snapshot& before, EditRequest request, std::shared_ptr<KeptPlan> kept,
                           const std::stop_token& stop) {
  auto document = request.remake(before.document, stop);
  if (!document) return tl::unexpected<Error>(std::move(document.error()));
  EditOutcome outcome;
  outcome.request = std::move(request);
  outcome.kept = std::move(kept);
  outcome.after.document = std::move(*document);
  outcome.after.shown_plan = before.shown_plan;
  outcome.becomes = same_names(*before.document.problem, *outcome.after.document.problem);
  if (auto done = settle(before, {}, outcome, stop); !done) return tl::unexpected<Error>(std::move(done.error()));
  return outcome;
}

}  // namespace

Document without_plans(const Document& document) {
  Document copy;
  copy.problem = document.problem;
  copy.graph = document.graph;
  copy.recipe = document.recipe;
  copy.staged = document.staged;
  copy.view = document.view;
  copy.extra = document.extra;
  return copy;
}

Result<EditOutcome> rework(const Snapshot& before, EditRequest request, std::shared_ptr<KeptPlan> kept,
                           const std::stop_token& stop) {
  if (kept == nullptr) kept = std::make_shared<KeptPlan>();
  if (request.remake) return remade(before, std::move(request), std::move(kept), stop);
  auto edited = apply_edits(*before.document.problem, request.edits);
  if (!edited) return tl::unexpected<Error>(std::move(edited.error()));
  EditOutcome outcome;
  outcome.request = std::move(request);
  outcome.kept = std::move(kept);
  Snapshot& after = outcome.after;
  after.shown_plan = before.shown_plan;
  after.document = without_plans(before.document);
  std::vector<Plan> carried;
  for (const Plan& plan : before.document.plans) {
    if (find_allocator(plan.id) == nullptr || plan.id == before.shown_plan)
      carried.push_back(carried_over(plan, *edited));
  }
  outcome.becomes = std::move(edited->becomes);
  for (BufferIndex i = 0; i < edited->origin.size(); ++i) {
    if (edited->origin[i] == kNoBuffer) outcome.added.push_back(i);
  }
  after.document.problem = std::make_shared<const Problem>(std::move(edited->problem));
  if (auto done = settle(before, std::move(carried), outcome, stop); !done)
    return tl::unexpected<Error>(std::move(done.error()));
  return outcome;
}

}  // namespace stowage
