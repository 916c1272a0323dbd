#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/graph_layout.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/graph/staged.h"

namespace stowage {

/// How far a walk through the ops has come: what runs on tags, or the plain schedule.
struct GraphMoment {
  std::size_t done = 0;                 // so many ops of the schedule have run
  std::vector<std::int32_t> counters;   // by tensor: readers that it still waits for
  std::vector<std::int32_t> tags;       // by tensor: its tag, -1 when it has none (yet)
  std::vector<std::int32_t> free_tags;  // in the box, in the order in which they came back
};
/// Everything has run so far, nobody has a tag.
GraphMoment moment_after(const Staged& staged, std::size_t done);

/// What the colour of an op says.
enum class GraphColour { kType, kStorage, kStream };

struct GraphSceneInput {
  const Staged* staged = nullptr;
  const GraphLayout* layout = nullptr;
  const GraphMoment* moment = nullptr;   // null: nothing is being played
  std::vector<std::uint32_t> colour_of;  // by op: a category of the theme
  std::vector<Event> implied;            // dashed
  OpIndex hovered = kNoOp;
  std::vector<OpIndex> selected;
  std::vector<OpIndex> told;            // what a step of a transform is about
  TensorIndex told_tensor = kNoTensor;  // its way from its maker to its readers is drawn on top
  ByteUnit unit = ByteUnit::kAuto;
  std::size_t most_edges = 2'000;  // the longest of those in view are drawn
};

/// By op: a category for its colour.
std::vector<std::uint32_t> graph_colours(const Staged& staged, GraphColour by);

/// The ops in viewport.area and the tensors between them. Times of the viewport are columns, its bytes count lanes
/// downwards from 0: lane k lies at -k. Values that still wait for readers are solid lines, those that nobody waits for
/// any more thin, those that are not there yet dashed.
void add_graph(Scene& scene, const GraphSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure);

std::optional<OpIndex> op_at(const GraphSceneInput& input, const Viewport& view, Point at);
/// Where an op is drawn; its size in pixels is bounded, so that few ops do not fill the screen.
Rect rect_of_op(const GraphLayout& layout, OpIndex n, const Viewport& view);

/// Everything; ops keep about the proportions of a line of text.
Viewport fit_graph(const GraphLayout& layout, Rect area);

}  // namespace stowage
