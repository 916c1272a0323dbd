#include "app/commands/graph_frames.h"

#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/commands/reading.h"
#include "core/chart/graph_figure.h"
#include "core/chart/played_graph.h"
#include "core/document/graph_recipe.h"

namespace stowage {

Result<PlayedStage> play_last_stage(const Document& document, RunContext context) {
  GraphRecipe recipe = document.recipe;
  while (!recipe.pipeline.empty() && !recipe.pipeline.back().on) recipe.pipeline.pop_back();
  if (recipe.pipeline.empty()) {
    return usage_error(
        fmt::format("{} goes through no transform: name the one to draw with --with", shown_name(document.path)));
  }
  const PipelineStage last = std::move(recipe.pipeline.back());
  recipe.pipeline.pop_back();
  auto prepared = prepare(*document.graph, recipe, context);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));

  PlayedStage stage;
  stage.transform = last.transform;
  stage.before = prepared->last();
  context.steps = &stage.steps;
  auto results = run_pipeline(stage.before, {&last, 1}, context);
  if (!results) return tl::unexpected(std::move(results.error()));
  TransformReport& report = results->back().report;
  stage.subjects = step_subjects(stage.steps.steps(), report.remarks);
  stage.implied = std::move(report.implied);
  stage.after = std::move(results->back().after);
  return stage;
}

GraphFrameArtist::GraphFrameArtist(const PlayedStage& stage, FrameLook look, const Theme& theme)
    : stage_(stage),
      look_(std::move(look)),
      theme_(theme),
      layout_(layout_graph(stage.before.graph, stage.before.schedule, GraphColumns::kLayers)),
      colour_(decides_memory(stage.before, stage.after) ? GraphColour::kStorage : GraphColour::kType),
      colours_(played_colours(stage.before, stage.after, colour_)),
      gives_tags_(gives_tags(stage.steps.steps())) {}

Scene GraphFrameArtist::frame(std::size_t position) const {
  const std::vector<Step>& steps = stage_.steps.steps();
  GraphFigureInput input;
  input.staged = &stage_.before;
  input.layout = &layout_;
  input.colour = colour_;
  input.colour_of = colours_;
  input.implied = stage_.implied;
  input.title = look_.title;
  input.subtitle = fmt::format("{} \u00B7 step {} of {}", stage_.transform, position, steps.size());
  input.width = look_.width;
  input.height = look_.height;
  input.scale = look_.scale;
  std::optional<GraphMoment> moment;
  if (gives_tags_) moment = moment_of_tags(stage_.before, steps, position);
  if (moment) input.moment = &*moment;
  if (position > 0) {
    const Graph& graph = stage_.before.graph;
    const StepSubject& subject = stage_.subjects[position - 1];
    input.told = ops_about(graph, subject);
    input.told_tensor = subject.tensor;
    input.subtitle += ": " + caption(steps[position - 1], [&](BufferIndex t) {
                        return t < graph.tensors().size() ? graph.tensor(t).id : std::string("?");
                      });
  }
  return make_graph_figure(input, theme_, measure_);
}

}  // namespace stowage
