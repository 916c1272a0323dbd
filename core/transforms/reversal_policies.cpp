// Policies that go back through a chain of stages and keep some entries meanwhile.

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/checkpointing.h"
#include "core/transforms/recompute_policies.h"
#include "core/transforms/stages.h"

namespace stowage {
namespace {

constexpr std::size_t kMostStages = 1024;

Result<Stages> stages_of(const RecomputeTask& task, std::size_t most) {
  const Cuts cuts = find_cuts(task.graph, task.parts, task.choice);
  if (cuts.at.empty()) {
    return fail(Error::Kind::kRefused, "recompute: the forward part has no place to start again from");
  }
  return find_stages(task.graph, task.parts, cuts, most);
}

/// Chen et al., section 4.4: k entries are kept while the stages [from, to) are run back, in parts.
void reverse_in_parts(StageRunner& runner, std::size_t from, std::size_t to, std::size_t k) {
  const std::size_t stages = to - from;
  if (stages == 1) return runner.go_back(from);
  const std::size_t parts = std::min(k + 1, stages);
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0; i <= parts; ++i) bounds.push_back(from + i * stages / parts);
  for (std::size_t i = 1; i < parts; ++i) {
    runner.advance(bounds[i - 1], bounds[i]);
    runner.hold_entry(bounds[i]);
  }
  for (std::size_t i = parts; i > 0; --i) {
    reverse_in_parts(runner, bounds[i - 1], bounds[i], k);
    if (i > 1) runner.release_entry(bounds[i - 1]);
  }
}

/// Griewank and Walther: the entry of `from` takes one of the checkpoints.
void reverse_binomially(StageRunner& runner, std::size_t from, std::size_t to, std::size_t checkpoints) {
  while (to - from > 1) {
    const std::size_t stages = to - from;
    const std::size_t step = checkpoints == 1
                                 ? stages - 1
                                 : static_cast<std::size_t>(revolve_advance(static_cast<std::int64_t>(stages),
                                                                            static_cast<std::int64_t>(checkpoints)));
    runner.advance(from, from + step);
    runner.hold_entry(from + step);
    reverse_binomially(runner, from + step, to, std::max<std::size_t>(1, checkpoints - 1));
    runner.release_entry(from + step);
    to = from + step;
  }
  runner.go_back(from);
}

}  // namespace

Result<RecomputePlan> recompute_recursively(const RecomputeTask& task, std::size_t k) {
  const auto stages = stages_of(task, kMostStages);
  if (!stages) return tl::unexpected(stages.error());
  ProgramWriter writer(task.graph, task.parts);
  StageRunner runner(task.graph, *stages, writer);
  reverse_in_parts(runner, 0, stages->size(), k);
  auto program = writer.finish();
  if (!program) return tl::unexpected(program.error());
  RecomputePlan plan;
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format("{} stages, {} checkpoint{} a level: about {:.0f} at once", stages->size(), k,
                                   k == 1 ? "" : "s",
                                   recursive_memory(static_cast<double>(stages->size()), static_cast<double>(k))));
  return plan;
}

Result<RecomputePlan> recompute_revolve(const RecomputeTask& task, std::size_t checkpoints) {
  const auto stages = stages_of(task, kMostStages);
  if (!stages) return tl::unexpected(stages.error());
  if (checkpoints == 0) {
    checkpoints = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(stages->size()))));
  }
  checkpoints = std::min(checkpoints, stages->size());
  ProgramWriter writer(task.graph, task.parts);
  StageRunner runner(task.graph, *stages, writer);
  reverse_binomially(runner, 0, stages->size(), checkpoints);
  auto program = writer.finish();
  if (!program) return tl::unexpected(program.error());
  RecomputePlan plan;
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format(
      "{} stages with {} checkpoints at once, the inputs among them: {} extra stages at least", stages->size(),
      checkpoints,
      revolve_extra_steps(static_cast<std::int64_t>(stages->size()), static_cast<std::int64_t>(checkpoints))));
  return plan;
}

}  // namespace stowage
