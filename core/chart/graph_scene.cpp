#include "core/chart/graph_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/chart/label.h"
#include "core/graph/storages.h"

namespace stowage {
namespace {

constexpr float kMostWidth = 150;
constexpr float kMostHeight = 44;
constexpr float kFold = 4;        // pixels; narrower ops are plain dots
constexpr float kLeastText = 34;  // pixels of a node that carries its name
constexpr int kCurvePoints = 20;

float clamp_to_float(double value) {
  return static_cast<float>(std::clamp(value, -1e6, 1e6));
}

struct Ends {
  Point from;
  Point to;
  float bow = 0;  // how far the line bends upwards, pixels
};

class Painter {
 public:
  Painter(Scene& scene, const GraphSceneInput& input, const Viewport& view, const Theme& theme,
          const TextMeasure& measure)
      : scene_(scene), input_(input), graph_(input.staged->graph), view_(view), theme_(theme), measure_(measure) {
    if (input.moment != nullptr) steps_ = input.staged->schedule.steps();
  }

  void paint() {
    scene_.add(draw::PushClip{view_.area});
    edges();
    implied();
    nodes();
    scene_.add(draw::PopClip{});
  }

 private:
  bool done(OpIndex n) const { return input_.moment == nullptr || steps_[n] < input_.moment->done; }
  bool current(OpIndex n) const { return input_.moment != nullptr && steps_[n] + 1 == input_.moment->done; }
  bool told(OpIndex n) const { return std::find(input_.told.begin(), input_.told.end(), n) != input_.told.end(); }
  bool told(const GraphLayout::Edge& edge) const {
    return edge.tensor == input_.told_tensor && edge.tensor != kNoTensor;
  }
  bool marked(OpIndex n) const {
    return n == input_.hovered || std::find(input_.selected.begin(), input_.selected.end(), n) != input_.selected.end();
  }

  /// From the right side of one op to the left side of another. What passes over columns bends out of their way.
  Ends ends_of(OpIndex from, OpIndex to) const {
    const Rect a = rect_of_op(*input_.layout, from, view_);
    const Rect b = rect_of_op(*input_.layout, to, view_);
    Ends ends{{a.right, (a.top + a.bottom) / 2}, {b.left, (b.top + b.bottom) / 2}, 0};
    const GraphLayout::Node& first = input_.layout->nodes[from];
    const GraphLayout::Node& last = input_.layout->nodes[to];
    const int across = last.column - first.column;
    if (across > 1) {
      // In the same lane it would run through what stands between; to another one a gentle curve is enough.
      const double lanes = first.lane == last.lane ? 0.55 * std::sqrt(static_cast<double>(across)) : 0;
      ends.bow = clamp_to_float(lanes * view_.pixels_per_unit());
      ends.from.y = first.lane == last.lane ? a.top + a.height() * 0.25F : ends.from.y;
      ends.to.y = first.lane == last.lane ? b.top + b.height() * 0.25F : ends.to.y;
    }
    return ends;
  }

  bool in_view(const Ends& ends) const {
    const Rect& area = view_.area;
    const float top = std::min(ends.from.y, ends.to.y) - ends.bow;
    const float bottom = std::max(ends.from.y, ends.to.y);
    return ends.to.x >= area.left && ends.from.x <= area.right && bottom >= area.top && top <= area.bottom;
  }

  std::vector<Point> curve_of(const Ends& ends) const {
    std::vector<Point> points;
    const float reach = std::max(std::abs(ends.to.x - ends.from.x) * 0.35F, 6.0F);
    // A cubic whose inner points lie 4/3 of the bow above reaches just the bow.
    const float up = ends.bow * 4 / 3;
    const Point c1{ends.from.x + reach, ends.from.y - up};
    const Point c2{ends.to.x - reach, ends.to.y - up};
    for (int i = 0; i <= kCurvePoints; ++i) {
      const float t = static_cast<float>(i) / kCurvePoints;
      const float s = 1 - t;
      const float w0 = s * s * s;
      const float w1 = 3 * s * s * t;
      const float w2 = 3 * s * t * t;
      const float w3 = t * t * t;
      points.push_back({w0 * ends.from.x + w1 * c1.x + w2 * c2.x + w3 * ends.to.x,
                        w0 * ends.from.y + w1 * c1.y + w2 * c2.y + w3 * ends.to.y});
    }
    return points;
  }

