#include <fmt/format.h>

#include "core/allocators/order.h"
#include "core/allocators/portfolio.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  const std::int64_t bound = makespan_bound(problem);
  if (context.records()) context.say(Step{step::Bound{bound}, "the load, or where the highest pin ends"});
  Result<GreedyPlan> best = best_greedy_plan(problem, greedy_attempts(), bound, context, 1);
  if (!best) return tl::unexpected(best.error());
  if (context.records()) {
    context.say(Step{step::Phase{"the lowest of them again"}, {}});
    RunContext told;
    told.steps = context.steps;
    const auto order = make_order(problem, best->attempt.order);
    if (const auto again = place_in_order(problem, *order, best->attempt.rule, told); !again) return again;
  }
  context.report(1);
  best->result.iterations = best->tried;
  best->result.lower_bound = bound;
  if (best->makespan == bound) best->result.status = RunStatus::kProvedOptimal;
  return std::move(best->result);
}

}  // namespace

std::vector<Allocator> fast_allocators() {
  Allocator allocator;
  allocator.id = "fast";
  allocator.title = "Fast";
  allocator.summary = "The lowest of up to eight greedy plans; stops at the first one that is as low as the load.";
  allocator.source = "a portfolio: first and best fit in orders by size, load, lifetime and area";
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.can.candidates = true;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
