#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/chart/canvas.h"
#include "ui/chart/spaces.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The measured part of the plane: steps, bytes, and the largest load inside.
std::string measured(const State& state) {
  const Viewport view = chart_view(state);
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

}  // namespace

void draw_drag(State& state, const Canvas& canvas) {
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
  if (kind != GestureKind::kMeasure) return;
  record(state.ui, "chart.measure", low, high);
  tooltip(state.ui, measured(state));
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
  const std::uint16_t space = space_of_buffer(state, i);
  const std::vector<std::int64_t>& offsets = offsets_in_space(state, space);
  if (i == kNoBuffer || i >= offsets.size()) return;
  const Viewport view = view_of_space(state, space, state.camera);
  const Buffer& b = state.problem()[i];
  const Rect& area = view.area;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 low = canvas.device(view.x_of_step(b.start), view.y_of_address(offsets[i] + b.size));
  ImVec2 high = canvas.device(view.x_of_step(b.end), view.y_of_address(offsets[i]));
  high = ImVec2(std::max(high.x, low.x + 2), std::max(high.y, low.y + 2));
  list.PushClipRect(canvas.device(area.left, area.top), canvas.device(area.right, area.bottom), true);
  list.AddRect(low, high, u32(with_alpha(state.ui.theme->text, 0.9)), state.ui.px(3), 0, std::max(1.0F, canvas.scale));
  list.PopClipRect();

  const std::string_view kind = state.problem().kind(i);
  std::string words = printable_utf8(state.problem().id(i));
  if (!kind.empty()) words += "  \u00B7  " + printable_utf8(kind);
  words += fmt::format("\n{}  ({})", state.bytes(b.size), format_exact_bytes(b.size));
  words += fmt::format("\naddress {} to {}", state.address(offsets[i]), state.address(offsets[i] + b.size));
  words += fmt::format("\nlive {} \u2013 {}  ({} {})", b.start, b.end, format_count(b.lifetime()),
                       state.time_unit(b.lifetime()));
  if (b.is_fixed()) words += "\nfixed offset";
  tooltip(state.ui, words);
}

}  // namespace stowage
