#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/chart/figure.h"
#include "ui/icons.h"
#include "ui/painter.h"
#include "ui/shortcuts.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kTolerance = 3;      // logical pixels beside thin buffers that still hit them
constexpr double kWheelStep = 1.18;  // a notch of the wheel
const char* const kSlot = "map";

bool key_down(std::string_view key) {
  const int number = key_number(key);
#if IMGUI_VERSION_NUM >= 18700
  return number >= 0 && ImGui::IsKeyDown(static_cast<ImGuiKey>(number));
#else
  return number >= 0 && ImGui::IsKeyDown(number);
#endif
}

/// The chart's canvas in this frame: scene coordinates are logical pixels from `origin`.
struct Canvas {
  ImVec2 origin;
  float width = 0;   // logical
  float height = 0;  // logical
  float scale = 1;
  Point mouse;  // logical
  bool hovered = false;

  ImVec2 device(float x, float y) const { return ImVec2(origin.x + x * scale, origin.y + y * scale); }
};

Point mouse_in(const Canvas& canvas) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return Point{(mouse.x - canvas.origin.x) / canvas.scale, (mouse.y - canvas.origin.y) / canvas.scale};
}

MapKey key_of(const State& state, float width, float height) {
  MapKey key;
  key.problem_revision = state.problem_revision;
  key.plan_revision = state.plan_revision;
  key.selection_revision = state.selection_revision;
  key.rows_revision = state.rows_revision;
  key.font_revision = state.font_revision;
  key.space = state.space;
  key.view = state.camera;
  key.width = width;
  key.height = height;
  key.scale = state.ui.scale;
  key.dark = state.ui.theme->dark;
  key.unit = state.settings.byte_unit;
  key.hex = state.settings.hex_addresses;
  return key;
}

void rebuild(State& state, const Canvas& canvas) {
  MapKey key = key_of(state, canvas.width, canvas.height);
  if (state.map.built > 0 && state.map.key == key) return;
  const PlanFacts* facts = state.shown_facts();
  PlanSceneInput input;
  input.problem = &state.problem();
  input.index = state.index();
  input.facts = &state.space_facts();
  input.offsets = &state.drawn_offsets();
  input.makespan = facts != nullptr ? state.space_metrics(*facts).makespan : 0;
  input.space = state.space;
  const Plan* plan = state.plan();
  input.objects = plan != nullptr && plan->objects ? &*plan->objects : nullptr;
  input.report = facts != nullptr ? &facts->report : nullptr;
  input.selected = state.selection;
  // Rows of another problem or filter may still be on their way.
  const bool current = state.rows.matches != nullptr && state.rows.matches->size() == state.problem().size();
  input.matches = current ? state.rows.matches.get() : nullptr;
  input.unit = state.byte_unit();
  input.address_style = state.address_style();
  input.scale = state.ui.scale;
  Scene scene;
  scene.width = canvas.width;
  scene.height = canvas.height;
  SceneStats stats;
  add_plan(scene, input, state.camera, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale), &stats);
  state.map = CachedScene{std::move(key), std::move(scene), stats, state.map.built + 1};
}

/// Wheel: both axes about the cursor; over an axis or with Shift or Ctrl only one.
void zoom_with_wheel(State& state, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!canvas.hovered || (io.MouseWheel == 0 && io.MouseWheelH == 0)) return;
  const Rect& area = state.camera.area;
  const bool over_bytes = canvas.mouse.x < area.left;
  const bool over_time = canvas.mouse.y > area.bottom;
  const double factor = std::pow(kWheelStep, -static_cast<double>(io.MouseWheel));
  const bool time_only = io.KeyCtrl || (over_time && !over_bytes);
  const bool bytes_only = io.KeyShift || (over_bytes && !over_time);
  Viewport to = state.camera;
  const Point about{std::clamp(canvas.mouse.x, area.left, area.right),
                    std::clamp(canvas.mouse.y, area.top, area.bottom)};
  if (io.MouseWheel != 0) to.zoom(about, bytes_only ? 1 : factor, time_only && !bytes_only ? 1 : factor);
  if (io.MouseWheelH != 0) to.pan_pixels(io.MouseWheelH * 40, 0);
  state.push(action::MoveCamera{to});
}

