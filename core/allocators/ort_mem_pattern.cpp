#include <algorithm>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// The planner is online: it sees allocations and frees as they happen in one run, and takes the tightest gap between
/// the blocks that are live at that moment. These are the buffers placed earlier that are not over yet, so taking the
/// buffers by their start, and of equal starts by row, meets exactly the same blocks. (Ends come before starts of the
/// same time. Fixed buffers, which the origin does not know, count as there from the beginning.)
Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  auto order = make_order(problem, "given");
  if (!order) return tl::unexpected(order.error());
  std::stable_sort(order->begin(), order->end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].start < problem[b].start; });
  return place_in_order(problem, *order, FitRule::kBest, context);
}

}  // namespace

std::vector<Allocator> ort_mem_pattern_allocators() {
  Allocator allocator;
  allocator.id = "ort-mem-pattern";
  allocator.title = "ONNX Runtime memory pattern";
  allocator.summary = "Traces one run and puts each allocation into the tightest gap between the blocks in use.";
  allocator.source = "microsoft/onnxruntime onnxruntime/core/framework/mem_pattern_planner.h";
  allocator.can.gaps = false;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
