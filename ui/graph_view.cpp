#include "ui/graph_view.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/transform.h"
#include "ui/panels.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Ops and buffers know each other by name, so that the links outlive edits of the buffers.
void link_buffers(const Problem& problem, GraphView& view) {
  const Graph& graph = view.staged->graph;
  std::unordered_map<std::string_view, OpIndex> ops;
  for (OpIndex n = 0; n < graph.ops().size(); ++n) ops.emplace(graph.op(n).id, n);
  std::unordered_map<std::string_view, BufferIndex> buffers;
  for (BufferIndex i = 0; i < problem.size(); ++i) buffers.emplace(problem.id(i), i);

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
      const auto found = buffers.find(graph.tensor(graph.base(t)).id);
      const bool known = found != buffers.end() && std::find(list.begin(), list.end(), found->second) == list.end();
      if (known) list.push_back(found->second);
    }
  };
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    add(graph.op(n).out, view.made[n]);
    add(graph.op(n).in, view.read[n]);
  }
}

void lay_out(GraphView& view) {
  const Staged& staged = view.walk ? view.walk->staged : *view.staged;
  view.layout = layout_graph(staged.graph, staged.schedule, view.columns);
  view.colours = graph_colours(staged, view.colour);
  view.home = true;
  ++view.revision;
}

/// What the steps up to the position have done.
void apply_steps(TagWalk& walk) {
  const std::vector<std::size_t> at = walk.staged.schedule.steps();
  std::size_t done = 0;
  std::vector<std::int32_t> free_tags;
  std::vector<std::pair<TensorIndex, std::int32_t>> taken;
  for (std::size_t i = 0; i < walk.position; ++i) {
    const Step& step = walk.log.steps()[i];
    if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) {
      const auto tag = static_cast<std::int32_t>(take->tag);
      std::erase(free_tags, tag);
      taken.emplace_back(take->buffer, tag);
      const OpIndex maker = walk.staged.graph.producer(take->buffer);
      if (maker != kNoOp) done = std::max(done, at[maker] + 1);
    } else if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) {
      free_tags.push_back(static_cast<std::int32_t>(back->tag));
    }
  }
  walk.moment = moment_after(walk.staged, done);
  for (const auto& [tensor, tag] : taken) walk.moment.tags[tensor] = tag;
  walk.moment.free_tags = std::move(free_tags);
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

void follow_graph(State& state) {
  auto& view = state.part<GraphView>();
  const bool same = view.staged == state.document.staged;
  if (same && view.problem_revision == state.problem_revision) return;
  view.problem_revision = state.problem_revision;
  if (!same) {
    view.staged = state.document.staged;
    view.walk.reset();
    view.walk_failure.clear();
    if (view.staged != nullptr) lay_out(view);
  }
  if (view.staged != nullptr) link_buffers(state.problem(), view);
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
  view.colours = graph_colours(view.walk ? view.walk->staged : *view.staged, colour);
  ++view.revision;
}

void start_tag_walk(State& state) {
  auto& view = state.part<GraphView>();
  if (view.staged == nullptr) return;
  // Tags are given out on the graph as it was before anything was decided about its memory.
  TagWalk walk;
  walk.staged = staged_in(view.staged->graph, view.staged->schedule);
  RunContext context;
  context.steps = &walk.log;
  const Transform* sharing = find_transform("sharing");
  const auto shared = sharing == nullptr ? Result<Transformed>(usage_error("there is no transform that gives out tags"))
                                         : run_transform(*sharing, walk.staged, {{"policy", "tags"}}, context);
  if (!shared) {
    view.walk_failure = shared.error().message;
    return;
  }
  walk.implied = shared->report.implied;
  view.walk_failure.clear();
  view.walk.emplace(std::move(walk));
  view.colour = GraphColour::kStorage;
  apply_steps(*view.walk);
  lay_out(view);
  // Same colour, same memory: the tags decide.
  view.colours = graph_colours(shared->staged, GraphColour::kStorage);
  view.walk->playing = true;
  view.walk->last = state.host.now();
}

void stop_tag_walk(State& state) {
  auto& view = state.part<GraphView>();
  if (!view.walk) return;
  view.walk.reset();
  view.colour = GraphColour::kType;
  if (view.staged != nullptr) lay_out(view);
}

void seek_tag_walk(State& state, std::size_t position) {
  auto& view = state.part<GraphView>();
  if (!view.walk) return;
  view.walk->position = std::min(position, view.walk->size());
  apply_steps(*view.walk);
  ++view.revision;
}

std::string tag_walk_caption(const TagWalk& walk) {
  if (walk.position == 0) return "Nothing has run yet; the box of free tags is empty.";
  return caption(walk.log.steps()[walk.position - 1], [&](BufferIndex t) {
    return t < walk.staged.graph.tensors().size() ? printable_utf8(walk.staged.graph.tensor(t).id) : std::string("?");
  });
}

std::string op_at_step(const State& state, std::int64_t step) {
  const std::shared_ptr<const Staged>& staged = state.document.staged;
  if (staged == nullptr || step < 0 || step >= static_cast<std::int64_t>(staged->schedule.order.size())) return {};
  return printable_utf8(staged->graph.op(staged->schedule.order[static_cast<std::size_t>(step)]).id);
}

void poll_graph_walk(State& state) {
  auto& view = state.part<GraphView>();
  if (!view.walk || !view.walk->playing) return;
  const double now = state.host.now();
  if (now - view.walk->last < GraphView::kStepSeconds) return;
  view.walk->last = now;
  if (view.walk->position >= view.walk->size()) {
    view.walk->playing = false;
    return;
  }
  seek_tag_walk(state, view.walk->position + 1);
}

bool busy_graph_walk(const State& state) {
  const auto& view = state.part<GraphView>();
  return view.walk && view.walk->playing;
}

}  // namespace stowage
