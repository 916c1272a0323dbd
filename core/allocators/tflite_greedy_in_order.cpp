#include <cstdlib>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/allocators/registry.h"
#include "core/allocators/release_queue.h"
#include "core/allocators/shared_objects.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

constexpr const char* kNoneFree = "no object is free";

/// Free objects whose size is one number, by (size, object).
class SizePool {
 public:
  explicit SizePool(const SharedObjects& objects) : objects_(objects) {}
  void add(std::uint32_t object) { free_.emplace(objects_.size(object), object); }

  /// The smallest that is large enough, unless the largest of the others is nearer in size.
  std::optional<std::uint32_t> take(std::int64_t size) {
    auto chosen = free_.lower_bound({size, 0});
    if (chosen != free_.begin()) {
      const auto smaller = std::prev(chosen);
      if (chosen == free_.end() || size - smaller->first < chosen->first - size) chosen = smaller;
    }
    if (chosen == free_.end()) return std::nullopt;
    const std::uint32_t object = chosen->second;
    free_.erase(chosen);
    return object;
  }

 private:
  const SharedObjects& objects_;
  std::set<std::pair<std::int64_t, std::uint32_t>> free_;
};

/// Free objects with dimensions, in the order in which they were released. They never grow.
class ShapePool {
 public:
  void add(std::uint32_t object) { free_.push_back(object); }

  /// The one with the fewest elements too many; the first of equals.
  std::optional<std::uint32_t> take(const SharedObjects& objects, const std::vector<std::int64_t>& shape,
                                    std::int64_t size) {
    const std::int64_t elements = element_count(shape);
    auto best = free_.end();
    std::int64_t least = 0;
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      const std::vector<std::int64_t>& candidate = objects.objects().shapes[*at];
      if (!covers(candidate, shape) || objects.size(*at) < size) continue;
      const std::int64_t spare = element_count(candidate) - elements;
      if (best != free_.end() && spare >= least) continue;
      best = at;
      least = spare;
    }
    if (best == free_.end()) return std::nullopt;
    const std::uint32_t object = *best;
    free_.erase(best);
    return object;
  }

 private:
  std::vector<std::uint32_t> free_;
};

/// (The origin gets its buffers by rising start and would plan others wrongly; here they are put into that order.)
void bind_by_bytes(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  ReleaseQueue in_use;
  SizePool pool(objects);
  for (const BufferIndex i : by_start(problem, rows)) {
    if (objects.should_stop()) return;
    in_use.release(problem[i].start, [&](std::uint32_t object) { pool.add(object); });
    std::optional<std::uint32_t> object = pool.take(problem[i].size);
    if (object) {
      objects.put(i, *object, objects.records() ? reuse_reason(objects, *object, problem[i].size) : std::string());
    } else {
      object = objects.open(i, kNoneFree);
    }
    in_use.add(problem[i].end, *object);
  }
}

void bind_by_shape(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  ReleaseQueue in_use;
  ShapePool pool;
  for (const BufferIndex i : by_start(problem, rows)) {
    if (objects.should_stop()) return;
    in_use.release(problem[i].start, [&](std::uint32_t object) { pool.add(object); });
    std::vector<std::int64_t> shape = shape_of(problem, i);
    std::optional<std::uint32_t> object = pool.take(objects, shape, problem[i].size);
    if (object) {
      objects.put(i, *object, objects.records() ? reuse_reason(objects, *object, problem[i].size) : std::string());
    } else {
      object = objects.open(i, "no free object is large enough in each dimension");
      objects.set_shape(*object, std::move(shape));
    }
    in_use.add(problem[i].end, *object);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return plan_objects(problem, context, compares_shapes(problem, params.at("sizes")) ? bind_by_shape : bind_by_bytes);
}

}  // namespace

std::vector<Allocator> tflite_greedy_in_order_allocators() {
  Allocator allocator;
  allocator.id = "tflite-greedy-in-order";
  allocator.title = "TFLite greedy in order";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: in execution order, each into the free object nearest in "
      "size.";
  allocator.source = "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management/greedy_in_order_assignment.h";
  allocator.params = {sizes_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