  void line(const Ends& ends, Color color, float width, float dash) {
    const bool straight = ends.bow == 0 && std::abs(ends.from.y - ends.to.y) < 0.5F;
    if (straight) {
      scene_.add(draw::Line{ends.from, ends.to, color, width, dash});
      return;
    }
    const std::vector<Point> points = curve_of(ends);
    if (dash == 0) {
      scene_.add(draw::Polyline{points, color, width, false, {}, 0});
      return;
    }
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
      scene_.add(draw::Line{points[i], points[i + 1], color, width, 0});
    }
  }

  void edges() {
    std::vector<std::pair<float, std::size_t>> longest;
    for (std::size_t e = 0; e < input_.layout->edges.size(); ++e) {
      const GraphLayout::Edge& edge = input_.layout->edges[e];
      const Ends ends = ends_of(edge.from, edge.to);
      const float length = std::abs(ends.to.x - ends.from.x) + std::abs(ends.to.y - ends.from.y);
      const bool shown = marked(edge.from) || marked(edge.to) || told(edge);
      if (in_view(ends) && (length >= 3 || shown)) longest.emplace_back(shown ? 1e9F : length, e);
    }
    if (longest.size() > input_.most_edges) {
      const auto end = longest.begin() + static_cast<std::ptrdiff_t>(input_.most_edges);
      std::nth_element(longest.begin(), end, longest.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      longest.erase(end, longest.end());
    }
    // Marked ones last, on top.
    std::sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first >= 1e9F, a.second) < std::pair(b.first >= 1e9F, b.second);
    });
    for (const auto& [length, e] : longest) edge(input_.layout->edges[e]);
  }

  void edge(const GraphLayout::Edge& edge) {
    const Ends ends = ends_of(edge.from, edge.to);
    if (told(edge)) return line(ends, theme_.warn, 2.5F, done(edge.from) ? 0 : 4);
    if (marked(edge.from) || marked(edge.to)) return line(ends, theme_.accent, 2, done(edge.from) ? 0 : 4);
    if (!done(edge.from)) return line(ends, theme_.grid, 1, 4);
    const bool waits = input_.moment != nullptr && !done(edge.to);
    line(ends, waits ? theme_.text : theme_.dim, waits ? 1.6F : 1, 0);
  }

  void implied() {
    for (const Event& order : input_.implied) {
      if (order.after < input_.layout->nodes.size() && order.before < input_.layout->nodes.size())
        line(ends_of(order.after, order.before), theme_.warn, 1.5F, 4);
    }
    for (const Event& event : graph_.events()) line(ends_of(event.after, event.before), theme_.dim, 1, 3);
  }

  void nodes() {
    const GraphLayout& layout = *input_.layout;
    const auto first = static_cast<std::int64_t>(std::floor(view_.time_at(view_.area.left))) - 1;
    const auto last = static_cast<std::int64_t>(std::ceil(view_.time_at(view_.area.right))) + 1;
    const std::int64_t from = std::clamp<std::int64_t>(first, 0, layout.columns);
    const std::int64_t to = std::clamp<std::int64_t>(last, 0, layout.columns);
    for (std::int64_t column = from; column < to; ++column) {
      const std::size_t end = layout.column_begin[static_cast<std::size_t>(column) + 1];
      for (std::size_t i = layout.column_begin[static_cast<std::size_t>(column)]; i < end; ++i) {
        const Rect rect = rect_of_op(layout, layout.by_column[i], view_);
        if (rect.bottom >= view_.area.top && rect.top <= view_.area.bottom) node(layout.by_column[i], rect);
      }
    }
  }

  void node(OpIndex n, const Rect& rect) {
    const std::size_t category = n < input_.colour_of.size() ? input_.colour_of[n] : 0;
    if (rect.width() < kFold || rect.height() < kFold) {
      const Rect dot{rect.left, rect.top, std::max(rect.right, rect.left + 1), std::max(rect.bottom, rect.top + 1)};
      scene_.add(draw::Fill{dot, told(n) ? theme_.warn : marked(n) ? theme_.accent : theme_.border(category), 0});
      return;
    }
    const float radius = std::min(6.0F, rect.height() / 3);
    const bool filled = done(n);
    scene_.add(draw::Fill{rect, filled ? theme_.fill(category) : theme_.card, radius});
    scene_.add(draw::Border{rect, theme_.border(category), 1, radius});
    if (current(n) || told(n) || marked(n)) {
      const Rect around{rect.left - 2, rect.top - 2, rect.right + 2, rect.bottom + 2};
      scene_.add(draw::Border{around, current(n) || told(n) ? theme_.warn : theme_.accent, 2, radius + 2});
    }
    if (rect.width() < kLeastText || rect.height() < 13) return;
    const Color ink = filled ? theme_.label(category) : theme_.dim;
    const bool two_lines = rect.height() >= 32;
    const float middle = (rect.left + rect.right) / 2;
    const std::string name = shortened(one_line(graph_.op(n).id), rect.width() - 8, 12, FontFace::kSemibold, measure_);
    const float top = two_lines ? rect.top + rect.height() / 2 - 15 : rect.top + rect.height() / 2 - 7;
    scene_.add(draw::Text{{middle, top}, name, ink, 12, FontFace::kSemibold, TextAlign::kCenter, rect, false});
    if (!two_lines) return;
    std::string words = second_line(n);
    const bool tight = measure_.width(words, 11, FontFace::kText) > rect.width() - 8;
    if (input_.moment != nullptr && tight) words = tags_alone(n);
    const std::string below = shortened(words, rect.width() - 8, 11, FontFace::kText, measure_);
    scene_.add(draw::Text{{middle, top + 15}, below, ink, 11, FontFace::kText, TextAlign::kCenter, rect, false});
  }

  /// While it is played: readers that the result waits for, and its tag; else what the op is and makes.
  std::string second_line(OpIndex n) const {
    const Op& op = graph_.op(n);
    if (input_.moment == nullptr) {
      std::int64_t bytes = 0;
      for (const TensorIndex t : op.out) bytes += graph_.is_view(t) ? 0 : graph_.tensor(t).bytes.value_or(0);
      return fmt::format("{}  {}", one_line(op.type), format_bytes(bytes, input_.unit));
    }
    std::string words;
    for (const TensorIndex t : op.out) {
      if (t < input_.moment->tags.size() && input_.moment->tags[t] >= 0)
        words += fmt::format("{}tag {}", words.empty() ? "" : ", ", input_.moment->tags[t]);
      if (t < input_.moment->counters.size() && done(n))
        words += fmt::format("{}{} left", words.empty() ? "" : "  \u2022  ", input_.moment->counters[t]);
    }
    return words;
  }

  /// Where not even one "tag 12" has room: "12".
  std::string tags_alone(OpIndex n) const {
    std::string words;
    for (const TensorIndex t : graph_.op(n).out) {
      if (t >= input_.moment->tags.size() || input_.moment->tags[t] < 0) continue;
      words += fmt::format("{}{}", words.empty() ? "" : ", ", input_.moment->tags[t]);
    }
    return words;
  }

  Scene& scene_;
  const GraphSceneInput& input_;
  const Graph& graph_;
  const Viewport& view_;
  const Theme& theme_;
  const TextMeasure& measure_;
  std::vector<std::size_t> steps_;
};

}  // namespace

