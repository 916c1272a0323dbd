#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/busy_times.h"
#include "core/allocators/object_planners.h"
#include "core/allocators/registry.h"
#include "core/allocators/tensor_shape.h"

namespace stowage {
namespace {

/// The buffers that still wait, found by the sections during which they live. A segment tree: each buffer is listed at
/// O(log n) nodes, and a node is emptied when one of its sections is asked for, since then all of its buffers are
/// taken.
class WaitingBySection {
 public:
  explicit WaitingBySection(std::size_t sections) : leaves_(sections), nodes_(2 * sections) {}

  void add(BufferIndex i, SectionRange range) {
    if (waits_.size() <= i) waits_.resize(std::size_t{i} + 1, false);
    waits_[i] = true;
    auto first = static_cast<std::size_t>(range.first) + leaves_;
    auto last = static_cast<std::size_t>(range.last) + leaves_;
    for (; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) nodes_[first++].push_back(i);
      if (last % 2 == 1) nodes_[--last].push_back(i);
    }
  }

  /// Takes out all that live during the section.
  std::vector<BufferIndex> take(std::size_t section) {
    std::vector<BufferIndex> taken;
    for (std::size_t node = section + leaves_; node > 0; node /= 2) {
      for (const BufferIndex i : nodes_[node]) {
        if (waits_[i]) taken.push_back(i);
        waits_[i] = false;
      }
      nodes_[node].clear();
    }
    return taken;
  }

 private:
  std::size_t leaves_;
  std::vector<std::vector<BufferIndex>> nodes_;
  std::vector<bool> waits_;
};

/// The objects of one space with the times at which they are in use.
class Breadth {
 public:
  Breadth(const Problem& problem, SharedObjects& objects)
      : problem_(problem), objects_(objects), first_(static_cast<std::uint32_t>(objects.count())) {}

  void bind(BufferIndex i) {
    const Buffer& buffer = problem_[i];
    const std::optional<std::uint32_t> object = choose(buffer);
    if (object) {
      objects_.put(i, *object, objects_.records() ? reuse_reason(objects_, *object, buffer.size) : std::string());
      busy_[*object - first_].add(buffer.start, buffer.end);
      return;
    }
    objects_.open(i, busy_.empty() ? "there is no object yet" : "all objects are in use during its lifetime");
    busy_.emplace_back();
    busy_.back().add(buffer.start, buffer.end);
  }

 private:
  /// The smallest object that is large enough, else the largest; of equals the first.
  std::optional<std::uint32_t> choose(const Buffer& buffer) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t k = 0; k < busy_.size(); ++k) {
      const std::uint32_t object = first_ + k;
      if (best && !is_better(objects_.size(object), objects_.size(*best), buffer.size)) continue;
      if (busy_[k].is_free(buffer.start, buffer.end)) best = object;
    }
    return best;
  }

  static bool is_better(std::int64_t size, std::int64_t best, std::int64_t needed) {
    return best < needed ? size > best : size >= needed && size < best;
  }

  const Problem& problem_;
  SharedObjects& objects_;
  std::uint32_t first_;
  std::vector<BusyTimes> busy_;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return with_shapes(problem, params, plan_objects(problem, context, bind_by_breadth));
}

}  // namespace

/// A task's breadth is the sum of the sizes live during it. Tasks of one section come and go with nothing in between
/// but arrivals, so the section's last task has the largest breadth and all of their buffers: the others have nothing
/// left to do.
void bind_by_breadth(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  const Sections& sections = problem.sections();
  const auto begin = static_cast<std::size_t>(sections.first_of_space(problem[rows.front()].space));
  const auto end = static_cast<std::size_t>(sections.first_of_space(problem[rows.front()].space + std::size_t{1}));
  WaitingBySection waiting(sections.count());
  for (const BufferIndex i : rows) waiting.add(i, sections.range(i));

  std::vector<std::size_t> tasks;
  for (std::size_t section = begin; section < end; ++section) tasks.push_back(section);
  std::stable_sort(tasks.begin(), tasks.end(),
                   [&](std::size_t a, std::size_t b) { return sections[a].load > sections[b].load; });

  Breadth breadth(problem, objects);
  for (const std::size_t task : tasks) {
    std::vector<BufferIndex> profile = waiting.take(task);
    if (profile.empty()) continue;
    std::sort(profile.begin(), profile.end(), [&](BufferIndex a, BufferIndex b) {
      return problem[a].size != problem[b].size ? problem[a].size > problem[b].size : a < b;
    });
    if (objects.records()) {
      objects.note(fmt::format("{} bytes are live during [{}, {}); {} of these buffers have no object yet",
                               sections[task].load, sections[task].start, sections[task].end, profile.size()));
    }
    for (const BufferIndex i : profile) {
      if (objects.should_stop()) return;
      breadth.bind(i);
    }
  }
}

std::vector<Allocator> tflite_greedy_by_breadth_allocators() {
  Allocator allocator;
  allocator.id = "tflite-greedy-by-breadth";
  allocator.title = "TFLite greedy by breadth";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: the times with the most live bytes first, and of each the "
      "largest buffers.";
  allocator.source =
      "Pisarchyk and Lee, arXiv 2001.03288; google-ai-edge/LiteRT "
      "tflite/delegates/gpu/common/memory_management/greedy_by_breadth_assignment.cc";
  allocator.params = {object_sizes_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