std::vector<BufferIndex> boxed(const State& state) {
  const Viewport& view = state.camera;
  const Point a = state.gesture.start();
  const Point b = state.gesture.now();
  return in_box(state.problem(), *state.index(), state.drawn_offsets(), view.time_at(std::min(a.x, b.x)),
                view.time_at(std::max(a.x, b.x)), view.byte_at(std::max(a.y, b.y)), view.byte_at(std::min(a.y, b.y)));
}

void click(State& state, BufferIndex hit) {
  const bool add = ImGui::GetIO().KeyCtrl;
  if (hit == kNoBuffer) {
    if (!add) state.push(action::Select{{}, SelectMode::kReplace});
    return;
  }
  state.push(action::Select{{hit}, add ? SelectMode::kToggle : SelectMode::kReplace});
}

void drive_gesture(State& state, const Canvas& canvas, BufferIndex hit) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool pressed = canvas.hovered && ImGui::IsMouseClicked(0);
  if (pressed && ImGui::IsMouseDoubleClicked(0)) {
    if (hit == kNoBuffer) {
      state.push(action::Invoke{CommandId::frame_all});
    } else {
      state.push(action::Select{{hit}, SelectMode::kReplace});
      state.push(action::FrameBuffers{{hit}});
    }
  }
  const GestureKind kind = key_down("M") && !io.WantTextInput ? GestureKind::kMeasure
                           : io.KeyShift                      ? GestureKind::kBox
                                                              : GestureKind::kPan;
  const GestureKind was = state.gesture.kind();
  const Gesture::Event event = state.gesture.update(ImGui::IsMouseDown(0), pressed, canvas.mouse, kind);
  switch (event) {
    case Gesture::Event::kStarted:
    case Gesture::Event::kMoved:
      if (state.gesture.kind() == GestureKind::kPan) {
        Viewport to = state.camera;
        to.pan_pixels(state.gesture.delta().x, state.gesture.delta().y);
        state.push(action::MoveCamera{to});
      }
      break;
    case Gesture::Event::kFinished:
      if (was == GestureKind::kBox) {
        state.push(action::Select{boxed(state), io.KeyCtrl ? SelectMode::kAdd : SelectMode::kReplace});
      }
      break;
    case Gesture::Event::kClicked:
      click(state, hit);
      break;
    case Gesture::Event::kNothing:
      break;
  }
}

/// The measured part of the plane: steps, bytes, and the largest load inside.
std::string measured(const State& state) {
  const Viewport& view = state.camera;
  const double t0 = view.time_at(std::min(state.gesture.start().x, state.gesture.now().x));
  const double t1 = view.time_at(std::max(state.gesture.start().x, state.gesture.now().x));
  const double b0 = view.byte_at(std::max(state.gesture.start().y, state.gesture.now().y));
  const double b1 = view.byte_at(std::min(state.gesture.start().y, state.gesture.now().y));
  std::int64_t load = load_at(state.curve(), static_cast<std::int64_t>(std::floor(t0)));
  for (const LoadPoint& point : state.curve()) {
    const auto time = static_cast<double>(point.time);
    if (time >= t0 && time < t1) load = std::max(load, point.load);
  }
  return fmt::format("{:.1f} {}\n{}\nload up to {}", t1 - t0, state.time_unit(2),
                     state.bytes(static_cast<std::int64_t>(std::max(0.0, b1 - b0))), state.bytes(load));
}

void draw_drag(const State& state, const Canvas& canvas) {
  const GestureKind kind = state.gesture.kind();
  if (kind != GestureKind::kBox && kind != GestureKind::kMeasure) return;
  const Theme& theme = *state.ui.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 a = canvas.device(state.gesture.start().x, state.gesture.start().y);
  const ImVec2 b = canvas.device(state.gesture.now().x, state.gesture.now().y);
  const ImVec2 low(std::min(a.x, b.x), std::min(a.y, b.y));
  const ImVec2 high(std::max(a.x, b.x), std::max(a.y, b.y));
  const Color color = kind == GestureKind::kBox ? theme.accent : theme.warn;
  list.AddRectFilled(low, high, u32(with_alpha(color, 0.15)));
  list.AddRect(low, high, u32(color));
  if (kind == GestureKind::kMeasure) tooltip(state.ui, measured(state));
}

