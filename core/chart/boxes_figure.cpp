#include "core/chart/boxes_figure.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/chart/boxes_scene.h"
#include "core/model/space_metrics.h"

namespace stowage {
namespace {

using State = BoxShape::State;

std::vector<FigureFrame::Key> keys(const BoxesFigureInput& input, const Theme& theme) {
  using Key = FigureFrame::Key;
  std::vector<Key> keys = keys_of_kinds(*input.problem, input.space, theme);
  for (BoxesKey& key : keys_of(*input.layout, theme)) {
    keys.push_back(
        Key{std::move(key.name), key.color, key.color, key.dashed ? Key::Kind::kDashes : Key::Kind::kOutline});
  }
  return keys;
}

std::vector<FigureFrame::Fact> facts(const FigureFrame& frame, const BoxesFigureInput& input, std::int64_t load) {
  const BoxesLayout& layout = *input.layout;
  const auto count = [](std::size_t number) {
    return format_count(static_cast<std::int64_t>(number));
  };
  const std::size_t all = static_cast<std::size_t>(
      std::count_if(layout.shapes.begin(), layout.shapes.end(), [](const BoxShape& shape) { return shape.is_box(); }));
  const std::size_t done = layout.count(State::kDone);
  std::vector<FigureFrame::Fact> facts = {
      frame.words("boxes", done == all ? count(all) : fmt::format("{} of {}", count(done), count(all)))};
  if (input.report != nullptr) {
    const std::string rows = layout.outer_rows.empty() ? "1 row" : fmt::format("{} rows", layout.outer_rows.size() + 1);
    facts.push_back(frame.words("levels", count(input.report->levels.size())));
    facts.push_back(frame.words(
        "outer boxes", fmt::format("{} of {}", rows, format_bytes(input.report->levels.back().height, input.unit))));
  }
  facts.push_back(frame.bytes("load", load));
  if (input.report != nullptr && input.report->boxed_makespan != kMaxInt64 && done == all) {
    facts.push_back(frame.bytes("makespan when squeezed", input.report->boxed_makespan));
  }
  facts.push_back(frame.words("buffers", format_count(static_cast<std::int64_t>(input.problem->size()))));
  return facts;
}

}  // namespace

Scene make_boxes_figure(const BoxesFigureInput& input, const Theme& theme, const TextMeasure& measure) {
  const ProblemMetrics metrics = measure_spaces(*input.problem)[input.space];
  FigureFrame frame(input.width, input.height, input.scale, input.unit, theme, measure);
  const float top = frame.header(input.title, input.subtitle, keys(input, theme));
  const float bottom = frame.footer(facts(frame, input, metrics.load));
  const FigureFrame::Areas areas = frame.areas(top, bottom, true);
  Viewport view = fit_all(metrics, input.layout->height, areas.chart);
  BoxesSceneInput scene;
  scene.problem = input.problem;
  scene.layout = input.layout;
  scene.selected = input.selected;
  scene.labels = input.labels;
  scene.unit = input.unit;
  scene.scale = frame.scale();
  if (areas.chart.width() >= 20 && areas.chart.height() >= 20) {
    add_boxes(frame.scene(), scene, view, theme, measure);
  }
  frame.load_chart(*input.problem, metrics, input.space, areas.load, view);
  return frame.take();
}

}  // namespace stowage
