#include "ui/graph_view.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/chart/played_graph.h"
#include "ui/panels.h"
#include "ui/replay.h"
#include "ui/stage_replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Ops and buffers know each other by name, so that the links outlive edits of the buffers.
void link_buffers(const Problem& problem, GraphView& view) {
  const Graph& graph = shown_graph(view).graph;
  std::unordered_map<std::string_view, OpIndex> ops;
  for (OpIndex n = 0; n < graph.ops().size(); ++n) ops.emplace(graph.op(n).id, n);
  const std::vector<BufferIndex> buffer_of = buffers_of_tensors(graph, *view.staged, problem);

  view.op_of.assign(problem.size(), kNoOp);
  view.made.assign(graph.ops().size(), {});
  view.read.assign(graph.ops().size(), {});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Details* details = problem.details(i);
    const auto found = details == nullptr ? ops.end() : ops.find(details->op);
    if (found != ops.end()) view.op_of[i] = found->second;
  }
  const auto add = [&](const std::vector<TensorIndex>& tensors, std::vector<BufferIndex>& list) {
    for (const TensorIndex t : tensors) {
      const BufferIndex i = buffer_of[t];
      if (i != kNoBuffer && std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
    }
  };
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    add(graph.op(n).out, view.made[n]);
    add(graph.op(n).in, view.read[n]);
  }
}

/// What a transform decides about memory is seen at once: same colour, same memory.
void colour_ops(GraphView& view) {
  const Staged& shown = shown_graph(view);
  view.colours = played_colours(shown, view.played != nullptr ? view.played->stage->after : shown, view.colour);
}

void lay_out(GraphView& view) {
  const Staged& staged = shown_graph(view);
  view.layout = layout_graph(staged.graph, staged.schedule, view.columns);
  colour_ops(view);
  view.home = true;
  ++view.revision;
}

/// Steps that decide about memory are played in its colours; afterwards there are the usual ones again.
void choose_colour(GraphView& view) {
  if (view.played == nullptr) {
    if (view.usual_colour) view.colour = *std::exchange(view.usual_colour, std::nullopt);
    return;
  }
  const StageTape& tape = *view.played->stage;
  if (!decides_memory(*tape.before, tape.after) || view.usual_colour) return;
  view.usual_colour = view.colour;
  view.colour = GraphColour::kStorage;
}

/// An op outside of a closer view comes to its middle.
void bring_into_view(GraphView& view, OpIndex n) {
  if (view.home) return;
  const Rect rect = rect_of_op(view.layout, n, view.camera);
  const Rect& area = view.camera.area;
  const Point middle{(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2};
  if (area.contains(middle)) return;
  view.camera.pan_pixels((area.left + area.right) / 2 - middle.x, (area.top + area.bottom) / 2 - middle.y);
}

/// The step that the player is at.
void follow_step(GraphView& view, std::size_t position) {
  const StageTape& tape = *view.played->stage;
  view.played_position = position;
  view.told = ops_about(tape.before->graph, tape.subject_at(position));
  if (tape.gives_tags) view.moment = moment_of_tags(*tape.before, view.played->log.steps(), position);
  if (!view.told.empty()) bring_into_view(view, view.told.front());
  ++view.revision;
}

}  // namespace

void offer_graph(State& state) {
  auto& view = state.part<GraphView>();
  if (state.document.graph == nullptr) {
    for (const std::string& panel : view.offered) move_panel(state, panel, "hidden");
    view.offered.clear();
    return;
  }
  for (const char* panel : {"graph", "op", "pipeline"}) {
    if (place_of(state, panel)) continue;
    show_panel(state, panel);
    view.offered.emplace_back(panel);
  }
  if (!view.offered.empty()) show_panel(state, "chart");
}

const Staged& shown_graph(const GraphView& view) {
  return view.played != nullptr ? *view.played->stage->before : *view.staged;
}

void follow_graph(State& state) {
  auto& view = state.part<GraphView>();
  const Replay& replay = state.part<Replay>();
  const bool plays = state.document.staged != nullptr && replay.ready() && replay.recording->stage;
  std::shared_ptr<const Recording> played;
  if (plays) played = replay.recording;
  const bool same = view.staged == state.document.staged && view.played == played;
  const bool linked = same && view.problem_revision == state.problem_revision;
  view.problem_revision = state.problem_revision;
  if (!same) {
    view.staged = state.document.staged;
    view.played = std::move(played);
    view.moment.reset();
    view.told.clear();
    choose_colour(view);
    if (view.staged != nullptr) lay_out(view);
  }
  if (view.staged == nullptr) return;
  if (!linked) link_buffers(state.problem(), view);
  if (plays && (!same || view.played_position != replay.position)) follow_step(view, replay.position);
}

void show_graph_columns(State& state, GraphColumns columns) {
  auto& view = state.part<GraphView>();
  view.columns = columns;
  if (view.staged != nullptr) lay_out(view);
}

void show_graph_colour(State& state, GraphColour colour) {
  auto& view = state.part<GraphView>();
  view.colour = colour;
  if (view.staged == nullptr) return;
  colour_ops(view);
  ++view.revision;
}

std::string op_at_step(const State& state, std::int64_t step) {
  const std::shared_ptr<const Staged>& staged = state.document.staged;
  if (staged == nullptr || step < 0 || step >= static_cast<std::int64_t>(staged->schedule.order.size())) return {};
  return printable_utf8(staged->graph.op(staged->schedule.order[static_cast<std::size_t>(step)]).id);
}

}  // namespace stowage
