#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/object_planners.h"
#include "core/allocators/registry.h"
#include "core/allocators/task_profile.h"

namespace stowage {
namespace {

using Distance = std::uint64_t;
constexpr Distance kNone = std::numeric_limits<Distance>::max();

/// Steps from the last one of the earlier lifetime to the first one of the later; kNone when they overlap.
Distance distance(const Buffer& a, const Buffer& b) {
  const Buffer& earlier = a.end <= b.start ? a : b;
  const Buffer& later = a.end <= b.start ? b : a;
  if (earlier.end > later.start) return kNone;
  return static_cast<Distance>(later.start) - static_cast<Distance>(earlier.end) + 1;
}

/// A buffer that has no object yet. `distances` has one entry for each object: to the nearest of its buffers, kNone
/// when one of them overlaps.
struct Waiting {
  Buffer buffer;
  BufferIndex row = kNoBuffer;
  std::size_t position = 0;
  Distance best_distance = kNone;
  std::uint32_t best_object = 0;
  std::vector<Distance> distances;

  bool comes_before(const Waiting& other) const {
    if (position != other.position) return position < other.position;
    if (best_distance != other.best_distance) return best_distance < other.best_distance;
    return buffer.size > other.buffer.size;
  }
  void find_best() {
    const auto nearest = std::min_element(distances.begin(), distances.end());
    best_distance = *nearest;
    best_object = static_cast<std::uint32_t>(nearest - distances.begin());
  }
  /// A buffer at distance `d` has gone into an object.
  void take_note(std::uint32_t object, Distance d) {
    if (object == distances.size()) {
      distances.push_back(d);
    } else if (distances[object] == kNone) {
      return;
    } else if (d == kNone) {
      distances[object] = kNone;
      if (best_object == object) find_best();
    } else {
      distances[object] = std::min(distances[object], d);
    }
    if (d < best_distance) {
      best_distance = d;
      best_object = object;
    }
  }
};

std::vector<Waiting> waiting_of(const Problem& problem, std::span<const BufferIndex> rows) {
  const std::vector<std::int64_t> maximums = positional_maximums(problem, problem[rows.front()].space);
  std::vector<Waiting> all;
  for (const BufferIndex i : rows) {
    Waiting waiting;
    waiting.buffer = problem[i];
    waiting.row = i;
    const auto end = std::upper_bound(maximums.begin(), maximums.end(), problem[i].size, std::greater<>());
    waiting.position = static_cast<std::size_t>(end - maximums.begin()) - 1;  // the largest of all is at least its size
    all.push_back(std::move(waiting));
  }
  return all;
}

std::string reason(const SharedObjects& objects, const Waiting& chosen, std::uint32_t object) {
  if (chosen.best_distance == kNone) {
    return fmt::format("position {}; it overlaps with every object", chosen.position);
  }
  return fmt::format("position {}, {} steps from its nearest neighbour; {}", chosen.position, chosen.best_distance,
                     reuse_reason(objects, object, chosen.buffer.size));
}

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  return plan_objects(problem, context, bind_by_size_and_distance);
}

}  // namespace

/// A buffer's position is the last of the positional maximums that is at least its size. Next comes the buffer with the
/// lowest position; of equals the one nearest in time to a buffer of an object it can go to, then the largest.
void bind_by_size_and_distance(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  const auto first_object = static_cast<std::uint32_t>(objects.count());
  if (objects.records()) {
    const std::vector<std::int64_t> maximums = positional_maximums(problem, problem[rows.front()].space);
    std::int64_t sum = 0;
    for (const std::int64_t maximum : maximums) sum += maximum;
    objects.note(fmt::format("no plan of shared objects is below {} bytes, the sum of {} positional maximums", sum,
                             maximums.size()));
  }
  std::vector<Waiting> all = waiting_of(problem, rows);
  std::vector<std::uint32_t> left;  // indices into `all`
  for (std::uint32_t k = 0; k < all.size(); ++k) left.push_back(k);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return all[a].comes_before(all[b]);
  };
  auto next = std::min_element(left.begin(), left.end(), before);
  while (next != left.end()) {
    if (objects.should_stop()) return;
    Waiting& chosen = all[*next];
    const bool opens = chosen.best_distance == kNone;
    std::uint32_t object = first_object + chosen.best_object;
    std::string why = objects.records() ? reason(objects, chosen, object) : std::string();
    if (opens) {
      object = objects.open(chosen.row, std::move(why));
    } else {
      objects.put(chosen.row, object, std::move(why));
    }
    left.erase(next);
    chosen.distances = {};
    for (const std::uint32_t k : left) {
      all[k].take_note(object - first_object, distance(chosen.buffer, all[k].buffer));
    }
    next = std::min_element(left.begin(), left.end(), before);
  }
}

std::vector<Allocator> tflite_greedy_by_size_objects_allocators() {
  Allocator allocator;
  allocator.id = "tflite-greedy-by-size-objects";
  allocator.title = "TFLite greedy by size, objects";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: large buffers first, and among like ones those next in time "
      "to "
      "a buffer that has an object.";
  allocator.source =
      "Pisarchyk and Lee, arXiv 2001.03288; google-ai-edge/LiteRT "
      "tflite/delegates/gpu/common/memory_management/greedy_by_size_assignment.cc";
  allocator.can = object_planner_capabilities();
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