void draw_cursor_line(const State& state, const Canvas& canvas) {
  if (!state.cursor_time) return;
  const Rect& area = state.camera.area;
  const float x = state.camera.x_of(*state.cursor_time);
  if (x < area.left || x > area.right) return;
  const ImVec2 top = canvas.device(x, area.top);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(std::floor(top.x), top.y),
                                      ImVec2(std::floor(top.x), canvas.device(x, area.bottom).y),
                                      u32(with_alpha(state.ui.theme->bad, 0.55)));
}

void draw_hover(State& state, const Canvas& canvas) {
  const BufferIndex i = state.hovered;
  if (i == kNoBuffer || i >= state.drawn_offsets().size()) return;
  const Viewport& view = state.camera;
  const Buffer& b = state.problem()[i];
  const Rect& area = view.area;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 low = canvas.device(view.x_of_step(b.start), view.y_of_address(state.drawn_offsets()[i] + b.size));
  ImVec2 high = canvas.device(view.x_of_step(b.end), view.y_of_address(state.drawn_offsets()[i]));
  high = ImVec2(std::max(high.x, low.x + 2), std::max(high.y, low.y + 2));
  list.PushClipRect(canvas.device(area.left, area.top), canvas.device(area.right, area.bottom), true);
  list.AddRect(low, high, u32(with_alpha(state.ui.theme->text, 0.9)), state.ui.px(3), 0, std::max(1.0F, canvas.scale));
  list.PopClipRect();

  const std::string_view kind = state.problem().kind(i);
  std::string words = printable_utf8(state.problem().id(i));
  if (!kind.empty()) words += "  \u00B7  " + printable_utf8(kind);
  words += fmt::format("\n{}  ({})", state.bytes(b.size), format_exact_bytes(b.size));
  words += fmt::format("\naddress {} to {}", state.address(state.drawn_offsets()[i]),
                       state.address(state.drawn_offsets()[i] + b.size));
  words += fmt::format("\nlive {} \u2013 {}  ({} {})", b.start, b.end, format_count(b.lifetime()),
                       state.time_unit(b.lifetime()));
  if (b.is_fixed()) words += "\nfixed offset";
  tooltip(state.ui, words);
}

void note_cursor(State& state, const Canvas& canvas) {
  const bool inside = canvas.hovered && state.camera.area.contains(canvas.mouse);
  if (!inside) {
    state.cursor_byte.reset();
    state.hovered = kNoBuffer;
    if (canvas.hovered) state.cursor_time.reset();
    return;
  }
  state.cursor_time = state.camera.time_at(canvas.mouse.x);
  state.cursor_byte = state.camera.byte_at(canvas.mouse.y);
}

/// Colour and name of each kind, from the right, as many as fit; a click filters by it.
void legend(State& state, float left, float right, float y) {
  Ui& ui = state.ui;
  const auto kinds = state.problem().kinds();
  float needed = 0;
  std::size_t count = 0;
  const auto width_of = [&](const std::string& kind) {
    return ui.px(8 + 6 + 14) + text_width(ui.fonts.small, printable_utf8(kind));
  };
  for (std::size_t k = 1; k < kinds.size(); ++k) {
    if (needed + width_of(kinds[k]) > right - left) break;
    needed += width_of(kinds[k]);
    ++count;
  }
  float x = right - needed;
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string name = printable_utf8(kinds[k]);
    const float width = width_of(kinds[k]);
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::InvisibleButton("##kind", ImVec2(width, ui.px(20)))) {
      const std::string query = "kind:" + name;
      state.push(action::SetQuery{state.query == query ? std::string() : query});
    }
    ImGui::PopID();
    record(ui, "legend." + name);
    const bool over = ImGui::IsItemHovered();
    const float dot = ui.px(8);
    const float dot_y = y + (ui.px(20) - dot) / 2;
    const std::size_t category = category_of_kind(state.problem(), static_cast<std::uint16_t>(k));
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x + ui.px(7), dot_y), ImVec2(x + ui.px(7) + dot, dot_y + dot),
                                              u32(ui.theme->border(category)), ui.px(2));
    draw_text(ui, ui.fonts.small, ImVec2(x + ui.px(21), y + (ui.px(20) - font_height(ui.fonts.small)) / 2),
              over ? ui.theme->text : ui.theme->dim, name);
    x += width;
  }
}

