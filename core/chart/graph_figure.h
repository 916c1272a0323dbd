#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/graph_scene.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/model/metrics.h"

namespace stowage {

/// The whole picture of an operator graph: title, legend, ops and tensors, facts.
struct GraphFigureInput {
  const Staged* staged = nullptr;
  const ProblemMetrics* facts = nullptr;  // of the problem it became; null: none
  GraphColumns columns = GraphColumns::kLayers;
  GraphColour colour = GraphColour::kType;
  std::vector<Event> implied;
  // While the steps of a transform are played.
  const GraphLayout* layout = nullptr;   // by these columns, from the frame before; null: it is made
  std::vector<std::uint32_t> colour_of;  // by op, instead of what `colour` gives; empty: that
  const GraphMoment* moment = nullptr;   // where tags are given out; null: they are not
  std::vector<OpIndex> told;             // what the step is about
  TensorIndex told_tensor = kNoTensor;
  std::string title;
  std::string subtitle;
  float width = 1600;  // logical pixels
  float height = 1000;
  float scale = 1;
  ByteUnit unit = ByteUnit::kAuto;
};
Scene make_graph_figure(const GraphFigureInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
