#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// Buffers as their allocations run: by start, then by row.
std::vector<BufferIndex> in_program_order(const Problem& problem) {
  std::vector<BufferIndex> order(problem.size());
  for (BufferIndex i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].start < problem[b].start; });
  return order;
}

struct Choice {
  std::int64_t offset = 0;
  std::string why;
};

/// The tightest gap between occupied ranges; what is free below the end of the arena counts as one. Else the arena
/// grows.
Choice best_fit(const Problem& problem, BufferIndex i, PlacedConflicts& placed, std::int64_t arena,
                const RunContext& context) {
  const Grid grid = problem.grid(i);
  const std::int64_t size = problem[i].size;
  std::int64_t at = grid.up(0);
  std::optional<std::int64_t> best;
  std::int64_t best_room = kMaxInt64;
  const auto offer = [&](std::int64_t high) {
    if (at > high - size || (best && high - at >= best_room)) return;
    best = at;
    best_room = high - at;
  };
  for (const BufferIndex other : placed.by_address(i)) {
    const std::int64_t offset = placed.offset(other);
    say_blocked(context, i, other, at, offset, size);
    offer(offset);
    at = std::max(at, grid.up(add_up_to_max(offset, problem[other].size)));
  }
  offer(arena);
  if (!best) return {grid.up(arena), "no gap is large enough, so the arena grows"};
  return {*best, context.records() ? fmt::format("the tightest gap, {} bytes", best_room) : std::string()};
}

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  PlacedConflicts placed(problem);
  std::vector<std::int64_t> arenas(problem.spaces().size(), 0);
  context.say(Step{step::Phase{"allocations in program order"}, {}});
  std::size_t done = 0;
  for (const BufferIndex i : in_program_order(problem)) {
    if (++done % 256 == 0) {
      if (context.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      context.report(static_cast<double>(done) / static_cast<double>(problem.size()));
    }
    if (context.records()) context.say(Step{step::Consider{i}, {}});
    std::int64_t& arena = arenas[problem[i].space];
    Choice choice{problem.grid(i).up(0), "it takes no memory"};
    if (problem[i].takes_memory()) choice = best_fit(problem, i, placed, arena, context);
    const auto end = checked_add(choice.offset, problem[i].size);
    if (!end) return ends_too_high(problem, i);
    if (problem[i].takes_memory()) arena = std::max(arena, *end);
    placed.place(i, choice.offset);
    if (context.records()) context.say(Step{step::Place{i, choice.offset}, std::move(choice.why)});
  }
  context.report(1);
  RunResult result;
  result.offsets = placed.offsets();
  return result;
}

/// The alternative without reuse: a running sum.
Result<RunResult> run_trivial(const Problem& problem, const ParamValues&, RunContext& context) {
  RunResult result;
  result.offsets.assign(problem.size(), kNoOffset);
  std::vector<std::int64_t> arenas(problem.spaces().size(), 0);
  context.say(Step{step::Phase{"every allocation behind the one before"}, {}});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (i % 4096 == 4095 && context.should_stop()) {
      return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    }
    const bool empty = !problem[i].takes_memory();
    std::int64_t& arena = arenas[problem[i].space];
    const std::int64_t offset = problem.grid(i).up(empty ? 0 : arena);
    const auto end = checked_add(offset, problem[i].size);
    if (!end) return ends_too_high(problem, i);
    if (!empty) arena = *end;
    result.offsets[i] = offset;
    if (context.records()) {
      context.say(Step{step::Place{i, offset}, empty ? "it takes no memory" : "nothing is shared"});
    }
  }
  context.report(1);
  return result;
}

}  // namespace

std::vector<Allocator> mlir_best_fit_allocators() {
  Allocator best;
  best.id = "mlir-best-fit";
  best.title = "MLIR best fit";
  best.summary = "MLIR's static memory planner: allocations in program order, each into the tightest gap of the arena.";
  best.source = "llvm/llvm-project mlir/lib/Dialect/Bufferization/Transforms, static memory planner";
  best.can.fixed_offsets = false;
  best.can.conflict_edges = true;
  best.can.clocks = true;
  best.unasked_up_to = 5'000;
  best.run = run;

  Allocator trivial = best;
  trivial.id = "mlir-trivial";
  trivial.title = "MLIR trivial";
  trivial.summary = "MLIR's static memory planner without reuse: a running sum.";
  trivial.unasked_up_to = 5'000;
  trivial.run = run_trivial;
  return {best, trivial};
}

}  // namespace stowage
