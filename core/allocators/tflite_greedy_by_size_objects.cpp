#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/object_planners.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/registry.h"
#include "core/allocators/task_profile.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

using Distance = std::uint64_t;
constexpr Distance kNone = std::numeric_limits<Distance>::max();

/// A buffer that has its object.
struct Bound {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint32_t object = 0;  // counted from the first of its space
};

/// A buffer that has no object yet. `distances` has one entry for each object: to the nearest of its buffers, kNone
/// when one of them overlaps.
struct Waiting {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t size = 0;
  BufferIndex row = kNoBuffer;
  Distance best_distance = kNone;
  std::uint32_t best_object = 0;
  std::vector<Distance> distances;

  bool comes_before(const Waiting& other) const {
    if (best_distance != other.best_distance) return best_distance < other.best_distance;
    return size > other.size;
  }
  void find_best() {
    const auto nearest = std::min_element(distances.begin(), distances.end());
    best_distance = *nearest;
    best_object = static_cast<std::uint32_t>(nearest - distances.begin());
  }
  /// Steps from the last one of the earlier lifetime to the first one of the later; kNone when they overlap.
  Distance distance(const Bound& other) const {
    const auto steps = [](std::int64_t earlier_end, std::int64_t later_start) {
      return static_cast<Distance>(later_start) - static_cast<Distance>(earlier_end) + 1;
    };
    if (end <= other.start) return steps(end, other.start);
    return other.end <= start ? steps(other.end, start) : kNone;
  }
  void take_note(const Bound& other) {
    const std::uint32_t object = other.object;
    const Distance d = distance(other);
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

/// The buffers of one space by their position: that of the last positional maximum which is at least their size.
std::vector<std::vector<BufferIndex>> by_position(const Problem& problem, std::span<const BufferIndex> rows,
                                                  const std::vector<std::int64_t>& maximums) {
  std::vector<std::vector<BufferIndex>> positions(maximums.size());
  for (const BufferIndex i : rows) {
    const auto end = std::upper_bound(maximums.begin(), maximums.end(), problem[i].size, std::greater<>());
    positions[static_cast<std::size_t>(end - maximums.begin()) - 1].push_back(i);  // the first is at least any size
  }
  return positions;
}

/// Binds one position after the other: nothing of a later one has its turn before.
class SizeAndDistance {
 public:
  SizeAndDistance(const Problem& problem, SharedObjects& objects)
      : problem_(problem), objects_(objects), first_object_(static_cast<std::uint32_t>(objects.count())) {}

  void bind(std::span<const BufferIndex> of_position) {
    std::vector<Waiting> waiting;
    for (const BufferIndex i : of_position) {
      if (objects_.should_stop()) return;
      waiting.push_back(waiting_for(i));
    }
    std::vector<std::uint32_t> left;  // indices into `waiting`
    for (std::uint32_t k = 0; k < waiting.size(); ++k) left.push_back(k);
    while (!left.empty()) {
      if (objects_.should_stop()) return;
      const auto next = std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
        return waiting[a].comes_before(waiting[b]);
      });
      const Bound bound = bind(waiting[*next]);
      left.erase(next);
      for (const std::uint32_t k : left) waiting[k].take_note(bound);
    }
  }

 private:
  /// With the distances to all that is bound so far, in the order in which it was: that decides between equals.
  Waiting waiting_for(BufferIndex i) const {
    Waiting waiting;
    waiting.start = problem_[i].start;
    waiting.end = problem_[i].end;
    waiting.size = problem_[i].size;
    waiting.row = i;
    for (const Bound& bound : bound_) waiting.take_note(bound);
    return waiting;
  }

  Bound bind(const Waiting& chosen) {
    std::uint32_t object = first_object_ + chosen.best_object;
    if (chosen.best_distance == kNone) {
      object = objects_.open(chosen.row, "no object is free during its lifetime");
    } else {
      objects_.put(chosen.row, object, objects_.records() ? reason(chosen, object) : std::string());
    }
    bound_.push_back(Bound{chosen.start, chosen.end, object - first_object_});
    return bound_.back();
  }

  std::string reason(const Waiting& chosen, std::uint32_t object) const {
    return fmt::format("next in time, {} steps away; {}", chosen.best_distance,
                       reuse_reason(objects_, object, chosen.size));
  }

  const Problem& problem_;
  SharedObjects& objects_;
  std::uint32_t first_object_;
  std::vector<Bound> bound_;
};

/// The lifetimes in one object; no two of them overlap.
class Occupied {
 public:
  bool is_free(const Buffer& buffer) const {
    const auto later = ends_.lower_bound(buffer.end);  // by start: the first that begins when the buffer has ended
    return later == ends_.begin() || std::prev(later)->second <= buffer.start;
  }
  void add(const Buffer& buffer) { ends_.emplace(buffer.start, buffer.end); }

 private:
  std::map<std::int64_t, std::int64_t> ends_;  // by start
};

/// The largest first, each into the smallest object that is free for its whole life: of equals the first one.
void bind_largest_first(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  std::vector<BufferIndex> order(rows.begin(), rows.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].size > problem[b].size; });
  const auto first = static_cast<std::uint32_t>(objects.count());  // of this space
  std::vector<Occupied> occupied;
  for (const BufferIndex i : order) {
    if (objects.should_stop()) return;
    std::uint32_t chosen = first + static_cast<std::uint32_t>(occupied.size());
    for (std::uint32_t object = first; object < objects.count(); ++object) {
      if (chosen < objects.count() && objects.size(object) >= objects.size(chosen)) continue;
      if (occupied[object - first].is_free(problem[i])) chosen = object;
    }
    if (chosen == objects.count()) {
      objects.open(i, "no object is free during its lifetime");
      occupied.emplace_back();
    } else {
      objects.put(i, chosen, objects.records() ? reuse_reason(objects, chosen, problem[i].size) : std::string());
    }
    occupied[chosen - first].add(problem[i]);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto& bind = params.at("rule") == "paper" ? bind_largest_first : bind_by_size_and_distance;
  return with_shapes(problem, params, plan_objects(problem, context, bind));
}

}  // namespace

/// Next comes the buffer with the lowest position; of equals the one nearest in time to a buffer of an object that it
/// can go to, then the largest.
void bind_by_size_and_distance(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  const std::vector<std::int64_t> maximums = positional_maximums(problem, problem[rows.front()].space);
  if (objects.records()) {
    std::int64_t sum = 0;
    for (const std::int64_t maximum : maximums) sum += maximum;
    objects.note(fmt::format("no plan of shared objects is below {} bytes, the sum of {} positional maximums", sum,
                             maximums.size()));
  }
  SizeAndDistance planner(problem, objects);
  const std::vector<std::vector<BufferIndex>> positions = by_position(problem, rows, maximums);
  for (std::size_t position = 0; position < positions.size(); ++position) {
    if (objects.stopped()) return;
    if (objects.records() && !positions[position].empty()) {
      objects.note(fmt::format("position {}: {} buffers of up to {} bytes", position, positions[position].size(),
                               maximums[position]));
    }
    planner.bind(positions[position]);
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
  allocator.params = {
      object_sizes_param(),
      choice_param("rule",
                   "improved: level by level of what is live at once, the nearest in time first; paper: "
                   "the largest first, into the smallest free object",
                   {"improved", "paper"})};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
