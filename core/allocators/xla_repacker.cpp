#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/allocators/slice_times.h"
#include "core/allocators/unit.h"
#include "core/allocators/xla_heap.h"
#include "core/base/text.h"

namespace stowage {
namespace {

using Parts = std::vector<XlaHeap::Part>;

/// Repacks everything in one heap for each space; a capacity that does not suffice changes nothing.
class Repacker {
 public:
  Repacker(const Problem& problem, bool given, SliceTimes::Which which, RunContext& context)
      : problem_(problem),
        given_(given),
        which_(which),
        context_(context),
        units_(units_of(problem)),
        heap_(problem, XlaHeap::Commit::kOwnBytes, context) {
    result_.offsets.assign(problem.size(), kNoOffset);
  }

  Result<RunResult> run() {
    for (std::size_t space = 0; space < problem_.spaces().size(); ++space) {
      std::vector<const Unit*> members;
      for (const Unit& unit : units_) {
        if (problem_[unit.leader].space == space) members.push_back(&unit);
      }
      if (!given_) sort(members);
      if (context_.records()) {
        context_.say(Step{step::Phase{"blocks by the repacker's order"},
                          given_ ? "the order given" : "the longest lifetime first, then the largest"});
      }
      heap_.clear();
      for (const Unit* unit : members) {
        if (const auto placed = place(*unit); !placed) return tl::unexpected(placed.error());
      }
      const auto capacity = problem_.capacity(static_cast<std::uint16_t>(space));
      if (capacity && heap_.size() > *capacity) return too_large(static_cast<std::uint16_t>(space), *capacity);
    }
    context_.report(1);
    return std::move(result_);
  }

 private:
  /// From the leader's start to the last end of the group, falling; then size falling, then row.
  void sort(std::vector<const Unit*>& units) const {
    const auto before = [this](const Unit* a, const Unit* b) {
      const Int128 length_a = Int128{a->end} - problem_[a->leader].start;
      const Int128 length_b = Int128{b->end} - problem_[b->leader].start;
      if (length_a != length_b) return length_a > length_b;
      if (problem_[a->leader].size != problem_[b->leader].size) {
        return problem_[a->leader].size > problem_[b->leader].size;
      }
      return a->leader < b->leader;
    };
    std::sort(units.begin(), units.end(), before);
  }

  Result<void> place(const Unit& unit) {
    if (++looked_at_ % 128 == 0) {
      if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      context_.report(static_cast<double>(looked_at_) / static_cast<double>(units_.size() + 1));
    }
    if (context_.records()) context_.say(Step{step::Consider{unit.leader}, {}});
    if (!unit.takes_memory()) return settle(unit, {unit.grid.up(0), "it takes no memory"});
    if (is_sliced(unit)) return place_sliced(unit);
    auto candidate = heap_.find(unit, XlaHeap::Choice::kBest, std::nullopt);
    if (!candidate) return ends_too_high(problem_, unit.leader);
    heap_.commit(unit, candidate->offset);
    return settle(unit, std::move(*candidate));
  }

  bool is_sliced(const Unit& unit) const {
    return std::any_of(unit.members.begin(), unit.members.end(),
                       [this](const Body::Member& member) { return slices_of(member.buffer) != nullptr; });
  }
  /// A buffer with gaps stays whole: its slices would have to heed them, too.
  const std::vector<Slice>* slices_of(BufferIndex i) const {
    const Details* details = problem_.details(i);
    const bool can_be = problem_[i].takes_memory() && problem_.gaps(i).empty();
    const bool sliced = can_be && details != nullptr && details->slices.size() > 1;
    return sliced ? &details->slices : nullptr;
  }

