#include "ui/stage_replay.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/step_marks.h"
#include "core/document/graph_recipe.h"
#include "core/graph/storages.h"
#include "core/model/metrics.h"
#include "ui/chart/spaces.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// What a recording of a transform is made of.
struct StageOrder {
  const Transform* transform = nullptr;
  ParamValues params;
  std::function<Result<Staged>(RunContext&)> before;
  std::shared_ptr<const Staged> last;
  std::shared_ptr<const Problem> problem;
  std::size_t limit = 0;
};

Result<std::shared_ptr<Recording>> record_transform(const StageOrder& order, RunContext context) {
  auto before = order.before(context);
  if (!before) return tl::unexpected(std::move(before.error()));
  auto recording = std::make_shared<Recording>(order.limit);
  StageTape& tape = recording->stage.emplace();
  tape.title = order.transform->title;
  tape.before = std::make_shared<const Staged>(std::move(*before));
  context.steps = &recording->log;
  auto run = run_transform(*order.transform, *tape.before, order.params, context);
  if (!run) return tl::unexpected(std::move(run.error()));
  const std::size_t tensors = tape.before->graph.tensors().size();
  recording->make_player(tensors);
  recording->code = pseudo_code_of(order.transform->id);
  tape.after = std::move(run->staged);
  tape.implied = std::move(run->report.implied);
  tape.subjects = step_subjects(recording->log.steps(), run->report.remarks);
  tape.buffer_of = buffers_of_tensors(tape.before->graph, *order.last, *order.problem);
  tape.gives_tags = !recording->index.all(StepKind::kTakeTag).empty();
  return recording;
}

void begin_stage(State& state, StageOrder order, bool play_when_ready) {
  order.last = state.document.staged;
  order.problem = state.document.problem;
  order.limit = state.part<Replay>().limit;
  const std::string title = order.transform->title;
  begin_recording(state, RecordingOrder{title, std::nullopt, play_when_ready, [order](const RunContext& context) {
                                          return record_transform(order, context);
                                        }});
  bring_up_for_replay(state, "graph");
}

}  // namespace

void record_stage(State& state, std::size_t stage, bool play_when_ready) {
  const std::vector<PipelineStage>& pipeline = state.document.recipe.pipeline;
  if (state.document.staged == nullptr || stage >= pipeline.size()) return;
  StageOrder order;
  order.transform = find_transform(pipeline[stage].transform);
  if (order.transform == nullptr) return;
  order.params = pipeline[stage].params;
  GraphRecipe recipe = state.document.recipe;
  recipe.pipeline.resize(stage);
  order.before = [graph = state.document.graph, recipe](RunContext& context) -> Result<Staged> {
    auto prepared = prepare(*graph, recipe, context);
    if (!prepared) return tl::unexpected(std::move(prepared.error()));
    return prepared->last();
  };
  begin_stage(state, std::move(order), play_when_ready);
}

void record_tags(State& state) {
  if (state.document.staged == nullptr) return;
  StageOrder order;
  order.transform = find_transform("sharing");
  if (order.transform == nullptr) return;
  order.params = {{"policy", "tags"}};
  order.before = [staged = state.document.staged](RunContext&) -> Result<Staged> {
    return staged_in(staged->graph, staged->schedule);
  };
  begin_stage(state, std::move(order), true);
}

std::vector<BufferIndex> buffers_of_tensors(const Graph& graph, const Staged& last, const Problem& problem) {
  std::unordered_map<std::string_view, BufferIndex> buffers;
  for (BufferIndex i = 0; i < problem.size(); ++i) buffers.emplace(problem.id(i), i);
  const std::span<const Tensor> tensors = last.graph.tensors();
  std::unordered_map<std::string_view, TensorIndex> at_the_end;
  for (TensorIndex t = 0; t < tensors.size(); ++t) at_the_end.emplace(tensors[t].id, t);
  const Storages storages = find_storages(last);
  std::vector<BufferIndex> of(graph.tensors().size(), kNoBuffer);
  for (TensorIndex t = 0; t < of.size(); ++t) {
    // A buffer is named after the oldest tensor of its storage.
    std::string_view name = graph.tensor(graph.base(t)).id;
    const auto there = at_the_end.find(name);
    if (there != at_the_end.end()) name = tensors[storages.root[there->second]].id;
    const auto buffer = buffers.find(name);
    if (buffer != buffers.end()) of[t] = buffer->second;
  }
  return of;
}

std::string stage_caption(const Recording& recording, std::size_t position) {
  const StageTape& tape = *recording.stage;
  if (position == 0) {
    return tape.gives_tags ? std::string("Nothing has run yet; the box of free tags is empty.")
                           : fmt::format("{}: nothing is decided yet.", tape.title);
  }
  return printable_utf8(caption(recording.log.steps()[position - 1], [&](BufferIndex t) {
    const std::span<const Tensor> tensors = tape.before->graph.tensors();
    return t < tensors.size() ? tensors[t].id : std::string("?");
  }));
}

void add_stage_marks(const State& state, Scene& scene) {
  const Replay& replay = state.part<Replay>();
  const BufferIndex buffer = replay.recording->stage->buffer_at(replay.position);
  const Problem& problem = state.problem();
  if (buffer >= problem.size()) return;
  const Plan* plan = state.plan();
  const std::uint16_t space = plan != nullptr ? space_of(problem, *plan, buffer) : problem[buffer].space;
  if (space != state.space && !draws_all_spaces(state)) return;
  StepMarks marks;
  marks.problem = &problem;
  marks.offsets = &offsets_in_space(state, space);
  marks.buffer = buffer;
  marks.outlined = {buffer};
  marks.floor = false;
  marks.scale = state.ui.scale;
  add_step_marks(scene, marks, view_of_space(state, space, state.camera), *state.ui.theme);
}

}  // namespace stowage