void space_switch(State& state, float x, float y) {
  Ui& ui = state.ui;
  const auto spaces = state.problem().spaces();
  if (spaces.size() < 2) return;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::SetNextItemWidth(ui.px(130));
  if (ImGui::BeginCombo("##space", printable_utf8(spaces[state.space].id).c_str())) {
    for (std::size_t k = 0; k < spaces.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      if (ImGui::Selectable(printable_utf8(spaces[k].id).c_str(), k == state.space)) {
        state.push(action::SetSpace{static_cast<std::uint16_t>(k)});
      }
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  record(ui, "space");
}

void heading(State& state, std::string_view title) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(ui, ui.fonts.semibold, at, ui.theme->text, title);
  float x = at.x + text_width(ui.fonts.semibold, title) + ui.px(12);
  const Plan* plan = state.plan();
  std::string words = printable_utf8(title_of(state.document));
  if (plan != nullptr) words += "  \u2022  " + State::title_of_plan(plan->id);
  const float right = at.x + width;
  const bool shares = state.problem().kinds().size() > 1 || state.problem().spaces().size() > 1;
  const float room = std::max(ui.px(60), (right - x) * (shares ? 0.55F : 1.0F));
  const std::string shown = fitted(ui.fonts.text, words, room);
  draw_text(ui, ui.fonts.text, ImVec2(x, at.y), ui.theme->dim, shown);
  x += text_width(ui.fonts.text, shown) + ui.px(16);
  if (state.problem().spaces().size() > 1) {
    space_switch(state, x, at.y - ui.px(5));
    x += ui.px(146);
  }
  if (state.centre == CentreView::kMap) legend(state, x, right, at.y - ui.px(1));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(24)));
}

/// No file: what to do about it. A file is being read: which.
void draw_welcome(State& state, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  if (!state.loading_path.empty()) {
    empty_message(ui, low, high, icon::kHistory, "Opening\xE2\x80\xA6", printable_utf8(state.loading_path));
    return;
  }
  const bool opened = !state.document.path.empty();
  empty_message(ui, low, high, icon::kMap, opened ? "This file has no buffers" : "No file is open",
                opened ? "There is nothing to draw or to plan in it."
                       : "Open a CSV or JSON file with buffers and their lifetimes, or drop one on the window.");
  const float width = button_width(ui, icon::kOpen, "Open a file");
  ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(40)));
  if (button(ui, "welcome.open", icon::kOpen, "Open a file", ButtonLook::kAccent, "Ctrl+O")) {
    state.push(action::Invoke{CommandId::open});
  }
  float y = (low.y + high.y) / 2 + ui.px(92);
  int shown = 0;
  for (const std::string& recent : state.settings.recents) {
    if (++shown > 5 || y + ui.px(22) > high.y) break;
    const std::string words = fitted(ui.fonts.small, printable_utf8(recent), high.x - low.x - ui.px(40));
    const float wide = text_width(ui.fonts.small, words);
    ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - wide) / 2, y));
    ImGui::PushID(shown);
    if (ImGui::InvisibleButton("##recent", ImVec2(wide, ui.px(20)))) state.push(action::OpenPath{recent});
    ImGui::PopID();
    record(ui, fmt::format("welcome.recent.{}", shown - 1));
    draw_text(ui, ui.fonts.small, ImVec2((low.x + high.x - wide) / 2, y),
              ImGui::IsItemHovered() ? ui.theme->accent : ui.theme->dim, words);
    y += ui.px(22);
  }
}

void draw_no_plan(State& state, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  if (!state.tasks.idle()) {
    empty_message(ui, low, high, icon::kPlay, "Planning\xE2\x80\xA6",
                  "The first plan appears here as soon as it is made.");
    return;
  }
  empty_message(ui, low, high, icon::kPlay, "No plan yet",
                "The buffers have no addresses. Run the allocators to place them.");
  const float width = button_width(ui, icon::kPlay, "Run allocators");
  ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(40)));
  if (button(ui, "empty.run_all", icon::kPlay, "Run allocators", ButtonLook::kAccent, "Ctrl+R")) {
    state.push(action::Invoke{CommandId::run_all});
  }
}

