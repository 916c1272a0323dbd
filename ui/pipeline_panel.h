#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/graph_recipe.h"
#include "core/tasks/background.h"
#include "core/tasks/stage_numbers.h"
#include "ui/workbench.h"

namespace stowage {

/// What each stage of the open graph's pipeline does, measured beside drawing.
struct PipelinePanel {
  struct Measured {
    std::vector<StageNumbers> numbers;     // before the pipeline, and after each stage
    std::vector<TransformReport> reports;  // by stage
    std::string allocator;                 // whose makespans these are
  };

  std::shared_ptr<const Graph> graph;  // for which this was measured
  GraphRecipe recipe;
  std::string allocator;  // of the plan that was shown
  std::optional<Measured> measured;
  std::string failure;
  Background<Result<Measured>> work;
  std::size_t open_stage = static_cast<std::size_t>(-1);  // its parameters and remarks are shown
};

/// Starts measuring when the graph, its recipe or the allocator of the shown plan has changed since.
void follow_pipeline(Workbench::State& state);
/// Another recipe for the open graph: one entry of the history, made in the background.
void change_recipe(Workbench::State& state, std::string label, GraphRecipe recipe);
/// Another graph, by the same recipe: one entry of the history.
void change_graph(Workbench::State& state, std::string label, Result<Graph> graph);

}  // namespace stowage
