#include "core/transforms/pipeline.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stowage {

Result<std::vector<StageResult>> run_pipeline(const Staged& first, std::span<const PipelineStage> stages,
                                              RunContext& context) {
  std::vector<StageResult> results;
  for (const PipelineStage& stage : stages) {
    const Transform* transform = find_transform(stage.transform);
    if (transform == nullptr) return usage_error(fmt::format("there is no transform {}", stage.transform));
    const Staged& before = results.empty() ? first : results.back().after;
    StageResult result{stage, {}, {}};
    if (stage.on) {
      auto transformed = run_transform(*transform, before, stage.params, context);
      if (!transformed)
        return fail(transformed.error().kind, fmt::format("{}: {}", stage.transform, transformed.error().message));
      result.report = std::move(transformed->report);
      result.after = std::move(transformed->staged);
    } else {
      result.after = before;
    }
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<PipelineStage> default_pipeline(const Graph& graph) {
  const bool declared =
      std::any_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) { return !op.inplace.empty(); });
  if (!declared) return {};
  return {PipelineStage{"in-place", true, {}}};
}

}  // namespace stowage