void draw_map(State& state, ImVec2 low, ImVec2 room) {
  Canvas canvas;
  canvas.scale = state.ui.scale;
  canvas.origin = low;
  canvas.width = room.x / canvas.scale;
  canvas.height = room.y / canvas.scale;
  const Margins margins = chart_margins();
  const Rect area{margins.left, margins.top, std::max(margins.left + 10, canvas.width - margins.right),
                  std::max(margins.top + 10, canvas.height - margins.bottom)};
  if (!(area == state.camera.area)) {
    state.camera.area = area;
    if (state.camera_home) show_everything(state, false);
  }
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("##canvas", room);
  record(state.ui, "chart.canvas");
  record(state.ui, "chart.area", canvas.device(area.left, area.top), canvas.device(area.right, area.bottom));
  canvas.hovered = ImGui::IsItemHovered();
  canvas.mouse = mouse_in(canvas);
  note_cursor(state, canvas);
  if (canvas.hovered && !state.gesture.dragging() && area.contains(canvas.mouse)) {
    state.hovered =
        pick(state.problem(), *state.index(), state.drawn_offsets(), state.camera, canvas.mouse, kTolerance);
  }
  zoom_with_wheel(state, canvas);
  drive_gesture(state, canvas, state.hovered);
  rebuild(state, canvas);
  paint_scene(*ImGui::GetWindowDrawList(), state.map.scene, PaintTarget{low, canvas.scale, kSlot}, state.ui.fonts,
              state.host);
  draw_cursor_line(state, canvas);
  if (state.gesture.dragging()) {
    draw_drag(state, canvas);
  } else {
    draw_hover(state, canvas);
  }
}

/// Every finished plan as a bar of makespan over load.
void draw_compare(State& state, ImVec2 low, ImVec2 room) {
  const float width = room.x / state.ui.scale;
  const float height = room.y / state.ui.scale;
  MapKey key = key_of(state, width, height);
  key.plan_revision = state.document.plans.size() + (state.plan_revision << 20U);
  if (state.compare.built == 0 || !(state.compare.key == key)) {
    BarsInput input;
    input.title = "Makespan / load";
    input.rows = {printable_utf8(title_of(state.document))};
    input.ratios.emplace_back();
    for (const std::string& id : state.ranked_plans()) {
      const PlanFacts* facts = state.facts_of(id);
      if (facts == nullptr) continue;
      input.columns.push_back(State::title_of_plan(id));
      const double load = static_cast<double>(std::max<std::int64_t>(1, state.analysis.facts.load));
      input.ratios.front().push_back(static_cast<double>(facts->metrics.makespan) / load);
    }
    input.width = width;
    input.height = height;
    Theme theme = *state.ui.theme;
    theme.background = theme.card;
    Scene scene = make_bars(input, theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
    state.compare = CachedScene{std::move(key), std::move(scene), {}, state.compare.built + 1};
  }
  ImGui::SetCursorScreenPos(low);
  ImGui::Dummy(room);
  record(state.ui, "compare.canvas");
  paint_scene(*ImGui::GetWindowDrawList(), state.compare.scene, PaintTarget{low, state.ui.scale, "compare"},
              state.ui.fonts, state.host);
}

}  // namespace

void draw_chart(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "chart", at, size);
  const ImVec2 inside = ImGui::GetCursorScreenPos();
  const ImVec2 end(inside.x + ImGui::GetContentRegionAvail().x, inside.y + ImGui::GetContentRegionAvail().y);
  if (!state.has_problem()) {
    draw_welcome(state, inside, end);
    end_card();
    return;
  }
  heading(state, state.centre == CentreView::kMap ? "Memory map" : "Compare");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room(end.x - low.x, end.y - low.y);
  if (state.plan() == nullptr) {
    draw_no_plan(state, low, end);
  } else if (state.centre == CentreView::kCompare) {
    draw_compare(state, low, room);
  } else {
    draw_map(state, low, room);
  }
  end_card();
}

}  // namespace stowage
