#include <optional>

#include <fmt/format.h>

#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// Bytes that a slice takes: rounded up to its range alignment.
std::int64_t range_of(const Buffer& buffer) {
  return align_up(buffer.size, buffer.alignment);
}

/// The tightest gap among the placed slices that live at the same time. A gap is compared by the room above the aligned
/// place, but remembered with the room above the unaligned one, as in the origin: of two gaps that differ only in what
/// alignment loses, the later may win.
std::int64_t find_place(const Problem& problem, BufferIndex i, PlacedConflicts& placed, const RunContext& context) {
  const Grid grid = problem.grid(i);
  const std::int64_t size = range_of(problem[i]);
  std::int64_t at = 0;
  std::optional<std::int64_t> best;
  std::int64_t best_room = kMaxInt64;
  for (const BufferIndex other : placed.by_address(i)) {
    const std::int64_t offset = placed.offset(other);
    const std::int64_t aligned = grid.up(at);
    if (aligned > offset - size) {
      say_blocked(context, i, other, aligned, offset, size);
    } else if (offset - aligned < best_room) {
      best = aligned;
      best_room = offset - at;
    }
    at = std::max(at, add_up_to_max(offset, range_of(problem[other])));
    if (best_room == 0) break;
  }
  return best.value_or(grid.up(at));
}

/// Only the origin's static part. There, slices whose size is known at run time only come after it, behind what the
/// static ones take: those of one and the same size value share a place when their lives are disjoint, and the places
/// lie one behind the other. A buffer here has its bytes (a graph's tensor of unknown size becomes none), and nothing
/// says of two unknown sizes that they are the same, so there is nothing to lay out that way.
Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  PlacedConflicts placed(problem);
  context.say(Step{step::Phase{"slices in the order given"}, {}});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (i % 256 == 255) {
      if (context.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      context.report(static_cast<double>(i) / static_cast<double>(problem.size()));
    }
    if (context.records()) context.say(Step{step::Consider{i}, {}});
    const bool empty = !problem[i].takes_memory();
    const std::int64_t offset = empty ? problem.grid(i).up(0) : find_place(problem, i, placed, context);
    if (!checked_add(offset, problem[i].size)) return ends_too_high(problem, i);
    placed.place(i, offset);
    if (context.records()) {
      context.say(Step{step::Place{i, offset}, empty ? "it takes no memory" : "the tightest gap, else on top"});
    }
  }
  context.report(1);
  RunResult result;
  result.offsets = placed.offsets();
  return result;
}

}  // namespace

std::vector<Allocator> iree_layout_slices_allocators() {
  Allocator allocator;
  allocator.id = "iree-layout-slices";
  allocator.title = "IREE layout slices";
  allocator.summary = "Static slices of a stream in the order given, sizes rounded to the alignment, tightest gap.";
  allocator.source = "iree-org/iree compiler/src/iree/compiler/Dialect/Stream/Transforms/LayoutSlices.cpp";
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
