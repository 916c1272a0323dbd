#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/chart/load_scene.h"
#include "ui/board.h"
#include "ui/free_view.h"
#include "ui/history_curve.h"
#include "ui/painter.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kHandle = 6;  // logical pixels about an edge of the brush that grab it
enum BrushPart { kNone = 0, kLeft = 1, kRight = 2, kWhole = 3, kNew = 4 };

/// Times of the whole problem, bytes from 0 to a little above the load.
Viewport whole(const State& state, float width, float height) {
  const Margins margins = chart_margins();
  const Rect area{margins.left, 6, std::max(margins.left + 10, width - margins.right), std::max(20.0F, height - 22)};
  Viewport view = fit_all(state.space_facts(), 0, area);
  view.byte_low = 0;
  view.byte_origin = 0;
  view.byte_high = std::max(1.0, static_cast<double>(state.space_facts().load) * 1.1);
  return view;
}

double camera_low(const State& state) {
  return state.camera.time_at(state.camera.area.left);
}
double camera_high(const State& state) {
  return state.camera.time_at(state.camera.area.right);
}

void set_times(State& state, double low, double high) {
  if (!(high > low)) return;
  Viewport to = state.camera;
  to.time_low = low - static_cast<double>(to.time_origin);
  to.time_high = high - static_cast<double>(to.time_origin);
  state.push(action::MoveCamera{to});
}

int part_at(const State& state, const Viewport& view, float x) {
  const float left = view.x_of(camera_low(state));
  const float right = view.x_of(camera_high(state));
  if (std::abs(x - left) <= kHandle) return kLeft;
  if (std::abs(x - right) <= kHandle) return kRight;
  const bool everything = left <= view.area.left + 1 && right >= view.area.right - 1;
  return x > left && x < right && !everything ? kWhole : kNew;
}

