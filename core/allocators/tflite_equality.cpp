#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/record_order.h"
#include "core/allocators/registry.h"
#include "core/allocators/release_queue.h"
#include "core/allocators/shared_objects.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

constexpr const char* kNoneEqual = "no free object has exactly this size";

/// Sizes in bytes: free objects lie on a stack for each size; the one released last is reused first.
void bind_by_bytes(const Problem& problem, std::span<const BufferIndex> rows, bool strict, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  ReleaseQueue in_use;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> free;  // by size
  for (const BufferIndex i : record_order(problem, rows, strict)) {
    if (objects.should_stop()) return;
    in_use.release(problem[i].start, [&](std::uint32_t object) { free[objects.size(object)].push_back(object); });
    std::vector<std::uint32_t>& equal = free[problem[i].size];
    std::uint32_t object = 0;
    if (equal.empty()) {
      object = objects.open(i, kNoneEqual);
    } else {
      object = equal.back();
      equal.pop_back();
      objects.put(i, object, objects.records() ? reuse_reason(objects, object, problem[i].size) : std::string());
    }
    in_use.add(problem[i].end, object);
  }
}

/// Sizes with dimensions: the first object of the same shape that is over, in the order given.
class EqualShapes {
 public:
  EqualShapes(const Problem& problem, SharedObjects& objects) : problem_(problem), objects_(objects) {}

  void bind(BufferIndex i) {
    std::vector<std::int64_t> shape = shape_of(problem_, i);
    if (Candidate* candidate = find(i, shape); candidate != nullptr) {
      candidate->last_end = problem_[i].end;
      objects_.put(i, candidate->object,
                   objects_.records() ? reuse_reason(objects_, candidate->object, problem_[i].size) : std::string());
      return;
    }
    const std::uint32_t object = objects_.open(i, kNoneEqual);
    candidates_.push_back(Candidate{object, problem_[i].end, std::move(shape)});
  }

 private:
  struct Candidate {
    std::uint32_t object = 0;
    std::int64_t last_end = 0;
    std::vector<std::int64_t> shape;
  };

  Candidate* find(BufferIndex i, const std::vector<std::int64_t>& shape) {
    for (Candidate& candidate : candidates_) {
      if (candidate.last_end > problem_[i].start || candidate.shape != shape) continue;
      if (objects_.size(candidate.object) == problem_[i].size) return &candidate;  // the same elements, too
    }
    return nullptr;
  }

  const Problem& problem_;
  SharedObjects& objects_;
  std::vector<Candidate> candidates_;
};

void bind_by_shape(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  EqualShapes shapes(problem, objects);
  for (const BufferIndex i : rows) {
    if (objects.should_stop()) return;
    shapes.bind(i);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const bool shapes = compares_shapes(problem, params.at("sizes"));
  const bool strict = is_strict(params);
  const auto by_bytes = [&](const Problem&, std::span<const BufferIndex> rows, SharedObjects& objects) {
    bind_by_bytes(problem, rows, strict, objects);
  };
  auto planned = plan_objects(problem, context, shapes ? BindSpace(bind_by_shape) : by_bytes);
  return refuse_collisions("tflite-equality", problem, strict, with_shapes(problem, params, std::move(planned)));
}

}  // namespace

std::vector<Allocator> tflite_equality_allocators() {
  Allocator allocator;
  allocator.id = "tflite-equality";
  allocator.title = "TFLite equality";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: a free object is reused for exactly its own size or shape.";
  allocator.source = "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management/equality_assignment.h";
  allocator.params = {sizes_param(), strict_records_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
