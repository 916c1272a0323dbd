#pragma once

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/transforms/transform.h"

namespace stowage {

/// One stage of a pipeline after it has run.
struct StageResult {
  PipelineStage stage;
  TransformReport report;  // empty when the stage is off
  Staged after;            // what went in when the stage is off
};

/// Runs the stages one after the other, each on what the one before made. Errors: usage (an unknown transform or
/// parameter), refused (a stage cannot be applied); they begin with the stage's name.
Result<std::vector<StageResult>> run_pipeline(const Staged& first, std::span<const PipelineStage> stages,
                                              RunContext& context);

/// What a graph that brings no pipeline goes through: in-place, when an op declares that it could.
std::vector<PipelineStage> default_pipeline(const Graph& graph);

}  // namespace stowage
