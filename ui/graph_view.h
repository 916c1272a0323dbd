#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/chart/graph_layout.h"
#include "core/chart/graph_scene.h"
#include "core/chart/scene.h"
#include "core/chart/viewport.h"
#include "core/steps/step.h"
#include "ui/workbench.h"

namespace stowage {

/// A walk through the steps in which tags are given out and come back: the lecture's pictures, one after the other.
struct TagWalk {
  StepLog log;
  Staged staged;  // the graph that it walks through
  std::vector<Event> implied;
  std::size_t position = 0;  // applied steps
  bool playing = false;
  double last = 0;  // seconds, when it was moved on
  GraphMoment moment;

  std::size_t size() const { return log.steps().size(); }
};

/// The operator graph of the open document, as its panel shows it.
struct GraphView {
  static constexpr double kStepSeconds = 0.6;

  std::shared_ptr<const Staged> staged;  // the one that is laid out; null: there is none
  std::uint64_t problem_revision = 0;
  GraphLayout layout;
  std::vector<std::uint32_t> colours;
  std::vector<OpIndex> op_of;                  // by buffer: who makes it
  std::vector<std::vector<BufferIndex>> made;  // by op: the buffers that it makes
  std::vector<std::vector<BufferIndex>> read;  // by op: the buffers that it reads

  GraphColumns columns = GraphColumns::kLayers;
  GraphColour colour = GraphColour::kType;
  Viewport camera;
  bool home = true;
  bool dragged = false;
  Scene scene;
  std::string scene_key;
  std::uint64_t built = 0;     // how often the scene was made; tests count it
  std::uint64_t revision = 0;  // grows with everything that the scene shows besides the camera

  std::vector<std::string> offered;  // panels that opening a graph has brought up

  std::optional<TagWalk> walk;
  std::string walk_failure;
};

/// Another document is open: its graph and pipeline have panels behind the chart's; those of a document without a graph
/// go again, unless somebody else had put them there.
void offer_graph(Workbench::State& state);
/// Brings layout and links up to the open document; cheap when nothing has changed.
void follow_graph(Workbench::State& state);
void show_graph_columns(Workbench::State& state, GraphColumns columns);
void show_graph_colour(Workbench::State& state, GraphColour colour);

/// Begins to give out tags from the first op on; again when one is walking already.
void start_tag_walk(Workbench::State& state);
void stop_tag_walk(Workbench::State& state);
/// To so many applied steps.
void seek_tag_walk(Workbench::State& state, std::size_t position);
/// What the last applied step says; what comes first before it.
std::string tag_walk_caption(const TagWalk& walk);

/// The op that runs at a step of the schedule: "conv1"; empty when there is none.
std::string op_at_step(const Workbench::State& state, std::int64_t step);

}  // namespace stowage
