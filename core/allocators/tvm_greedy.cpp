#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/allocators/conflict_lists.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"
#include "core/model/check.h"

namespace stowage {
namespace {

/// Where a buffer could lie in one of its pools.
struct Candidate {
  std::uint16_t pool = 0;
  Grid grid;
  std::int64_t limit = kMaxInt64;
  std::optional<std::int64_t> at;    // nothing: the pool is ruled out
  std::int64_t missing = kMaxInt64;  // bytes, when it is
};

class Greedy {
 public:
  Greedy(const Problem& problem, std::string_view id, ConflictLists::First first, bool strict, RunContext& context)
      : problem_(problem), id_(id), first_(first), strict_(strict), context_(context), lists_(problem) {
    result_.offsets.assign(problem.size(), kNoOffset);
    result_.spaces.assign(problem.size(), 0);
  }

  Result<RunResult> run() {
    const std::vector<BufferIndex> order = lists_.in_order(first_);
    if (context_.records()) {
      context_.say(Step{step::Phase{"above every placed conflict"},
                        first_ == ConflictLists::First::kSize ? "largest first" : "most conflicts first"});
    }
    std::size_t done = 0;
    for (const BufferIndex i : order) {
      if (++done % 256 == 0) {
        if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
        context_.report(static_cast<double>(done) / static_cast<double>(order.size()));
      }
      if (context_.records()) context_.say(Step{step::Consider{i}, {}});
      const auto placed = problem_[i].takes_memory() ? place(i) : place_empty(i);
      if (!placed) return tl::unexpected(placed.error());
    }
    context_.report(1);
    if (!problem_.needs().candidates) result_.spaces.clear();
    if (strict_ && !is_valid()) {
      return fail(Error::Kind::kRefused,
                  fmt::format("{}: with strict=true buffers collide, as they would in the origin", id_));
    }
    return std::move(result_);
  }

 private:
  bool is_valid() const {
    Plan plan;
    plan.offsets = result_.offsets;
    plan.spaces = result_.spaces;
    return check_plan(problem_, plan).valid();
  }

  std::span<const BufferIndex> list(BufferIndex i) const { return strict_ ? lists_.given(i) : lists_.complete(i); }
  bool is_placed(BufferIndex i) const { return result_.offsets[i] != kNoOffset; }

  Result<void> place_empty(BufferIndex i) {
    const std::uint16_t pool = pools_of(problem_, i).front();
    settle(i, pool, grid_in(problem_, i, pool).up(0), "it takes no memory");
    return {};
  }

  Result<void> place(BufferIndex i) {
    std::vector<Candidate> candidates;
    for (const std::uint16_t pool : pools_of(problem_, i)) {
      Candidate candidate{pool, grid_in(problem_, i, pool), problem_.capacity(pool).value_or(kMaxInt64), {}, kMaxInt64};
      offer(i, candidate, candidate.grid.up(0));
      candidates.push_back(candidate);
    }
    for (const BufferIndex other : list(i)) {
      if (!is_placed(other) || !problem_[other].takes_memory()) continue;
      const auto same = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
        return candidate.pool == result_.spaces[other];
      });
      if (same != candidates.end()) raise(i, other, *same);
    }
    for (const Candidate& candidate : candidates) {
      if (!candidate.at || (!strict_ && collides(i, candidate))) continue;
      settle(i, candidate.pool, *candidate.at, why(candidate));
      return {};
    }
    return does_not_fit(i, candidates);
  }

  /// Takes a place in a pool, or rules the pool out.
  void offer(BufferIndex i, Candidate& candidate, std::int64_t at) const {
    const std::int64_t end = add_up_to_max(at, problem_[i].size);
    if (at <= candidate.limit - problem_[i].size) {
      candidate.at = std::max(candidate.at.value_or(0), at);
      return;
    }
    candidate.at.reset();
    candidate.missing = std::min(candidate.missing, end - candidate.limit);
  }

