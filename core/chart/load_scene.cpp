#include "core/chart/load_scene.h"

#include <algorithm>
#include <cmath>

#include "core/chart/axis.h"
#include "core/chart/plan_scene.h"

namespace stowage {

namespace {

/// The step curve as a polyline with at most two points for each pixel column: of the steps that share a column, the
/// highest load and the last one stand, for a peak must not vanish.
class Steps {
 public:
  Steps(const Viewport& view, float base) : view_(view), level_(base) {}

  void add(std::int64_t time, std::int64_t load) {
    const float x = std::clamp(view_.x_of_step(time), view_.area.left - 2, view_.area.right + 2);
    const float y = view_.y_of_address(load);
    if (count_ == 0 || std::floor(x) != std::floor(first_x_)) {
      close_column();
      entry_ = level_;
      first_x_ = x;
      top_ = y;
    }
    ++count_;
    top_ = std::min(top_, y);
    last_x_ = x;
    level_ = y;
  }

  std::vector<Point> finish() {
    close_column();
    if (points_.empty()) return {};
    points_.push_back(Point{std::max(points_.back().x, view_.area.right + 2), level_});
    return std::move(points_);
  }

 private:
  void close_column() {
    if (count_ == 0) return;
    const bool neighbour = !points_.empty() && first_x_ - points_.back().x < 2;
    if (count_ == 1 || !neighbour) points_.push_back(Point{first_x_, entry_});
    if (count_ > 1) points_.push_back(Point{first_x_, top_});
    points_.push_back(Point{last_x_, level_});
    count_ = 0;
  }

  const Viewport& view_;
  std::vector<Point> points_;
  float level_;      // after the last step
  float entry_ = 0;  // when the open column begins
  float top_ = 0;    // highest in it; y grows downwards
  float first_x_ = 0;
  float last_x_ = 0;
  int count_ = 0;  // steps in the open column
};

void add_curve(Scene& scene, std::span<const LoadPoint> curve, const Viewport& view, const Theme& theme) {
  std::vector<Point> points = step_line(curve, view);
  if (points.size() < 2) return;
  scene.add(draw::Polyline{std::move(points), theme.accent, 1.5F, true,
                           with_alpha(theme.accent, theme.dark ? 0.22 : 0.16), view.y_of(0)});
}

void add_peak(Scene& scene, const ProblemMetrics& facts, const Viewport& view, const Theme& theme) {
  if (facts.load <= 0) return;
  const float y = view.y_of_address(facts.load);
  scene.add(draw::Line{{view.area.left, y}, {view.area.right, y}, theme.good, 1.5F, 5});
  const float x = (view.x_of_step(facts.peak_start) + view.x_of_step(facts.peak_end)) / 2;
  scene.add(draw::Fill{{x - 5, y - 5, x + 5, y + 5}, theme.card, 5});
  scene.add(draw::Fill{{x - 3.5F, y - 3.5F, x + 3.5F, y + 3.5F}, theme.bad, 3.5F});
}

void add_brush(Scene& scene, double low, double high, const Viewport& view, const Theme& theme) {
  const Rect area = view.area;
  const float left = std::clamp(std::round(view.x_of(low)), area.left, area.right);
  const float right = std::clamp(std::round(view.x_of(high)), area.left, area.right);
  const Color shade = with_alpha(theme.card, 0.62);
  scene.add(draw::Fill{{area.left, area.top, left, area.bottom}, shade, 0});
  scene.add(draw::Fill{{right, area.top, area.right, area.bottom}, shade, 0});
  const Color edge = mix(theme.card, theme.text, 0.75);
  const Rect window{left, area.top, std::max(right, left + 2), area.bottom};
  scene.add(draw::Border{window, edge, 1, 3});
  const float middle = (area.top + area.bottom) / 2;
  const float half = std::min(11.0F, area.height() / 4);
  for (const float x : {window.left, window.right}) {
    const float centre = std::clamp(x, area.left + 4, area.right - 4);
    const Rect handle{centre - 3.5F, middle - half, centre + 3.5F, middle + half};
    scene.add(draw::Fill{handle, theme.raised, 3});
    scene.add(draw::Border{handle, edge, 1, 3});
  }
}

}  // namespace

std::vector<Point> step_line(std::span<const LoadPoint> curve, const Viewport& view) {
  Steps steps(view, view.y_of(0));
  // From the last point before the view to the first one after it.
  const auto first = std::partition_point(
      curve.begin(), curve.end(), [&](const LoadPoint& point) { return view.x_of_step(point.time) < view.area.left; });
  for (auto it = first == curve.begin() ? first : first - 1; it != curve.end(); ++it) {
    steps.add(it->time, it->load);
    if (view.x_of_step(it->time) > view.area.right) break;
  }
  return steps.finish();
}

void add_load(Scene& scene, const LoadSceneInput& input, const Viewport& view, const Theme& theme,
              const TextMeasure& measure) {
  const Rect area = view.area;
  if (area.width() < 1 || area.height() < 1) return;
  const Margins margins = chart_margins();
  const Axis times = time_axis(view, input.time_unit, input.scale, measure);
  const Axis bytes = byte_axis(view, "load", AddressStyle::kUnits, input.unit, margins.left - 30, input.scale, measure);

  scene.add(draw::PushClip{area});
  for (const AxisTick& tick : bytes.ticks) {
    scene.add(draw::Line{{area.left, tick.at - 0.5F}, {area.right, tick.at - 0.5F}, theme.grid, 1, 0});
  }
  add_curve(scene, input.curve, view, theme);
  if (input.capacity) {
    const float y = view.y_of_address(*input.capacity);
    scene.add(draw::Line{{area.left, y}, {area.right, y}, theme.bad, 1.5F, 5});
  }
  if (input.cursor_time) {
    const float x = std::round(view.x_of(*input.cursor_time)) + 0.5F;
    scene.add(draw::Line{{x, area.top}, {x, area.bottom}, with_alpha(theme.text, 0.6), 1, 0});
  }
  if (input.facts != nullptr) add_peak(scene, *input.facts, view, theme);
  if (input.brush_low && input.brush_high) add_brush(scene, *input.brush_low, *input.brush_high, view, theme);
  scene.add(draw::PopClip{});

  for (const AxisTick& tick : bytes.ticks) {
    scene.add(draw::Text{
        {area.left - 8, tick.at - 7}, tick.label, theme.dim, kTickSize, FontFace::kText, TextAlign::kRight, {}, false});
  }
  for (const AxisTick& tick : times.ticks) {
    const float half = measure.width(tick.label, kTickSize, FontFace::kText) / 2;
    if (tick.at + half > area.right + margins.right - 2) continue;
    scene.add(draw::Text{
        {tick.at, area.bottom + 5}, tick.label, theme.dim, kTickSize, FontFace::kText, TextAlign::kCenter, {}, false});
  }
}

}  // namespace stowage
