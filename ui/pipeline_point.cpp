#include "ui/pipeline_point.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/document/losses.h"
#include "core/document/settled.h"
#include "ui/pipeline_planning.h"

namespace stowage {
namespace {

/// "lecture" of lecture.json and of lecture.graph.json.
std::string name_of_graph(const Document& document) {
  constexpr std::string_view kEnding = ".graph";
  std::string name = stem_of(document);
  if (name.size() > kEnding.size() && name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return name;
}

/// The last stage that has done something; null where the graph is as given.
const PipelineStage* last_stage(const PipelinePoint& point) {
  const auto& pipeline = point.document.recipe.pipeline;
  for (std::size_t k = std::min(point.stages, pipeline.size()); k > 0; --k) {
    if (pipeline[k - 1].on) return &pipeline[k - 1];
  }
  return nullptr;
}

Result<Document> without_plan_at(const PipelinePoint& point, RunContext& context) {
  GraphRecipe recipe = point.document.recipe;
  recipe.pipeline.resize(std::min(point.stages, recipe.pipeline.size()));
  auto document = remade(point.document, *point.document.graph, std::move(recipe), context);
  if (!document) return document;
  document->facts.title = name_of(point);
  document->view.clear();  // of other buffers
  if (point.buffers) {
    document->graph.reset();
    document->staged.reset();
    document->recipe = GraphRecipe();
  }
  return document;
}

Result<Document> planned(Document document, std::string allocator, const std::stop_token& stop) {
  auto run =
      by_pipeline_allocator(allocator, *document.problem, stop, [&](const Allocator& by, RunContext& run_context) {
        return run_allocator(by, *document.problem, {}, run_context);
      });
  if (!run) return tl::unexpected<Error>(std::move(run.error()));
  run->plan.id = allocator;
  document.put_plan(std::move(run->plan));
  return document;
}

}  // namespace

std::string title_of(const PipelineStage& stage) {
  const Transform* transform = find_transform(stage.transform);
  return transform == nullptr ? stage.transform : transform->title;
}

std::string title_of(const PipelinePoint& point) {
  if (point.buffers) return "Buffers";
  const PipelineStage* stage = last_stage(point);
  return stage == nullptr ? "As given" : "After " + title_of(*stage);
}

std::string name_of(const PipelinePoint& point) {
  const std::string graph = name_of_graph(point.document);
  if (point.buffers) return graph + " buffers";
  const PipelineStage* stage = last_stage(point);
  return stage == nullptr ? graph + " as given" : fmt::format("{} after {}", graph, stage->transform);
}

Result<Document> document_at(const PipelinePoint& point, const std::stop_token& stop) {
  RunContext context;
  context.stop = stop;
  auto document = without_plan_at(point, context);
  return document ? planned(std::move(*document), point.allocator, stop) : document;
}

Result<Document> settled_at(const PipelinePoint& point, const std::stop_token& stop) {
  RunContext context;
  context.stop = stop;
  auto before = without_plan_at(point, context);
  if (!before) return before;
  if (point.buffers) return planned(std::move(*before), point.allocator, stop);
  auto document = settled(*before, context);
  if (!document) return document;
  document->facts.title = before->facts.title;
  document->original.reset();  // the bytes of another graph
  const std::vector<std::string> lost = losses(*before, *document);
  if (!lost.empty()) {
    document->facts.warnings.push_back(
        fmt::format("what the transforms have decided and a graph cannot hold: {}", fmt::join(lost, ", ")));
  }
  return planned(std::move(*document), point.allocator, stop);
}

}  // namespace stowage
