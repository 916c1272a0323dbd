#include "core/allocators/registry.h"
#include "core/allocators/shared_objects.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

void bind(const Problem&, std::span<const BufferIndex> rows, SharedObjects& objects) {
  for (const BufferIndex i : rows) {
    if (objects.should_stop()) return;
    objects.open(i, "nothing is shared");
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return with_shapes(problem, params, plan_objects(problem, context, bind));
}

}  // namespace

std::vector<Allocator> tflite_naive_allocators() {
  Allocator allocator;
  allocator.id = "tflite-naive";
  allocator.title = "TFLite naive";
  allocator.summary = "Shared objects of TensorFlow Lite's GPU delegate, without sharing: an object for each buffer.";
  allocator.source = "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management/naive_assignment.h";
  allocator.params = {object_sizes_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
