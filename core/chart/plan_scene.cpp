#include "core/chart/plan_scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/breaks.h"
#include "core/chart/levels.h"
#include "core/chart/plan_picture.h"
#include "core/chart/plan_rectangles.h"

namespace stowage {

namespace {

constexpr float kLaneSize = 11.5F;

void add_peak(Scene& scene, const ProblemMetrics& facts, const Viewport& view, float scale, const Theme& theme) {
  if (facts.load <= 0) return;
  const float left = snapped(view.x_of_step(facts.peak_start), scale);
  const float right = std::max(left + 2, snapped(view.x_of_step(facts.peak_end), scale));
  scene.add(draw::Fill{{left, view.area.top, right, view.area.bottom}, with_alpha(theme.bad, 0.10), 0});
}

/// The edges of the peak section go over the rectangles, so that it can be found in a full chart too.
void add_peak_edges(Scene& scene, const ProblemMetrics& facts, const Viewport& view, float scale, const Theme& theme) {
  if (facts.load <= 0) return;
  const float left = snapped(view.x_of_step(facts.peak_start), scale);
  const float right = std::max(left + 2, snapped(view.x_of_step(facts.peak_end), scale));
  scene.add(draw::Fill{{left, view.area.top, right, view.area.bottom}, with_alpha(theme.bad, 0.05), 0});
  for (const float x : {left, right}) {
    scene.add(draw::Line{{x, view.area.top}, {x, view.area.bottom}, with_alpha(theme.bad, 0.45), 1, 0});
  }
}

std::vector<Level> levels_of(const PlanSceneInput& input, const Theme& theme) {
  std::vector<Level> levels;
  if (input.facts != nullptr && input.facts->load > 0) levels.push_back(Level{"load", input.facts->load, theme.good});
  if (input.makespan > 0) levels.push_back(Level{"makespan", input.makespan, theme.warn});
  if (const auto capacity = input.problem->capacity(input.space)) {
    levels.push_back(Level{"capacity", *capacity, theme.bad});
  }
  if (input.asked_capacity) levels.push_back(Level{"what if", *input.asked_capacity, theme.accent});
  return levels;
}

/// Shared objects as lanes across all times, with their numbers where there is room.
void add_lanes(Scene& scene, const PlanSceneInput& input, const Viewport& view, const Theme& theme) {
  const Objects& objects = *input.objects;
  std::vector<bool> seen(objects.sizes.size(), false);
  for (BufferIndex i = 0; i < input.offsets->size() && i < objects.object_of.size(); ++i) {
    const std::uint32_t object = objects.object_of[i];
    if (object >= seen.size() || seen[object] || (*input.offsets)[i] == kNoOffset) continue;
    seen[object] = true;
    const std::int64_t low = (*input.offsets)[i] - (objects.inner.empty() ? 0 : objects.inner[i]);
    const float bottom = snapped(view.y_of_address(low), input.scale);
    const float top = snapped(view.y_of_address(low + objects.sizes[object]), input.scale);
    if (bottom < view.area.top || top > view.area.bottom || bottom - top < 3) continue;
    const Color line = with_alpha(theme.text, 0.35);
    for (const float y : {bottom, top}) {
      scene.add(draw::Line{{view.area.left, y}, {view.area.right, y}, line, 1 / input.scale, 4});
    }
    if (bottom - top < 16) continue;
    scene.add(draw::Text{{view.area.right - 6, (top + bottom) / 2 - 7},
                         fmt::format("object {}", object),
                         theme.dim,
                         kLaneSize,
                         FontFace::kText,
                         TextAlign::kRight,
                         {},
                         false});
  }
}

void add_cursor(Scene& scene, double time, const Viewport& view, float scale, const Theme& theme) {
  const float x = snapped(view.x_of(time), scale) + 0.5F / scale;
  scene.add(draw::Line{{x, view.area.top}, {x, view.area.bottom}, with_alpha(theme.text, 0.6), 1 / scale, 0});
}

}  // namespace

std::size_t category_of_kind(const Problem& problem, std::uint16_t kind) {
  constexpr std::size_t kGrey = 7;
  if (kind > 0) return static_cast<std::size_t>(kind - 1) % 8;
  return problem.kinds().size() > 1 ? kGrey : 0;
}

std::size_t category_of(const Problem& problem, BufferIndex buffer, std::uint16_t kind) {
  return problem.kinds().size() <= 1 ? buffer % 8 : category_of_kind(problem, kind);
}

std::size_t category_of(const Problem& problem, BufferIndex buffer) {
  return category_of(problem, buffer, problem[buffer].kind);
}

Viewport on_device_pixels(Viewport view, float scale) {
  const Rect& area = view.area;
  view.area = Rect{snapped(area.left, scale), snapped(area.top, scale), snapped(area.right, scale),
                   snapped(area.bottom, scale)};
  return view;
}

Margins chart_margins() {
  return Margins{};
}

void add_plan(Scene& scene, const PlanSceneInput& input, const Viewport& given, const Theme& theme,
              const TextMeasure& measure, SceneStats* stats) {
  const Viewport view = on_device_pixels(given, input.scale);
  const Rect area = view.area;
  if (area.width() < 1 || area.height() < 1) return;
  std::optional<PlanPicture> own;
  if (input.picture == nullptr) own = paint_plan(input, view, theme);
  const PlanPicture& picture = own ? *own : *input.picture;
  if (stats != nullptr) *stats = SceneStats{own ? own->stats.visited : 0, picture.vectors.size(), picture.stats.raster};
  if (input.bare) {
    scene.add(draw::PushClip{area});
    add_rectangles(scene, input, picture, view, theme, measure);
    scene.add(draw::PopClip{});
    return;
  }
  const Axis times = time_axis(view, input.problem->time_unit(), input.scale, measure);
  const Axis bytes =
      byte_axis(view, "address", input.address_style, input.unit, byte_label_room(), input.scale, measure);

  scene.add(draw::PushClip{area});
  if (input.facts != nullptr) add_peak(scene, *input.facts, view, input.scale, theme);
  add_grid(scene, times, bytes, area, input.scale, theme);
  if (input.objects != nullptr) add_lanes(scene, input, view, theme);
  add_rectangles(scene, input, picture, view, theme, measure);
  add_breaks(scene, view, input.scale, input.address_style, input.unit, theme, measure);
  if (input.facts != nullptr) add_peak_edges(scene, *input.facts, view, input.scale, theme);
  add_levels(scene, levels_of(input, theme), view, input.scale, theme, measure, input.unit);
  if (input.cursor_time) add_cursor(scene, *input.cursor_time, view, input.scale, theme);
  scene.add(draw::PopClip{});

  scene.add(draw::Border{area, theme.line, 1, 0});
  add_axis_breaks(scene, view, input.scale, theme);
  add_axes(scene, input.time_labels ? times : Axis{}, bytes, area, theme, measure);
}

}  // namespace stowage
