#include "ui/pools_panel.h"

#include <optional>
#include <utility>

#include "core/pools/planned_pool.h"
#include "core/pools/pool.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;
using Played = PoolsPanel::Played;

Result<Played> play(const Problem& problem, const std::optional<Plan>& plan, const std::stop_token& stop) {
  Played played;
  Result<Trace> trace = trace_of(problem, played.refusals);
  if (!trace) return tl::unexpected(trace.error());
  played.trace = std::move(*trace);
  if (plan) {
    auto run = play_plan(plan->allocator, played.trace, offsets_by_allocation(played.trace, plan->offsets));
    if (run) {
      played.runs.push_back(std::move(*run));
      played.planned = true;
    } else {
      played.refusals.push_back(plan->allocator + ": " + run.error().message);
    }
  }
  for (const Pool& pool : pools()) {
    RunContext context;
    context.stop = stop;
    auto run = run_pool(pool, played.trace, {}, std::nullopt, context);
    if (run) {
      played.runs.push_back(std::move(*run));
    } else if (run.error().kind == Error::Kind::kRefused) {
      played.refusals.push_back(pool.id + ": " + run.error().message);
    } else {
      return tl::unexpected(run.error());
    }
  }
  return played;
}

}  // namespace

void follow_pools(State& state) {
  auto& panel = state.part<PoolsPanel>();
  if (panel.problem_revision == state.problem_revision && panel.plan_revision == state.plan_revision &&
      panel.plan == state.shown_plan) {
    return;
  }
  panel.problem_revision = state.problem_revision;
  panel.plan_revision = state.plan_revision;
  panel.plan = state.shown_plan;
  panel.failure.clear();
  panel.work.cancel();
  if (!state.has_problem()) {
    panel.played.reset();
    return;
  }
  std::optional<Plan> plan;
  if (state.plan() != nullptr) plan = *state.plan();
  panel.work.start([problem = state.document.problem, plan = std::move(plan)](const std::stop_token& stop) {
    return play(*problem, plan, stop);
  });
}

void choose_pool(State& state, std::string id) {
  auto& panel = state.part<PoolsPanel>();
  panel.chosen = std::move(id);
  ++panel.revision;
}

void poll_pools(State& state) {
  auto& panel = state.part<PoolsPanel>();
  auto played = panel.work.poll();
  if (!played) return;
  state.settle_frames = 3;
  ++panel.revision;
  panel.played.reset();
  if (*played) {
    panel.played = std::make_shared<const Played>(std::move(**played));
  } else if (played->error().kind != Error::Kind::kCancelled) {
    panel.failure = played->error().message;
  }
}

bool busy_pools(const State& state) {
  return state.part<PoolsPanel>().work.running();
}

}  // namespace stowage
