#include "ui/chart/minimap.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/chart/spaces.h"
#include "ui/painter.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kManyBuffers = 1'000;
constexpr float kWidth = 190;  // logical pixels
constexpr float kHeight = 112;
constexpr float kMargin = 10;  // from the border of the chart
constexpr float kRoom = 2.2F;  // a chart this many times as large has room for it

bool shown(const State& state) {
  const Rect& area = state.camera.area;
  const bool room = area.width() >= kRoom * kWidth && area.height() >= kRoom * kHeight;
  return room && state.has_problem() && state.plan() != nullptr &&
         switched_on(state, kMinimapSetting, minimap_usual(state));
}

/// In the lower right corner: the tags of load and makespan stand higher up.
Rect frame_of(const State& state) {
  const Rect& area = state.camera.area;
  return Rect{area.right - kMargin - kWidth, area.bottom - kMargin - kHeight, area.right - kMargin,
              area.bottom - kMargin};
}

/// The visible part within the minimap, at least a few pixels in both directions.
Rect visible_part(const State& state, const Viewport& whole) {
  const Viewport& camera = state.camera;
  Viewport axis = whole;  // both speak of the axis that the camera's numbers are places on
  axis.map = nullptr;
  const auto at_x = [&](double share) {
    return whole.x_of(static_cast<double>(camera.time_origin) + camera.time_low +
                      share * (camera.time_high - camera.time_low));
  };
  const auto at_y = [&](double share) {
    return axis.y_of(static_cast<double>(camera.byte_origin) + camera.byte_low +
                     share * (camera.byte_high - camera.byte_low));
  };
  Rect part{at_x(0), at_y(1), at_x(1), at_y(0)};
  constexpr float kLeast = 4;
  if (part.width() < kLeast) part = Rect{part.left - kLeast / 2, part.top, part.left + kLeast / 2, part.bottom};
  if (part.height() < kLeast) part = Rect{part.left, part.top - kLeast / 2, part.right, part.top + kLeast / 2};
  return part;
}

/// Puts the middle of the view at a point of the minimap.
void centre_on(State& state, const Viewport& whole, Point at) {
  Viewport to = state.camera;
  const Rect& area = whole.area;
  const Rect part = visible_part(state, whole);
  const Point wanted{std::clamp(at.x, area.left, area.right), std::clamp(at.y, area.top, area.bottom)};
  const double times = (whole.time_high - whole.time_low) / static_cast<double>(area.width());
  const double units = (whole.byte_high - whole.byte_low) / static_cast<double>(area.height());
  const double right = static_cast<double>(wanted.x - (part.left + part.right) / 2) * times;
  const double up = static_cast<double>((part.top + part.bottom) / 2 - wanted.y) * units;
  to.pan_pixels(static_cast<float>(-right * to.pixels_per_time()), static_cast<float>(up * to.pixels_per_unit()));
  state.push(action::MoveCamera{to});
}

}  // namespace

bool minimap_usual(const State& state) {
  return state.problem().size() > kManyBuffers;
}

bool drive_minimap(State& state, const Canvas& canvas) {
  Minimap& map = state.part<Minimap>();
  if (!shown(state)) {
    map.held = false;
    return false;
  }
  const Rect frame = frame_of(state);
  map.whole = view_of_everything(state);
  map.whole.area = Rect{frame.left + 3, frame.top + 3, frame.right - 3, frame.bottom - 3};
  const bool over = canvas.hovered && frame.contains(canvas.mouse) && !state.gesture.dragging();
  if (over && ImGui::IsMouseClicked(0)) {
    const Rect part = visible_part(state, map.whole);
    map.held = true;
    // The visible part is taken where it is; beside it, its middle jumps under the pointer.
    map.grip = part.contains(canvas.mouse)
                   ? Point{canvas.mouse.x - (part.left + part.right) / 2, canvas.mouse.y - (part.top + part.bottom) / 2}
                   : Point{};
    if (!part.contains(canvas.mouse)) centre_on(state, map.whole, canvas.mouse);
  }
  if (map.held && !ImGui::IsMouseDown(0)) map.held = false;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (map.held && !ImGui::IsMouseClicked(0) && (moved.x != 0 || moved.y != 0)) {
    centre_on(state, map.whole, Point{canvas.mouse.x - map.grip.x, canvas.mouse.y - map.grip.y});
  }
  return over || map.held;
}

void draw_minimap(State& state, const Canvas& canvas) {
  if (!shown(state)) return;
  Minimap& map = state.part<Minimap>();
  const Ui& ui = state.ui;
  const Rect frame = frame_of(state);
  Viewport inside = map.whole;
  inside.area = Rect{map.whole.area.left - frame.left, map.whole.area.top - frame.top,
                     map.whole.area.right - frame.left, map.whole.area.bottom - frame.top};
  MapKey key = scene_key(state, kWidth, kHeight);
  key.view = inside;
  renew_scene(state, "minimap", map.scene, std::move(key),
              ChartedPlan{state.plan(), state.shown_facts(), &state.drawn_offsets()}, true);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = canvas.device(frame.left, frame.top);
  const ImVec2 high = canvas.device(frame.right, frame.bottom);
  list.AddRectFilled(low, high, u32(with_alpha(ui.theme->card, 0.94)), ui.px(5));
  paint_scene(list, map.scene.scene, PaintTarget{low, canvas.scale, "minimap"}, ui.fonts, state.host);
  const Rect part = visible_part(state, map.whole);
  list.PushClipRect(low, high, true);
  const ImVec2 part_low = canvas.device(part.left, part.top);
  const ImVec2 part_high = canvas.device(part.right, part.bottom);
  list.AddRectFilled(part_low, part_high, u32(with_alpha(ui.theme->text, 0.10)));
  list.AddRect(part_low, part_high, u32(ui.theme->accent), 0, 0, std::max(1.0F, ui.px(1.5F)));
  list.PopClipRect();
  list.AddRect(low, high, u32(ui.theme->line), ui.px(5));
  record(state.ui, "chart.minimap", low, high);
  record(state.ui, "chart.minimap.view", part_low, part_high);
}

}  // namespace stowage
