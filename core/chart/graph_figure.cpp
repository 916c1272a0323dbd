#include "core/chart/graph_figure.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/chart/figure_frame.h"
#include "core/chart/label.h"

namespace stowage {
namespace {

constexpr std::size_t kMostKeys = 8;

/// The most frequent classes that a colour stands for, by how often they come.
std::vector<FigureFrame::Key> keys_of(const Staged& staged, GraphColour colour,
                                      const std::vector<std::uint32_t>& colours, const Theme& theme) {
  std::map<std::string, std::pair<std::size_t, std::uint32_t>> classes;  // how many, category
  for (OpIndex n = 0; n < colours.size(); ++n) {
    const Op& op = staged.graph.op(n);
    std::string name = colour == GraphColour::kStream ? fmt::format("stream {}", op.stream) : one_line(op.type);
    if (colour == GraphColour::kStorage || name.empty()) continue;  // far too many to name
    auto& [count, category] = classes[std::move(name)];
    ++count;
    category = colours[n];
  }
  std::vector<std::pair<std::size_t, FigureFrame::Key>> keys;
  for (const auto& [name, found] : classes) {
    keys.emplace_back(found.first, FigureFrame::Key{name, theme.fill(found.second), theme.border(found.second),
                                                    FigureFrame::Key::Kind::kFilled});
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (keys.size() > kMostKeys) keys.resize(kMostKeys);
  std::vector<FigureFrame::Key> sorted;
  for (auto& [count, key] : keys) sorted.push_back(std::move(key));
  return sorted;
}

std::vector<FigureFrame::Fact> facts_of(const GraphFigureInput& input, const FigureFrame& frame) {
  const Graph& graph = input.staged->graph;
  std::vector<FigureFrame::Fact> facts = {
      frame.words("ops", format_count(static_cast<std::int64_t>(graph.ops().size()))),
      frame.words("tensors", format_count(static_cast<std::int64_t>(graph.tensors().size())))};
  std::uint32_t streams = 0;
  for (const Op& op : graph.ops()) streams = std::max(streams, op.stream + 1);
  if (streams > 1) facts.push_back(frame.words("streams", format_count(streams)));
  if (input.facts != nullptr) {
    facts.push_back(frame.bytes("load", input.facts->load));
    facts.push_back(frame.bytes("without reuse", input.facts->naive));
  }
  return facts;
}

/// The box of free tags, as a row of small boxes above `bottom`; returns where the graph must end.
float add_free_tags(FigureFrame& frame, const GraphMoment& moment, float bottom, const Theme& theme,
                    const TextMeasure& measure) {
  constexpr float kTagRow = 20;
  constexpr float kTagText = 12;
  Scene& scene = frame.scene();
  const float top = bottom - kTagRow;
  const auto text = [&](float x, std::string words, Color color) {
    scene.add(
        draw::Text{{x, top + 3}, std::move(words), color, kTagText, FontFace::kText, TextAlign::kLeft, {}, false});
  };
  const std::string title = "free tags";
  float x = frame.margin();
  text(x, title, theme.dim);
  x += measure.width(title, kTagText, FontFace::kText) + 10;
  if (moment.free_tags.empty()) text(x, "none", theme.dim);
  for (const std::int32_t tag : moment.free_tags) {
    std::string label = fmt::format("{}", tag);
    const float inner = measure.width(label, kTagText, FontFace::kText);
    const float width = std::max(22.0F, inner + 10);
    if (x + width > scene.width - frame.margin()) {
      text(x, "\u2026", theme.dim);
      break;
    }
    const Rect box{x, top, x + width, bottom};
    scene.add(draw::Fill{box, theme.raised, 4});
    scene.add(draw::Border{box, theme.line, 1, 4});
    text(x + (width - inner) / 2, std::move(label), theme.text);
    x += width + 5;
  }
  return top - 8;
}

}  // namespace

Scene make_graph_figure(const GraphFigureInput& input, const Theme& theme, const TextMeasure& measure) {
  FigureFrame frame(input.width, input.height, input.scale, input.unit, theme, measure);
  GraphSceneInput scene;
  GraphLayout made;
  if (input.layout == nullptr) made = layout_graph(input.staged->graph, input.staged->schedule, input.columns);
  const GraphLayout& layout = input.layout != nullptr ? *input.layout : made;
  scene.staged = input.staged;
  scene.layout = &layout;
  scene.moment = input.moment;
  scene.colour_of = input.colour_of.empty() ? graph_colours(*input.staged, input.colour) : input.colour_of;
  scene.implied = input.implied;
  scene.told = input.told;
  scene.told_tensor = input.told_tensor;
  scene.unit = input.unit;
  scene.most_edges = 20'000;
  const float top =
      frame.header(input.title, input.subtitle, keys_of(*input.staged, input.colour, scene.colour_of, theme));
  float bottom = frame.footer(facts_of(input, frame));
  if (input.moment != nullptr) bottom = add_free_tags(frame, *input.moment, bottom, theme, measure);
  const Rect area{24, top, frame.scene().width - 24, bottom};
  if (area.width() > 20 && area.height() > 20) add_graph(frame.scene(), scene, fit_graph(layout, area), theme, measure);
  return frame.take();
}

}  // namespace stowage
