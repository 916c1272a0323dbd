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

  /// Steps are in one pixel column when they have the same.
  float column_of(const LoadPoint& point) const { return std::floor(x_of(point)); }

  /// All steps of a column, at least one.
  void add_column(std::span<const LoadPoint> steps) {
    const float first_x = x_of(steps.front());
    const float entry = level_;
    const bool neighbour = !points_.empty() && first_x - points_.back().x < 2;
    level_ = view_.y_of_address(steps.back().load);
    if (steps.size() == 1 || !neighbour) points_.push_back(Point{first_x, entry});
    if (steps.size() > 1) points_.push_back(Point{first_x, view_.y_of_address(highest(steps))});
    points_.push_back(Point{x_of(steps.back()), level_});
  }

  std::vector<Point> finish() {
    if (points_.empty()) return {};
    points_.push_back(Point{std::max(points_.back().x, view_.area.right + 2), level_});
    return std::move(points_);
  }

 private:
  float x_of(const LoadPoint& point) const {
    return std::clamp(view_.x_of_step(point.time), view_.area.left - 2, view_.area.right + 2);
  }
  static std::int64_t highest(std::span<const LoadPoint> steps) {
    std::int64_t load = steps.front().load;
    for (const LoadPoint& step : steps) load = std::max(load, step.load);
    return load;
  }

  const Viewport& view_;
  std::vector<Point> points_;
  float level_;  // after the last step
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
  auto it = first == curve.begin() ? first : first - 1;
  auto end = std::partition_point(
      it, curve.end(), [&](const LoadPoint& point) { return view.x_of_step(point.time) <= view.area.right; });
  if (end != curve.end()) ++end;
  // Of a million steps hardly any is projected: where a column ends is searched for.
  while (it != end) {
    const float column = steps.column_of(*it);
    const auto next =
        std::partition_point(it + 1, end, [&](const LoadPoint& point) { return steps.column_of(point) == column; });
    steps.add_column(std::span<const LoadPoint>(it, next));
    it = next;
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