void drag_brush(State& state, const Viewport& view, float x, bool hovered) {
  const int under = part_at(state, view, x);
  const int part = state.brush_part != kNone ? state.brush_part : under;
  if (hovered || state.brush_part != kNone) {
    if (part == kLeft || part == kRight) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (part == kWhole) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const double time = view.time_at(x);
  if (hovered && ImGui::IsMouseDoubleClicked(0)) {
    const Viewport all = fit_all(state.space_facts(), 0, state.camera.area);
    set_times(state, all.time_at(all.area.left), all.time_at(all.area.right));
    return;
  }
  if (hovered && ImGui::IsMouseClicked(0)) {
    state.brush_part = under;
    state.brush_anchor = under == kWhole ? time - camera_low(state) : time;
    return;
  }
  if (!ImGui::IsMouseDown(0)) state.brush_part = kNone;
  const double least = (view.time_high - view.time_low) / 4000;
  switch (state.brush_part) {
    case kLeft:
      set_times(state, std::min(time, camera_high(state) - least), camera_high(state));
      break;
    case kRight:
      set_times(state, camera_low(state), std::max(time, camera_low(state) + least));
      break;
    case kWhole: {
      const double length = camera_high(state) - camera_low(state);
      set_times(state, time - state.brush_anchor, time - state.brush_anchor + length);
      break;
    }
    case kNew:
      if (std::abs(view.x_of(time) - view.x_of(state.brush_anchor)) >= Gesture::kThreshold) {
        set_times(state, std::min(time, state.brush_anchor), std::max(time, state.brush_anchor));
      }
      break;
    default:
      break;
  }
}

void rebuild(State& state, const Viewport& view, float width, float height) {
  MapKey key;
  key.problem_revision = state.problem_revision;
  key.font_revision = state.font_revision;
  key.space = state.space;
  key.view = state.camera;
  key.width = width;
  key.height = height;
  key.scale = state.ui.scale;
  key.dark = state.ui.theme->dark;
  key.unit = state.settings.byte_unit;
  if (state.load.built > 0 && state.load.key == key) return;
  LoadSceneInput input;
  input.curve = state.curve();
  input.facts = &state.space_facts();
  input.capacity = state.problem().capacity(state.space);
  if (state.plan() != nullptr) {
    input.brush_low = camera_low(state);
    input.brush_high = camera_high(state);
  }
  input.unit = state.byte_unit();
  Scene scene;
  scene.width = width;
  scene.height = height;
  add_load(scene, input, view, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
  state.load = CachedScene{std::move(key), std::move(scene), {}, state.load.built + 1};
}

/// What the curve of the edits takes at the right while one edits; device pixels.
float edits_beside(const State& state, float width) {
  if (!state.editing.mode || state.editing.history.size() < 2 || width < state.ui.px(520)) return 0;
  return std::min(state.ui.px(320), width * 0.36F);
}

}  // namespace

void draw_load(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "load", at, size);
  const ProblemMetrics& facts = state.space_facts();
  const ImVec2 title = ImGui::GetCursorScreenPos();
  card_title(ui, "Live load");
  if (!state.has_problem()) {
    text(ui.fonts.small, ui.theme->dim,
         shows_board(state) ? "The load of the buffers that you draw appears here." : "There are no buffers.");
    end_card();
    return;
  }
  const float whole_width = ImGui::GetContentRegionAvail().x;
  const float beside = edits_beside(state, whole_width);
  const float x = title.x + text_width(ui.fonts.semibold, "Live load") + ui.px(12);
  const std::string words = fmt::format("up to {}, first at {} {}", state.bytes(facts.load),
                                        printable_utf8(state.problem().time_unit()), facts.peak_start);
  draw_text(ui, ui.fonts.text, ImVec2(x, title.y), ui.theme->dim,
            fitted(ui.fonts.text, words, title.x + whole_width - beside - x));

  const ImVec2 low(title.x, title.y + ui.px(22));
  const ImVec2 room(whole_width - beside, at.y + size.y - low.y - ui.px(6));
  const float width = room.x / ui.scale;
  const float height = room.y / ui.scale;
  const Viewport view = whole(state, width, height);
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("##load", ImVec2(std::max(1.0F, room.x), std::max(1.0F, room.y)));
  record(ui, "load.canvas");
  const auto device = [&](float px, float py) {
    return ImVec2(low.x + px * ui.scale, low.y + py * ui.scale);
  };
  record(ui, "load.area", device(view.area.left, view.area.top), device(view.area.right, view.area.bottom));
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float mouse_x = std::clamp((mouse.x - low.x) / ui.scale, view.area.left, view.area.right);
  if (state.plan() != nullptr) drag_brush(state, view, mouse_x, hovered);
  if (hovered) {
    state.cursor_time = view.time_at(mouse_x);
    state.cursor_byte.reset();
  }
  if (hovered && ImGui::GetIO().MouseWheel != 0 && state.plan() != nullptr) {
    Viewport to = state.camera;
    const float about = std::clamp(to.x_of(view.time_at(mouse_x)), to.area.left, to.area.right);
    to.zoom(Point{about, to.area.top}, zoom_of_wheel(ImGui::GetIO().MouseWheel), 1);
    state.push(action::MoveCamera{to});
  }
  rebuild(state, view, width, height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  paint_scene(list, state.load.scene, PaintTarget{low, ui.scale, "load"}, ui.fonts, state.host);
  if (state.cursor_time) {
    const float cursor = view.x_of(*state.cursor_time);
    if (cursor >= view.area.left && cursor <= view.area.right) {
      const float line = std::floor(device(cursor, 0).x);
      list.AddLine(ImVec2(line, device(0, view.area.top).y), ImVec2(line, device(0, view.area.bottom).y),
                   u32(with_alpha(ui.theme->bad, 0.55)));
    }
  }
  if (hovered && state.brush_part == kNone) {
    const auto step = static_cast<std::int64_t>(std::floor(view.time_at(mouse_x)));
    tooltip(ui, fmt::format("{} {}\nload {}", printable_utf8(state.problem().time_unit()), step,
                            format_exact_bytes(load_at(state.curve(), step))));
  }
  if (beside > 0) {
    const float left = low.x + room.x + ui.px(14);
    draw_text(ui, ui.fonts.semibold, ImVec2(left, title.y), ui.theme->text, "Edits");
    draw_history_curve_in(state, ImVec2(left, low.y), ImVec2(title.x + whole_width - left, room.y));
  }
  end_card();
}

}  // namespace stowage