  /// Lifts the candidate above a placed conflict. The origin rounds up to the alignment of the conflict only. A pool
  /// that was ruled out comes back with a lower conflict, which can put the buffer where another one lies: that is for
  /// collides() to find.
  void raise(BufferIndex i, BufferIndex other, Candidate& candidate) const {
    const std::int64_t offset = result_.offsets[other];
    if (candidate.at) say_blocked(context_, i, other, *candidate.at, offset, problem_[i].size);
    const Grid theirs = grid_in(problem_, other, candidate.pool);
    const std::int64_t end = theirs.up(add_up_to_max(offset, problem_[other].size));
    offer(i, candidate, strict_ ? end : candidate.grid.up(end));
  }

  bool collides(BufferIndex i, const Candidate& candidate) const {
    const std::int64_t end = *candidate.at + problem_[i].size;
    for (const BufferIndex other : lists_.complete(i)) {
      if (!is_placed(other) || result_.spaces[other] != candidate.pool) continue;
      const std::int64_t offset = result_.offsets[other];
      if (*candidate.at < offset + problem_[other].size && offset < end) return true;
    }
    return false;
  }

  std::string why(const Candidate& candidate) const {
    if (!context_.records()) return {};
    return fmt::format("above all its conflicts in {}, the first of its pools with room",
                       printable_utf8(problem_.spaces()[candidate.pool].id));
  }

  void settle(BufferIndex i, std::uint16_t pool, std::int64_t offset, std::string reason) {
    result_.offsets[i] = offset;
    result_.spaces[i] = pool;
    if (context_.records()) context_.say(Step{step::Place{i, offset}, std::move(reason)});
  }

  tl::unexpected<Error> does_not_fit(BufferIndex i, const std::vector<Candidate>& candidates) const {
    const auto closest = std::min_element(candidates.begin(), candidates.end(),
                                          [](const Candidate& a, const Candidate& b) { return a.missing < b.missing; });
    if (closest->missing <= 0) return ends_too_high(problem_, i);  // without a limit
    return fail(Error::Kind::kRefused, fmt::format("{}: {} fits into none of its pools, {} bytes are missing in {}",
                                                   id_, printable_utf8(problem_.id(i)), closest->missing,
                                                   printable_utf8(problem_.spaces()[closest->pool].id)));
  }

  const Problem& problem_;
  std::string_view id_;
  ConflictLists::First first_;
  bool strict_;
  RunContext& context_;
  ConflictLists lists_;
  RunResult result_;
};

Result<RunResult> run_by_size(const Problem& problem, const ParamValues& params, RunContext& context) {
  const bool strict = params.at("strict") == "true";
  return Greedy(problem, "tvm-greedy-by-size", ConflictLists::First::kSize, strict, context).run();
}

Result<RunResult> run_by_conflicts(const Problem& problem, const ParamValues& params, RunContext& context) {
  const bool strict = params.at("strict") == "true";
  return Greedy(problem, "tvm-greedy-by-conflicts", ConflictLists::First::kConflicts, strict, context).run();
}

}  // namespace

std::vector<Allocator> tvm_greedy_allocators() {
  Allocator by_size;
  by_size.id = "tvm-greedy-by-size";
  by_size.title = "TVM greedy by size";
  by_size.summary = "TVM's unified static memory planner: largest first, always above every placed conflict.";
  by_size.source = "apache/tvm v0.14.0 src/tir/usmp/algo/greedy.cc";
  const ParamSpec strict = choice_param(
      "strict", "take one-sided conflict lists and full pools as the origin does, and refuse what then collides",
      {"false", "true"});
  by_size.params = {strict};
  by_size.can.fixed_offsets = false;
  by_size.can.conflict_edges = true;
  by_size.can.clocks = true;
  by_size.can.candidates = true;
  by_size.unasked_up_to = 5'000;
  by_size.run = run_by_size;

  Allocator by_conflicts = by_size;
  by_conflicts.id = "tvm-greedy-by-conflicts";
  by_conflicts.title = "TVM greedy by conflicts";
  by_conflicts.summary = "TVM's unified static memory planner: most conflicts first, above every placed conflict.";
  by_conflicts.unasked_up_to = 5'000;
  by_conflicts.run = run_by_conflicts;
  return {by_size, by_conflicts};
}

}  // namespace stowage