  /// Chunks that are free once all slices are there come by rising length; in each, the lowest offset at which some
  /// order of slice times keeps every slice clear from its own start on.
  Result<void> place_sliced(const Unit& unit) {
    std::vector<std::int64_t> since;
    std::vector<SliceTimes> times;
    for (const Body::Member& member : unit.members) {
      times.emplace_back(slices_of(member.buffer), problem_[member.buffer], which_);
      since.push_back(times.back().last());
    }
    std::vector<XlaHeap::FreeChunk> roots = heap_.free_chunks(unit, since);
    std::stable_sort(roots.begin(), roots.end(), [](const auto& a, const auto& b) { return a.length() < b.length(); });
    for (const XlaHeap::FreeChunk& root : roots) {
      const auto offset = fit(unit, times, root);
      if (!offset) continue;
      for (std::size_t k = 0; k < unit.members.size(); ++k) commit(unit.members[k], times[k], *offset);
      return settle(unit, {*offset, "the smallest chunk in which every slice is free from its start on"});
    }
    return ends_too_high(problem_, unit.leader);
  }

  /// The lowest offset in a root chunk that suits every member, each with slice times of its own.
  std::optional<std::int64_t> fit(const Unit& unit, std::vector<SliceTimes>& times, const XlaHeap::FreeChunk& root) {
    std::int64_t at = unit.grid.up(root.start);
    for (std::size_t agreed = 0; agreed < unit.members.size();) {
      if (at > root.end - unit.extent) return std::nullopt;
      agreed = 0;
      for (std::size_t k = 0; k < unit.members.size(); ++k) {
        const auto next = times[k].lowest(heap_, unit.members[k], unit.grid, at);
        if (!next) return std::nullopt;
        agreed = *next == at ? agreed + 1 : 0;
        at = *next;
      }
    }
    return at;
  }

  void commit(const Body::Member& member, const SliceTimes& times, std::int64_t offset) {
    if (!problem_[member.buffer].takes_memory()) return;
    Parts parts;
    std::int64_t low = offset + member.relative;
    for (std::size_t k = 0; k < times.sizes().size(); ++k) {
      const std::int64_t high = low + times.sizes()[k];
      if (low < high) parts.push_back({low, high, times.chosen()[k]});
      low = high;
    }
    heap_.commit_parts(member.buffer, std::move(parts));
    if (slices_of(member.buffer) != nullptr) result_.slices[member.buffer] = times.chosen();
  }

  Result<void> settle(const Unit& unit, XlaHeap::Candidate candidate) {
    if (const auto set = set_offsets(problem_, unit, candidate.offset, result_.offsets); !set) return set;
    if (!context_.records()) return {};
    for (const Body::Member& member : unit.members) {
      const bool leads = member.buffer == unit.leader;
      context_.say(
          Step{step::Place{member.buffer, result_.offsets[member.buffer]}, leads ? candidate.why : "tied to another"});
    }
    return {};
  }

  tl::unexpected<Error> too_large(std::uint16_t space, std::int64_t capacity) const {
    return fail(
        Error::Kind::kRefused,
        fmt::format("xla-repacker: {} needs {} bytes, {} more than its capacity {}; nothing is changed",
                    printable_utf8(problem_.spaces()[space].id), heap_.size(), heap_.size() - capacity, capacity));
  }

  const Problem& problem_;
  bool given_;
  SliceTimes::Which which_;
  RunContext& context_;
  std::vector<Unit> units_;
  XlaHeap heap_;
  RunResult result_;
  std::size_t looked_at_ = 0;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const bool given = params.at("order") == "given";
  const auto which = params.at("slice-times") == "all" ? SliceTimes::Which::kAll : SliceTimes::Which::kPreferred;
  return Repacker(problem, given, which, context).run();
}

}  // namespace

std::vector<Allocator> xla_repacker_allocators() {
  Allocator allocator;
  allocator.id = "xla-repacker";
  allocator.title = "XLA repacker";
  allocator.summary =
      "Repacks memory space assignment: longest lifetime first into the smallest chunk, sliced buffers too.";
  allocator.source = "openxla/xla xla/service/memory_space_assignment/best_fit_repacker.cc";
  const ParamSpec order = choice_param(
      "order", "longest: from the start of a block to the end of its group; given: by row", {"longest", "given"});
  const ParamSpec times = choice_param(
      "slice-times", "which orders of the times of a buffer's slices are tried: all, or three that XLA prefers",
      {"all", "preferred"});
  allocator.params = {order, times};
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.can.slices = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
