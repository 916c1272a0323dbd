#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// Buffers in the order of their requests. Nothing of size 0 is recorded, so it blocks nobody. TFLite has no "strip
/// packing" beyond this walk: `tflite-strip-packing` in other people's lists is another name of it.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto order = make_order(problem, params.at("order"));
  if (!order) return tl::unexpected(order.error());
  return place_in_order(problem, *order, FitRule::kArena, context);
}

}  // namespace

std::vector<Allocator> tflite_arena_allocators() {
  Allocator allocator;
  allocator.id = "tflite-arena";
  allocator.title = "TFLite arena";
  allocator.summary =
      "One request after the other into the tightest gap of TensorFlow Lite's memory arena (also known as "
      "tflite-strip-packing).";
  allocator.source = "google-ai-edge/LiteRT tflite/simple_memory_arena.cc";
  allocator.params = {order_param("given")};
  allocator.can.gaps = false;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
