#include <algorithm>
#include <optional>
#include <vector>

#include "ui/chart/canvas.h"
#include "ui/chart/edit_gesture.h"
#include "ui/chart/spaces.h"
#include "ui/free_view.h"
#include "ui/shortcuts.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool key_down(std::string_view key) {
  const int number = key_number(key);
#if IMGUI_VERSION_NUM >= 18700
  return number >= 0 && ImGui::IsKeyDown(static_cast<ImGuiKey>(number));
#else
  return number >= 0 && ImGui::IsKeyDown(number);
#endif
}

std::vector<BufferIndex> boxed(const State& state) {
  const Viewport view = chart_view(state);
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

}  // namespace

std::optional<Viewport> zoomed_by_wheel(const Viewport& view, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!canvas.hovered || (io.MouseWheel == 0 && io.MouseWheelH == 0)) return std::nullopt;
  const Rect& area = view.area;
  const bool over_bytes = canvas.mouse.x < area.left;
  const bool over_time = canvas.mouse.y > area.bottom;
  const double factor = zoom_of_wheel(io.MouseWheel);
  const bool time_only = io.KeyCtrl || (over_time && !over_bytes);
  const bool bytes_only = io.KeyShift || (over_bytes && !over_time);
  Viewport to = view;
  const Point about{std::clamp(canvas.mouse.x, area.left, area.right),
                    std::clamp(canvas.mouse.y, area.top, area.bottom)};
  if (io.MouseWheel != 0) to.zoom(about, bytes_only ? 1 : factor, time_only && !bytes_only ? 1 : factor);
  if (io.MouseWheelH != 0) to.pan_pixels(io.MouseWheelH * 40, 0);
  return to;
}

void frame_clicked(State& state, BufferIndex buffer, std::uint16_t space, const std::optional<Hull>& place) {
  if (!place) return state.push(action::Invoke{CommandId::frame_all});
  if (buffer != kNoBuffer) state.push(action::Select{{buffer}, SelectMode::kReplace});
  state.push(action::FrameRange{place->start, place->end, place->low, place->high, space});
}

bool ends_double_click() {
  return ImGui::GetIO().MouseClickedLastCount[0] > 1;
}

void zoom_with_wheel(State& state, const Canvas& canvas) {
  if (const auto to = zoomed_by_wheel(state.camera, canvas)) state.push(action::MoveCamera{*to});
}

void drive_gesture(State& state, const Canvas& canvas, BufferIndex hit) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool pressed = canvas.hovered && ImGui::IsMouseClicked(0);
  if (pressed && ImGui::IsMouseDoubleClicked(0)) {
    const bool any = hit != kNoBuffer;
    frame_clicked(state, hit, any ? space_of_buffer(state, hit) : state.space,
                  any ? hull_of(state.problem(), state.offsets(), {hit}) : std::nullopt);
  }
  const GestureKind edits = edit_gesture(state, canvas, hit);
  const GestureKind kind = key_down("M") && !io.WantTextInput ? GestureKind::kMeasure
                           : io.KeyShift                      ? GestureKind::kBox
                           : edits != GestureKind::kNone      ? edits
                                                              : GestureKind::kPan;
  const GestureKind was = state.gesture.kind();
  const Gesture::Event event = state.gesture.update(ImGui::IsMouseDown(0), pressed, canvas.mouse, kind);
  if (was == GestureKind::kEdit || state.gesture.kind() == GestureKind::kEdit) return drive_edit(state, event);
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
      if (!ends_double_click()) click(state, hit);
      break;
    case Gesture::Event::kNothing:
      break;
  }
}

}  // namespace stowage
