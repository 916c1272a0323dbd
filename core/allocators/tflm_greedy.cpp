#include <algorithm>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// Buffers that were planned offline keep their offsets and come first. The planner gathers the others from the tail
/// of its list before it sorts them, so of equal sizes the one added last is first. (The library's linear planner, a
/// running sum, is `naive`.)
Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  auto order = make_order(problem, "given");
  if (!order) return tl::unexpected(order.error());
  std::reverse(order->begin(), order->end());
  std::stable_sort(order->begin(), order->end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].size > problem[b].size; });
  return place_in_order(problem, *order, FitRule::kFirst, context);
}

}  // namespace

std::vector<Allocator> tflm_greedy_allocators() {
  Allocator allocator;
  allocator.id = "tflm-greedy";
  allocator.title = "TFLite Micro greedy";
  allocator.summary = "Largest first, of equal sizes the last one first, each to the lowest place that fits.";
  allocator.source = "tensorflow/tflite-micro tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc";
  allocator.can.gaps = false;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
