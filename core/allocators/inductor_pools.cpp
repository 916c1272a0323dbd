#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/pool_tree.h"
#include "core/allocators/registry.h"
#include "core/allocators/shared_objects.h"

namespace stowage {
namespace {

/// Which buffers share pools (Inductor's config.memory_pool).
struct Mode {
  bool outputs_apart = true;    // outputs before all others, each in a pool of its own or on top of the last
  bool outputs_on_top = false;  // on top of the last pool when there is one
  bool output_pools_grow = false;
  bool pools_grow = true;

  static Mode of(std::string_view name) {
    Mode mode;
    mode.outputs_apart = name != "combined";
    mode.outputs_on_top = name == "outputs" || name == "combined";
    mode.output_pools_grow = name == "combined";
    mode.pools_grow = name != "none";
    return mode;
  }
};

bool is_output(const Problem& problem, BufferIndex i) {
  const Details* details = problem.details(i);
  return problem.kind(i) == "output" || (details != nullptr && details->open_end);
}

/// The pools of one space, in the order in which they came to be; only the last one may grow.
class Pools {
 public:
  Pools(const Problem& problem, const Mode& mode, std::int64_t alignment)
      : problem_(problem), mode_(mode), alignment_(alignment) {}

  void add_output(BufferIndex i) {
    if (pools_.empty() || !mode_.outputs_on_top) {
      open(i, mode_.output_pools_grow, "an output has a pool of its own");
      return;
    }
    pools_.back().tree.allocate_on_top(i, problem_[i]);
    decide(i, pools_.size() - 1, "an output lies on top of the last pool");
  }

  void add(BufferIndex i) {
    for (std::size_t k = 0; k < pools_.size(); ++k) {
      Pool& pool = pools_[k];
      const bool may_grow = pool.grows && k + 1 == pools_.size();
      const std::string_view how = pool.tree.allocate(i, problem_[i], may_grow);
      if (!how.empty()) return decide(i, k, how);
      if (!may_grow) continue;
      pool.tree.allocate_on_top(i, problem_[i]);
      return decide(i, k, "lies on top of the last pool");
    }
    open(i, mode_.pools_grow, "no pool has room for it and the last may not grow");
  }

  bool fit_in_64_bits() const {
    return std::none_of(pools_.begin(), pools_.end(), [](const Pool& p) { return p.tree.size() == kMaxInt64; });
  }

  /// Each pool is an object. Only now are its size and the places inside it certain.
  void bind(SharedObjects& objects) const {
    objects.tell_what_is_passed_over();
    std::vector<std::int64_t> inner(problem_.size(), 0);
    for (const Pool& pool : pools_) pool.tree.write_offsets(inner);
    const auto first = static_cast<std::uint32_t>(objects.count());
    for (const Decision& decision : decisions_) {
      const auto object = static_cast<std::uint32_t>(first + decision.pool);
      std::string why(objects.records() ? decision.how : std::string_view());
      if (object == objects.count()) {
        objects.open(decision.buffer, pools_[decision.pool].tree.size(), std::move(why));
      } else {
        objects.put_at(decision.buffer, object, inner[decision.buffer], std::move(why));
      }
    }
  }

 private:
  struct Pool {
    PoolTree tree;
    bool grows = false;
  };
  struct Decision {
    BufferIndex buffer = kNoBuffer;
    std::size_t pool = 0;
    std::string_view how;
  };

  void open(BufferIndex i, bool grows, std::string_view how) {
    pools_.push_back(Pool{PoolTree(alignment_), grows});
    pools_.back().tree.start_with(i, problem_[i]);
    decide(i, pools_.size() - 1, how);
  }
  void decide(BufferIndex i, std::size_t pool, std::string_view how) { decisions_.push_back(Decision{i, pool, how}); }

  const Problem& problem_;
  Mode mode_;
  std::int64_t alignment_;
  std::vector<Pool> pools_;
  std::vector<Decision> decisions_;  // the first one of a pool lies at its bottom
};

/// The least alignment that suits all of these buffers; nothing when it is outside int64.
std::optional<std::int64_t> common_alignment(const Problem& problem, std::span<const BufferIndex> rows) {
  std::optional<Grid> common = Grid{};
  for (const BufferIndex i : rows) {
    if (common) common = intersect(*common, Grid{problem[i].alignment, 0});
  }
  if (!common) return std::nullopt;
  return common->step;
}

/// Outputs: small first; all others: large first; of equal ones those with the longer lifetime.
void sort_blocks(const Problem& problem, std::vector<BufferIndex>& blocks, bool small_first) {
  std::stable_sort(blocks.begin(), blocks.end(), [&](BufferIndex a, BufferIndex b) {
    if (problem[a].size != problem[b].size) return small_first == (problem[a].size < problem[b].size);
    return problem[a].lifetime() > problem[b].lifetime();
  });
}

/// False when addresses would need more than 64 bits.
bool bind_space(const Problem& problem, std::span<const BufferIndex> rows, const Mode& mode, SharedObjects& objects) {
  const std::optional<std::int64_t> alignment = common_alignment(problem, rows);
  if (!alignment) return false;
  std::vector<BufferIndex> outputs;
  std::vector<BufferIndex> others;
  for (const BufferIndex i : rows) (mode.outputs_apart && is_output(problem, i) ? outputs : others).push_back(i);
  sort_blocks(problem, outputs, true);
  sort_blocks(problem, others, false);
  Pools pools(problem, mode, *alignment);
  for (const BufferIndex i : outputs) {
    if (objects.should_stop()) return true;
    pools.add_output(i);
  }
  for (const BufferIndex i : others) {
    if (objects.should_stop()) return true;
    pools.add(i);
  }
  if (!pools.fit_in_64_bits()) return false;
  pools.bind(objects);
  return true;
}

/// Inductor aligns everything to 64 bytes; here the alignments of the buffers decide. A pool is one allocation there;
/// here pools lie one above the other. Outputs are buffers of the kind "output", or with an open end.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const Mode mode = Mode::of(params.at("pool"));
  bool possible = true;
  context.say(Step{step::Phase{"buffers are bound to pools"}, {}});
  const auto objects =
      bind_to_objects(problem, context, [&](const Problem&, std::span<const BufferIndex> rows, SharedObjects& to) {
        possible = possible && bind_space(problem, rows, mode, to);
      });
  if (!objects) return tl::unexpected(objects.error());
  if (!possible) return fail(Error::Kind::kRefused, "inductor-pools: a pool would end above 2^63-1");
  return stack_objects(problem, context, *objects);
}

}  // namespace

std::vector<Allocator> inductor_pools_allocators() {
  Allocator allocator;
  allocator.id = "inductor-pools";
  allocator.title = "Inductor pools";
  allocator.summary = "Pools as trees of splits in time and in space; first fit through them, the last pool may grow.";
  allocator.source = "pytorch/pytorch torch/_inductor/codegen/memory_planning.py";
  const ParamSpec pool = choice_param(
      "pool",
      "intermediates: outputs have pools of their own; outputs: these share one, too; combined: no difference is made; "
      "none: pools never grow",
      {"intermediates", "outputs", "combined", "none"});
  allocator.params = {pool};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
