#include "core/document/graph_recipe.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/graph/schedule.h"

namespace stowage {

Result<Prepared> prepare(const Graph& graph, const GraphRecipe& recipe, RunContext& context) {
  const Scheduler* scheduler = find_scheduler(recipe.schedule);
  if (scheduler == nullptr) return usage_error(fmt::format("there is no schedule {}", recipe.schedule));
  auto schedule = run_scheduler(*scheduler, graph, {}, context);
  if (!schedule) return tl::unexpected(schedule.error());
  Prepared prepared;
  prepared.first = staged_in(graph, std::move(*schedule));
  auto stages = run_pipeline(prepared.first, recipe.pipeline, context);
  if (!stages) return tl::unexpected(stages.error());
  prepared.stages = std::move(*stages);
  auto lowered = lower(prepared.last(), recipe.lowering);
  if (!lowered) return tl::unexpected(lowered.error());
  prepared.lowered = std::move(*lowered);
  return prepared;
}

std::string describe(const GraphRecipe& recipe) {
  std::string words = "order " + recipe.schedule;
  const char* before = ", then ";
  for (const PipelineStage& stage : recipe.pipeline) {
    if (!stage.on) continue;
    words += before + stage.transform;
    before = ", ";
    if (stage.params.empty()) continue;
    std::vector<std::string> params;
    for (const auto& [key, value] : stage.params) params.push_back(fmt::format("{}={}", key, value));
    words += fmt::format(" ({})", fmt::join(params, ", "));
  }
  return words;
}

}  // namespace stowage
