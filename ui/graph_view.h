#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/graph_layout.h"
#include "core/chart/graph_scene.h"
#include "core/chart/scene.h"
#include "ui/free_view.h"
#include "ui/workbench.h"

namespace stowage {

struct Recording;

/// The operator graph of the open document, as its panel shows it.
struct GraphView : FreeView {
  std::shared_ptr<const Staged> staged;  // at the end of the pipeline; null: there is none
  std::uint64_t problem_revision = 0;
  GraphLayout layout;
  std::vector<std::uint32_t> colours;
  std::vector<OpIndex> op_of;                  // by buffer: who makes it
  std::vector<std::vector<BufferIndex>> made;  // by op: the buffers that it makes
  std::vector<std::vector<BufferIndex>> read;  // by op: the buffers that it reads

  GraphColumns columns = GraphColumns::kLayers;
  GraphColour colour = GraphColour::kType;
  Scene scene;
  std::string scene_key;
  std::uint64_t built = 0;     // how often the scene was made; tests count it
  std::uint64_t revision = 0;  // grows with everything that the scene shows besides the camera

  std::vector<std::string> offered;  // panels that opening a graph has brought up

  // While the player has the steps of a transform, the graph before it is shown.
  std::shared_ptr<const Recording> played;  // null: no steps
  std::size_t played_position = 0;
  std::optional<GraphMoment> moment;        // of steps that give out tags
  std::vector<OpIndex> told;                // whom the step is about
  std::optional<GraphColour> usual_colour;  // when no steps are played
};

/// The one that is laid out; there must be one.
const Staged& shown_graph(const GraphView& view);

/// Another document is open: its graph and pipeline have panels behind the chart's; those of a document without a graph
/// go again, unless somebody else had put them there.
void offer_graph(Workbench::State& state);
/// Brings layout and links up to the open document; cheap when nothing has changed.
void follow_graph(Workbench::State& state);
void show_graph_columns(Workbench::State& state, GraphColumns columns);
void show_graph_colour(Workbench::State& state, GraphColour colour);

/// The op that runs at a step of the schedule: "conv1"; empty when there is none.
std::string op_at_step(const Workbench::State& state, std::int64_t step);

}  // namespace stowage