GraphMoment moment_after(const Staged& staged, std::size_t done) {
  const Graph& graph = staged.graph;
  GraphMoment moment;
  moment.done = std::min(done, staged.schedule.order.size());
  moment.tags.assign(graph.tensors().size(), -1);
  moment.counters.resize(graph.tensors().size());
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t)
    moment.counters[t] = static_cast<std::int32_t>(graph.readers(t).size()) + (graph.is_output(t) ? 1 : 0);
  for (std::size_t step = 0; step < moment.done; ++step) {
    const Op& op = graph.op(staged.schedule.order[step]);
    for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
      const bool ignored =
          std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) != op.ignored_inputs.end();
      if (!ignored) --moment.counters[op.in[slot]];
    }
  }
  return moment;
}

std::vector<std::uint32_t> graph_colours(const Staged& staged, GraphColour by) {
  const Graph& graph = staged.graph;
  std::vector<std::uint32_t> colours(graph.ops().size(), 0);
  std::map<std::string, std::uint32_t> types;
  std::vector<std::uint32_t> storage_of(graph.tensors().size(), 0);
  if (by == GraphColour::kStorage) {
    const Storages storages = find_storages(staged);
    storage_of.assign(storages.root.begin(), storages.root.end());
    for (const SharedStorage& shared : staged.storages) {
      for (const TensorIndex t : shared.members) storage_of[t] = storages.root[shared.members.front()];
    }
  }
  std::map<std::uint32_t, std::uint32_t> numbers;  // storages in the order in which they come up
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    const Op& op = graph.op(n);
    switch (by) {
      case GraphColour::kType:
        colours[n] = types.try_emplace(op.type, static_cast<std::uint32_t>(types.size())).first->second;
        break;
      case GraphColour::kStream:
        colours[n] = op.stream;
        break;
      case GraphColour::kStorage:
        if (!op.out.empty())
          colours[n] =
              numbers.try_emplace(storage_of[op.out.front()], static_cast<std::uint32_t>(numbers.size())).first->second;
        break;
    }
  }
  return colours;
}

