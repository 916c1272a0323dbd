#include "ui/pipeline_panel.h"

#include <utility>

#include "core/allocators/allocator.h"
#include "ui/pipeline_planning.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The id of the allocator that made the shown plan; empty for a plan by hand or of a file.
std::string shown_allocator(const State& state) {
  const Plan* plan = state.plan();
  return plan == nullptr || find_allocator(plan->allocator) == nullptr ? std::string() : plan->allocator;
}

Result<PipelinePanel::Measured> measure_pipeline(const Graph& graph, const GraphRecipe& recipe, std::string allocator,
                                                 const std::stop_token& stop) {
  RunContext context;
  context.stop = stop;
  auto prepared = prepare(graph, recipe, context);
  if (!prepared) return tl::unexpected<Error>(std::move(prepared.error()));
  const Problem& problem = prepared->lowered.problem;
  auto numbers = by_pipeline_allocator(allocator, problem, stop, [&](const Allocator& by, RunContext& run_context) {
    return stage_numbers(*prepared, recipe.lowering, by, run_context);
  });
  if (!numbers) return tl::unexpected<Error>(std::move(numbers.error()));
  PipelinePanel::Measured measured;
  measured.numbers = std::move(*numbers);
  measured.allocator = std::move(allocator);
  for (StageResult& stage : prepared->stages) measured.reports.push_back(std::move(stage.report));
  return measured;
}

void remake(State& state, std::string label, std::shared_ptr<const Graph> graph, GraphRecipe recipe) {
  EditRequest request;
  request.label = std::move(label);
  request.remake = [graph = std::move(graph), recipe = std::move(recipe)](const Document& before,
                                                                          const std::stop_token& stop) {
    RunContext context;
    context.stop = stop;
    return remade(before, *graph, recipe, context);
  };
  edit_problem(state, std::move(request));
}

}  // namespace

void follow_pipeline(State& state) {
  auto& panel = state.part<PipelinePanel>();
  std::string allocator = shown_allocator(state);
  const bool same = panel.graph == state.document.graph && panel.recipe == state.document.recipe;
  if (same && panel.allocator == allocator) return;
  panel.graph = state.document.graph;
  panel.recipe = state.document.recipe;
  panel.allocator = std::move(allocator);
  // Another allocator changes makespans only: what is known stays until they are there.
  if (!same) panel.measured.reset();
  panel.failure.clear();
  panel.work.cancel();
  if (panel.graph == nullptr) return;
  panel.work.start([graph = panel.graph, recipe = panel.recipe, by = panel.allocator](const std::stop_token& stop) {
    return measure_pipeline(*graph, recipe, by, stop);
  });
}

void change_recipe(State& state, std::string label, GraphRecipe recipe) {
  if (state.document.graph != nullptr) remake(state, std::move(label), state.document.graph, std::move(recipe));
}

void change_graph(State& state, std::string label, Result<Graph> graph) {
  if (!graph) return state.complain(graph.error().message);
  remake(state, std::move(label), std::make_shared<const Graph>(std::move(*graph)), state.document.recipe);
}

void poll_pipeline(State& state) {
  auto& panel = state.part<PipelinePanel>();
  auto measured = panel.work.poll();
  if (!measured) return;
  state.settle_frames = 3;
  if (*measured) {
    panel.measured = std::move(**measured);
  } else if (measured->error().kind != Error::Kind::kCancelled) {
    panel.failure = measured->error().message;
  }
}

bool busy_pipeline(const State& state) {
  return state.part<PipelinePanel>().work.running();
}

}  // namespace stowage
