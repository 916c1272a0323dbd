#include <utility>

#include <fmt/format.h>

#include "core/allocators/object_planners.h"
#include "core/allocators/registry.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

/// A run that is the `part`th of two, with its progress.
RunContext half(const RunContext& whole, int part) {
  RunContext context = whole;
  context.progress = [&whole, part](double share) {
    whole.report((part + share) / 2);
  };
  return context;
}

/// Both greedy planners; breadth wins only when it needs strictly less.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  context.say(Step{step::Phase{"by size and distance"}, {}});
  RunContext first = half(context, 0);
  const auto by_size = bind_to_objects(problem, first, bind_by_size_and_distance);
  if (!by_size) return tl::unexpected(by_size.error());

  context.say(Step{step::Phase{"by breadth"}, {}});
  RunContext second = half(context, 1);
  const auto by_breadth =
      bind_to_objects(problem, second, bind_by_breadth, static_cast<std::uint32_t>(by_size->count()));
  if (!by_breadth) return tl::unexpected(by_breadth.error());

  const std::int64_t size_total = by_size->objects().total();
  const std::int64_t breadth_total = by_breadth->objects().total();
  const bool breadth_wins = breadth_total < size_total;
  if (context.records()) {
    context.say(Step{step::Note{fmt::format("{} bytes by size and distance, {} by breadth: {} is taken", size_total,
                                            breadth_total, breadth_wins ? "breadth" : "size and distance")},
                     {}});
  }
  return with_shapes(problem, params, stack_objects(problem, context, breadth_wins ? *by_breadth : *by_size));
}

}  // namespace

std::vector<Allocator> tflite_greedy_best_allocators() {
  Allocator allocator;
  allocator.id = "tflite-greedy-best";
  allocator.title = "TFLite greedy best";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: greedy by size, or by breadth where that needs less.";
  allocator.source = "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management.cc";
  allocator.params = {object_sizes_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
