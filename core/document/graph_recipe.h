#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/lower.h"
#include "core/transforms/pipeline.h"

namespace stowage {

/// How an operator graph becomes a problem: ordered, sent through the pipeline, lowered.
struct GraphRecipe {
  std::string schedule = "given";  // id of a scheduler
  std::vector<PipelineStage> pipeline;
  LowerOptions lowering;
  bool operator==(const GraphRecipe&) const = default;
};

/// For people: "order memory-aware, then in-place, recompute (policy=sqrt)"; stages that are off are left out.
std::string describe(const GraphRecipe& recipe);

/// What comes of a graph and a recipe, with everything on the way.
struct Prepared {
  Staged first;                     // ordered, nothing else
  std::vector<StageResult> stages;  // one for each of the pipeline, those that are off too
  Lowered lowered;

  const Staged& last() const { return stages.empty() ? first : stages.back().after; }
};

/// Errors: usage (an unknown scheduler, transform or parameter), input (the order cannot be run, sizes do not fit),
/// refused (a transform cannot be applied), cancelled.
Result<Prepared> prepare(const Graph& graph, const GraphRecipe& recipe, RunContext& context);

}  // namespace stowage
