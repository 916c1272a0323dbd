#include "core/tasks/stage_numbers.h"

#include <utility>

#include "core/model/metrics.h"

namespace stowage {
namespace {

Result<StageNumbers> numbers_of(const Staged& staged, const LowerOptions& options, const Allocator& allocator,
                                RunContext& context) {
  const auto lowered = lower(staged, options);
  if (!lowered) return tl::unexpected(lowered.error());
  const Problem& problem = lowered->problem;
  const auto run = run_allocator(allocator, problem, {}, context);
  if (!run) return tl::unexpected(run.error());
  const ProblemMetrics facts = measure(problem);
  StageNumbers numbers;
  numbers.load = facts.load;
  numbers.naive = facts.naive;
  numbers.makespan = measure(problem, facts, run->plan).makespan;
  numbers.padding = facts.padding;
  numbers.ops = staged.graph.ops().size();
  numbers.buffers = problem.size();
  return numbers;
}

}  // namespace

Result<std::vector<StageNumbers>> stage_numbers(const Prepared& prepared, const LowerOptions& options,
                                                const Allocator& allocator, RunContext& context) {
  std::vector<StageNumbers> all;
  const auto first = numbers_of(prepared.first, options, allocator, context);
  if (!first) return tl::unexpected(first.error());
  all.push_back(*first);
  for (const StageResult& stage : prepared.stages) {
    if (!stage.stage.on) {
      all.push_back(all.back());
      continue;
    }
    if (context.stop.stop_requested()) return fail(Error::Kind::kCancelled, "stopped");
    const auto numbers = numbers_of(stage.after, options, allocator, context);
    if (!numbers) return tl::unexpected(numbers.error());
    all.push_back(*numbers);
  }
  return all;
}

}  // namespace stowage
