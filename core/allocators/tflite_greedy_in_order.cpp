#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/record_order.h"
#include "core/allocators/registry.h"
#include "core/allocators/release_queue.h"
#include "core/allocators/shared_objects.h"
#include "core/allocators/tensor_shape.h"
#include "core/base/text.h"

namespace stowage {
namespace {

constexpr const char* kNoneFree = "no object is free";
constexpr const char* kNoneLinked = "no object is free whose last buffer it may follow";

/// For each row the rows whose object it may take over; empty where all may.
using Reallocation = std::vector<std::vector<BufferIndex>>;

Result<Reallocation> parse_reallocation(std::string_view text, std::size_t rows) {
  Reallocation graph;
  if (text == "any") return graph;
  const auto wrong = [&](std::string_view why) {
    return usage_error(fmt::format("reallocation: '{}' {}", text, why));
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    std::vector<BufferIndex>& linked = graph.emplace_back();
    for (std::size_t at = begin; at < end;) {
      const std::size_t comma = std::min(text.find(',', at), end);
      const auto row = parse_int(text.substr(at, comma - at));
      if (!row || *row < 0 || *row >= static_cast<std::int64_t>(rows)) return wrong("names a row that there is not");
      linked.push_back(static_cast<BufferIndex>(*row));
      at = comma + 1;
    }
    begin = end + 1;
  }
  if (graph.size() != rows) return wrong(fmt::format("has {} lists of rows for {} buffers", graph.size(), rows));
  return graph;
}

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
    return take(chosen);
  }

  /// The nearest in size of those whose last buffer is among `linked`; of equals the first.
  std::optional<std::uint32_t> take_linked(std::int64_t size, const std::vector<BufferIndex>& linked,
                                           const std::vector<BufferIndex>& last_of) {
    auto chosen = free_.end();
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (chosen != free_.end() && std::abs(at->first - size) >= std::abs(chosen->first - size)) continue;
      if (std::find(linked.begin(), linked.end(), last_of[at->second]) != linked.end()) chosen = at;
    }
    return take(chosen);
  }

 private:
  using Free = std::set<std::pair<std::int64_t, std::uint32_t>>;

  std::optional<std::uint32_t> take(Free::iterator chosen) {
    if (chosen == free_.end()) return std::nullopt;
    const std::uint32_t object = chosen->second;
    free_.erase(chosen);
    return object;
  }

  const SharedObjects& objects_;
  Free free_;
};

/// Free objects with dimensions, in the order in which they were released. They never grow.
class ShapePool {
 public:
  explicit ShapePool(const SharedObjects& objects) : objects_(objects) {}
  void add(std::uint32_t object) { free_.push_back(object); }
  /// A new object.
  void set_shape(std::uint32_t object, std::vector<std::int64_t> shape) {
    shapes_.resize(objects_.count());
    shapes_[object] = std::move(shape);
  }

  /// The one with the fewest elements too many; the first of equals.
  std::optional<std::uint32_t> take(const std::vector<std::int64_t>& shape, std::int64_t size) {
    const std::int64_t elements = element_count(shape);
    auto best = free_.end();
    std::int64_t least = 0;
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      const std::vector<std::int64_t>& candidate = shapes_[*at];
      if (!covers(candidate, shape) || objects_.size(*at) < size) continue;
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
  const SharedObjects& objects_;
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<std::int64_t>> shapes_;  // by object
};

void bind_by_bytes(const Problem& problem, std::span<const BufferIndex> rows, const Reallocation& graph, bool strict,
                   SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  ReleaseQueue in_use;
  SizePool pool(objects);
  std::vector<BufferIndex> last_of;  // by object
  for (const BufferIndex i : record_order(problem, rows, strict)) {
    if (objects.should_stop()) return;
    in_use.release(problem[i].start, [&](std::uint32_t object) { pool.add(object); });
    std::optional<std::uint32_t> object =
        graph.empty() ? pool.take(problem[i].size) : pool.take_linked(problem[i].size, graph[i], last_of);
    if (object) {
      objects.put(i, *object, objects.records() ? reuse_reason(objects, *object, problem[i].size) : std::string());
    } else {
      object = objects.open(i, graph.empty() ? kNoneFree : kNoneLinked);
    }
    last_of.resize(objects.count());
    last_of[*object] = i;
    in_use.add(problem[i].end, *object);
  }
}

void bind_by_shape(const Problem& problem, std::span<const BufferIndex> rows, bool strict, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  ReleaseQueue in_use;
  ShapePool pool(objects);
  for (const BufferIndex i : record_order(problem, rows, strict)) {
    if (objects.should_stop()) return;
    in_use.release(problem[i].start, [&](std::uint32_t object) { pool.add(object); });
    std::vector<std::int64_t> shape = shape_of(problem, i);
    std::optional<std::uint32_t> object = pool.take(shape, problem[i].size);
    if (object) {
      objects.put(i, *object, objects.records() ? reuse_reason(objects, *object, problem[i].size) : std::string());
    } else {
      object = objects.open(i, "no free object is large enough in each dimension");
      pool.set_shape(*object, std::move(shape));
    }
    in_use.add(problem[i].end, *object);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto graph = parse_reallocation(params.at("reallocation"), problem.size());
  if (!graph) return tl::unexpected(graph.error());
  const bool shapes = compares_shapes(problem, params.at("sizes"));
  if (shapes && !graph->empty()) return usage_error("reallocation: only where bytes are compared (sizes=bytes)");
  const bool strict = is_strict(params);
  auto planned =
      plan_objects(problem, context, [&](const Problem&, std::span<const BufferIndex> rows, SharedObjects& objects) {
        if (shapes) {
          bind_by_shape(problem, rows, strict, objects);
        } else {
          bind_by_bytes(problem, rows, *graph, strict, objects);
        }
      });
  return refuse_collisions("tflite-greedy-in-order", problem, strict, with_shapes(problem, params, std::move(planned)));
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
  const ParamSpec reallocation = open_param(
      "reallocation",
      "which buffers' objects may be taken over: any, or for each buffer the rows of those, as in 1,2;0;;0 for four",
      {"any"});
  allocator.params = {sizes_param(), reallocation, strict_records_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
