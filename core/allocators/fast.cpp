#include <algorithm>

#include "core/allocators/order.h"
#include "core/allocators/partition_run.h"
#include "core/allocators/portfolio.h"
#include "core/allocators/registry.h"
#include "core/search/window_bound.h"

namespace stowage {
namespace {

constexpr std::size_t kBoundedUpTo = 20'000;
constexpr std::int64_t kBoundNodes = 3'000;

/// Of all spaces and partitions.
std::int64_t bound_by_windows(const Problem& problem, const RunContext& context) {
  std::int64_t bound = 0;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    for (const Instance& instance : instances_of(problem, static_cast<std::uint16_t>(s))) {
      if (context.should_stop()) return bound;
      bound = std::max(bound, window_bound(instance, kBoundNodes, context) * instance.unit);
    }
  }
  return bound;
}

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  std::int64_t bound = makespan_bound(problem);
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
  if (best->makespan > bound && suits_engine(problem) && problem.size() <= kBoundedUpTo) {
    const std::int64_t better = bound_by_windows(problem, context);
    if (better > bound && context.records()) context.say(Step{step::Bound{better}, "a full stretch, searched through"});
    bound = std::max(bound, better);
  }
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
