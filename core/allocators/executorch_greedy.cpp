#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/registry.h"
#include "core/allocators/shared_objects.h"

namespace stowage {
namespace {

std::int64_t padded_size(const Buffer& buffer) {
  return align_up(buffer.size, buffer.alignment);
}

/// Larger ones first, of equal ones the last: the origin sorts by rising size, stable, and reverses.
std::vector<BufferIndex> in_order(const Problem& problem, std::span<const BufferIndex> rows) {
  std::vector<BufferIndex> order(rows.rbegin(), rows.rend());
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return padded_size(problem[a]) > padded_size(problem[b]); });
  return order;
}

/// The objects of one memory, each with what lies in it.
class Memory {
 public:
  Memory(const Problem& problem, SharedObjects& objects, bool may_overlap)
      : problem_(problem),
        objects_(objects),
        may_overlap_(may_overlap),
        first_(static_cast<std::uint32_t>(objects.count())) {}

  void bind(BufferIndex i) {
    const std::optional<Place> place = find(i);
    const std::int64_t size = padded_size(problem_[i]);
    if (!place) {
      objects_.open(i, size, "no object has room for it");
      members_.emplace_back();
      members_.back().push_back(Member{problem_.sections().range(i), size});
      return;
    }
    objects_.put_at(i, first_ + place->object, place->inner, objects_.records() ? reason(*place, size) : std::string());
    members_[place->object].push_back(Member{problem_.sections().range(i), place->inner + size});
  }

 private:
  struct Member {
    SectionRange range;
    std::int64_t end = 0;  // inside the object
  };
  struct Place {
    std::uint32_t object = 0;  // counted from first_
    std::int64_t inner = 0;
  };

  /// The first object with nothing live at the same time; else the first with enough room above what is.
  std::optional<Place> find(BufferIndex i) const {
    std::optional<Place> above;
    for (std::uint32_t object = 0; object < members_.size(); ++object) {
      const std::int64_t end = end_of_overlapping(i, object);
      if (end == 0) return Place{object, 0};
      if (above || !may_overlap_) continue;
      const std::int64_t inner = align_up(end, problem_[i].alignment);
      if (inner <= objects_.size(first_ + object) - padded_size(problem_[i])) above = Place{object, inner};
    }
    return above;
  }

  std::int64_t end_of_overlapping(BufferIndex i, std::uint32_t object) const {
    const SectionRange range = problem_.sections().range(i);
    std::int64_t end = 0;
    for (const Member& member : members_[object]) {
      if (member.range.overlaps(range)) end = std::max(end, member.end);
    }
    return end;
  }

  std::string reason(const Place& place, std::int64_t size) const {
    if (place.inner == 0) return reuse_reason(objects_, first_ + place.object, size);
    return fmt::format("every object is in use; object {} has room for {} bytes above {}", first_ + place.object, size,
                       place.inner);
  }

  const Problem& problem_;
  SharedObjects& objects_;
  bool may_overlap_;
  std::uint32_t first_;
  std::vector<std::vector<Member>> members_;
};

/// The planner without reuse: one behind the other, as they are listed.
void bind_naively(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  for (const BufferIndex i : rows) {
    if (objects.should_stop()) return;
    objects.open(i, padded_size(problem[i]), "nothing is shared");
  }
}

void bind_greedily(const Problem& problem, std::span<const BufferIndex> rows, bool may_overlap,
                   SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  Memory memory(problem, objects, may_overlap);
  for (const BufferIndex i : in_order(problem, rows)) {
    if (objects.should_stop()) return;
    memory.bind(i);
  }
}

/// The suite runs both planners and takes the one that needs least, greedy of equals. An object is as large as the
/// buffer that opened it, so greedy never needs more: only the bytes of the other need be known.
void tell_naive_bytes(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  std::int64_t bytes = 0;
  for (const BufferIndex i : rows) bytes = checked_add(bytes, padded_size(problem[i])).value_or(kMaxInt64);
  objects.note(fmt::format("the naive planner needs {} bytes, greedy never more: greedy is taken", bytes));
}

/// A space is what the origin calls a memory id. Sizes count rounded up to the alignment; objects never grow.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const std::string& planner = params.at("planner");
  const bool may_overlap = params.at("overlap") == "true";
  return plan_objects(problem, context, [&](const Problem&, std::span<const BufferIndex> rows, SharedObjects& objects) {
    if (planner == "naive") return bind_naively(problem, rows, objects);
    if (planner == "suite" && objects.records()) tell_naive_bytes(problem, rows, objects);
    bind_greedily(problem, rows, may_overlap, objects);
  });
}

}  // namespace

std::vector<Allocator> executorch_greedy_allocators() {
  Allocator allocator;
  allocator.id = "executorch-greedy";
  allocator.title = "ExecuTorch greedy";
  allocator.summary =
      "Largest first into shared objects; inside an object that is in use, above what is live at the same time.";
  allocator.source = "pytorch/executorch exir/memory_planning.py";
  const ParamSpec overlap = choice_param(
      "overlap", "true: buffers live at the same time may lie one above the other inside an object", {"true", "false"});
  const ParamSpec planner = choice_param(
      "planner",
      "greedy; naive: one behind the other as they are listed; suite: the smaller of both, which is always greedy's",
      {"greedy", "naive", "suite"});
  allocator.params = {planner, overlap};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
