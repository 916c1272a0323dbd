#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/allocators/free_slots.h"
#include "core/allocators/order.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// Offsets from free slots first, of which some collide; then rounds that colour the graph of collisions and lift every
/// buffer that does not have colour 0 above its neighbours, until there are none.
class Coloring {
 public:
  /// `partition`: 0, or the bytes of a partition: buffers that an explicit edge keeps apart may then share none.
  Coloring(const Problem& problem, std::int64_t partition, std::int64_t rounds, RunContext& context)
      : problem_(problem), partition_(partition), rounds_(rounds), context_(context), placed_(problem) {}

  Result<RunResult> run() {
    const auto order = make_order(problem_, "size");
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (!problem_[i].takes_memory()) place(i, problem_.grid(i).up(0), "it takes no memory");
    }
    for (std::size_t space = 0; space < problem_.spaces().size(); ++space) {
      std::vector<BufferIndex> members;
      for (const BufferIndex i : *order) {
        if (problem_[i].space == space && problem_[i].takes_memory()) members.push_back(i);
      }
      context_.say(Step{step::Phase{"the lowest free slot"}, "the largest buffer first that meets no other slot"});
      if (!fill_slots(members)) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      const auto mended = mend(members);
      if (!mended) return tl::unexpected(mended.error());
    }
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (!checked_add(placed_.offset(i), problem_[i].size)) return ends_too_high(problem_, i);
    }
    context_.report(1);
    RunResult result;
    result.offsets = placed_.offsets();
    result.iterations = std::max<std::int64_t>(1, round_);
    return result;
  }

 private:
  void place(BufferIndex i, std::int64_t offset, std::string why) {
    placed_.place(i, offset);
    if (context_.records()) context_.say(Step{step::Place{i, offset}, std::move(why)});
  }
  std::int64_t end_of(BufferIndex i) const { return add_up_to_max(placed_.offset(i), problem_[i].size); }

  bool kept_apart(BufferIndex a, BufferIndex b) const { return partition_ > 0 && problem_.has_edge(a, b); }
  bool shares_partition(BufferIndex a, BufferIndex b) const {
    const auto first = [this](BufferIndex i) {
      return placed_.offset(i) / partition_;
    };
    const auto last = [this](BufferIndex i) {
      return (end_of(i) - 1) / partition_;
    };
    return first(a) <= last(b) && first(b) <= last(a);
  }
  bool collide(BufferIndex a, BufferIndex b) const {
    if (kept_apart(a, b)) return shares_partition(a, b);
    return placed_.offset(a) < end_of(b) && placed_.offset(b) < end_of(a);
  }
  /// The lowest offset above `other` that `i` may have.
  std::int64_t above(BufferIndex other, BufferIndex i) const {
    return kept_apart(other, i) ? align_up(end_of(other), partition_) : end_of(other);
  }

  /// False when asked to stop.
  bool fill_slots(std::span<const BufferIndex> members) {
    FreeSlots slots(problem_, members);
    std::size_t steps = 0;
    for (std::size_t left = members.size(); left > 0;) {
      if (++steps % 256 == 0 && context_.should_stop()) return false;
      const auto slot = slots.pop();
      if (!slot) break;  // never: a waiting buffer always meets a slot
      const auto rank = slots.first_fitting(*slot);
      if (!rank) continue;
      const BufferIndex i = members[*rank];
      placed_.place(i, problem_.grid(i).up(slot->offset));
      if (const auto blocked = blocked_until(i)) {
        placed_.place(i, kNoOffset);
        slots.put_back({*blocked, slot->start, slot->end});
        continue;
      }
      place(i, placed_.offset(i), "the lowest free slot that it meets, and it meets no other");
      slots.take(*slot, *rank, end_of(i));
      --left;
    }
    return true;
  }

  /// The end of the partitions of a buffer from which `i` must keep away, when it is in them.
  std::optional<std::int64_t> blocked_until(BufferIndex i) const {
    if (partition_ == 0) return std::nullopt;
    for (const BufferIndex other : problem_.edges_of(i)) {
      const bool is_there = problem_[other].takes_memory() && placed_.is_placed(other);
      if (other == i || !is_there || problem_[other].space != problem_[i].space) continue;
      if (shares_partition(i, other)) return align_up(end_of(other), partition_);
    }
    return std::nullopt;
  }

  Result<void> mend(std::span<const BufferIndex> members) {
    for (std::int64_t round = 1;; ++round) {
      const bool any = find_collisions(members);
      if (!any) return {};
      if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      if (round > rounds_) {
        return fail(Error::Kind::kRefused,
                    fmt::format("triton-coloring: buffers still collide after {} rounds", rounds_));
      }
      ++round_;
      if (context_.records()) context_.say(Step{step::Phase{fmt::format("colouring, round {}", round)}, {}});
      color(members);
      if (const auto lifted = lift(members); !lifted) return tl::unexpected(lifted.error());
    }
  }

  bool find_collisions(std::span<const BufferIndex> members) {
    neighbours_.assign(problem_.size(), {});
    bool any = false;
    for (const BufferIndex i : members) {
      for (const Overlap& overlap : placed_.of(i)) {
        if (!collide(i, overlap.other)) continue;
        neighbours_[i].push_back(overlap.other);
        any = true;
      }
    }
    return any;
  }

  /// Greedy: each takes the smallest colour that none of its neighbours has.
  void color(std::span<const BufferIndex> members) {
    constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    colors_.assign(problem_.size(), kNone);
    std::vector<BufferIndex> used_by(1, kNoBuffer);  // by colour: the last buffer that saw it at a neighbour
    for (const BufferIndex i : members) {
      for (const BufferIndex other : neighbours_[i]) {
        if (colors_[other] != kNone) used_by[colors_[other]] = i;
      }
      std::uint32_t color = 0;
      while (used_by[color] == i) ++color;
      colors_[i] = color;
      if (color + 1 == used_by.size()) used_by.push_back(kNoBuffer);
    }
  }

  /// In order, so that a buffer meets neighbours that have moved already.
  Result<void> lift(std::span<const BufferIndex> members) {
    for (const BufferIndex i : members) {
      if (colors_[i] == 0) continue;
      std::int64_t floor = 0;
      for (const BufferIndex other : neighbours_[i]) {
        say_blocked(context_, i, other, placed_.offset(i), placed_.offset(other), problem_[i].size);
        floor = std::max(floor, above(other, i));
      }
      const std::int64_t offset = problem_.grid(i).up(floor);
      if (!checked_add(offset, problem_[i].size)) return ends_too_high(problem_, i);
      place(i, offset,
            context_.records() ? fmt::format("colour {}: above all it collides with", colors_[i]) : std::string());
    }
    return {};
  }

  const Problem& problem_;
  std::int64_t partition_;
  std::int64_t rounds_;
  RunContext& context_;
  PlacedConflicts placed_;
  std::vector<std::vector<BufferIndex>> neighbours_;
  std::vector<std::uint32_t> colors_;
  std::int64_t round_ = 0;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto partition = parse_bytes(params.at("partition"));
  if (!partition) return usage_error(fmt::format("partition: '{}' is not a number of bytes", params.at("partition")));
  const auto rounds = parse_int(params.at("rounds"));
  if (!rounds || *rounds < 1) return usage_error(fmt::format("rounds: '{}' is not a number", params.at("rounds")));
  return Coloring(problem, *partition, *rounds, context).run();
}

}  // namespace

std::vector<Allocator> triton_coloring_allocators() {
  Allocator allocator;
  allocator.id = "triton-coloring";
  allocator.title = "Triton colouring";
  allocator.summary = "Shared memory of GPU kernels: lowest free slots first, then collisions are coloured and lifted.";
  allocator.source = "triton-lang/triton lib/Analysis/Allocation.cpp";
  const ParamSpec partition = open_param(
      "partition", "bytes of a memory partition: buffers with an explicit conflict then share none; 0: no partitions",
      {"0"});
  const ParamSpec rounds =
      open_param("rounds", "how often it may lift colliding buffers before it gives up", {"10000"});
  allocator.params = {partition, rounds};
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