Rect rect_of_op(const GraphLayout& layout, OpIndex n, const Viewport& view) {
  const GraphLayout::Node& node = layout.nodes[n];
  const float x = view.x_of(static_cast<double>(node.column) + 0.5);
  const float y = view.y_of(-(static_cast<double>(node.lane) + 0.5));
  const float half_width = std::min(clamp_to_float(view.pixels_per_time()) * 0.76F, kMostWidth) / 2;
  const float half_height = std::min(clamp_to_float(view.pixels_per_unit()) * 0.6F, kMostHeight) / 2;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

std::optional<OpIndex> op_at(const GraphSceneInput& input, const Viewport& view, Point at) {
  const GraphLayout& layout = *input.layout;
  const auto column = static_cast<std::int64_t>(std::floor(view.time_at(at.x)));
  if (column < 0 || column >= layout.columns || !view.area.contains(at)) return std::nullopt;
  const std::size_t end = layout.column_begin[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = layout.column_begin[static_cast<std::size_t>(column)]; i < end; ++i) {
    Rect rect = rect_of_op(layout, layout.by_column[i], view);
    // Dots are hard to hit.
    const float wider = std::max(0.0F, (6 - rect.width()) / 2);
    const float higher = std::max(0.0F, (6 - rect.height()) / 2);
    rect = {rect.left - wider, rect.top - higher, rect.right + wider, rect.bottom + higher};
    if (rect.contains(at)) return layout.by_column[i];
  }
  return std::nullopt;
}

void add_graph(Scene& scene, const GraphSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure) {
  Painter(scene, input, view, theme, measure).paint();
}

Viewport fit_graph(const GraphLayout& layout, Rect area) {
  Viewport view;
  view.area = area;
  view.time_low = -0.5;
  view.time_high = static_cast<double>(std::max(layout.columns, 1)) + 0.5;
  // Room above for what bends over the first lane.
  int widest = 1;
  for (const GraphLayout::Edge& edge : layout.edges) {
    if (layout.nodes[edge.from].lane == layout.nodes[edge.to].lane)
      widest = std::max(widest, layout.nodes[edge.to].column - layout.nodes[edge.from].column);
  }
  const double bow = widest > 1 ? 0.55 * std::sqrt(static_cast<double>(widest)) : 0;
  double high = bow + 0.25;
  double low = -static_cast<double>(std::max(layout.lanes, 1)) - 0.25;
  // Few ops stay small: a column is at most so many pixels wide, a lane so high.
  const double columns = std::max(view.time_high - view.time_low, static_cast<double>(area.width()) / 190.0);
  const double middle = (view.time_low + view.time_high) / 2;
  view.time_low = middle - columns / 2;
  view.time_high = middle + columns / 2;
  const double lanes = std::max(high - low, static_cast<double>(area.height()) / 80.0);
  const double centre = (high + low) / 2;
  low = centre - lanes / 2;
  high = centre + lanes / 2;
  view.byte_low = low;
  view.byte_high = high;
  return view;
}

}  // namespace stowage
