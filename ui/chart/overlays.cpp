#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/chart/canvas.h"
#include "ui/chart/spaces.h"
#include "ui/measuring.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// What the running drag spans.
Measuring::Range dragged_range(const State& state) {
  const Viewport view = chart_view(state);
  const Point a = state.gesture.start();
  const Point b = state.gesture.now();
  return {view.time_at(std::min(a.x, b.x)), view.time_at(std::max(a.x, b.x)), view.byte_at(std::max(a.y, b.y)),
          view.byte_at(std::min(a.y, b.y))};
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
  std::string& words = state.part<Measuring>().words;
  words = measured(state, dragged_range(state));
  tooltip(state.ui, words);
}

void draw_measuring(State& state, const Canvas& canvas) {
  Measuring& measuring = state.part<Measuring>();
  if (!measuring.range || measuring.selection_revision != state.selection_revision) return;
  Ui& ui = state.ui;
  const Theme& theme = *ui.theme;
  const Viewport view = chart_view(state);
  const Rect& area = view.area;
  const Measuring::Range& range = *measuring.range;
  const ImVec2 low = canvas.device(std::clamp(view.x_of(range.time_low), area.left, area.right),
                                   std::clamp(view.y_of(range.byte_high), area.top, area.bottom));
  const ImVec2 high = canvas.device(std::clamp(view.x_of(range.time_high), area.left, area.right),
                                    std::clamp(view.y_of(range.byte_low), area.top, area.bottom));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, u32(with_alpha(theme.warn, 0.15)));
  list.AddRect(low, high, u32(theme.warn));
  record(ui, "chart.measured", low, high);
  measuring.words = measured(state, range);
  const std::string& words = measuring.words;
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const ImVec2 pad(ui.px(8), ui.px(6));
  // Inside the chart, wherever the range lies.
  const ImVec2 corner = canvas.device(area.right, area.bottom);
  const ImVec2 at(std::max(canvas.device(area.left, 0).x, std::min(low.x, corner.x - size.x - 2 * pad.x)),
                  std::min(low.y, corner.y - size.y - 2 * pad.y));
  const ImVec2 to(at.x + size.x + 2 * pad.x, at.y + size.y + 2 * pad.y);
  list.AddRectFilled(at, to, u32(theme.card), ui.px(6));
  list.AddRect(at, to, u32(theme.warn), ui.px(6));
  list.AddText(ImVec2(at.x + pad.x, at.y + pad.y), u32(theme.text), words.c_str());
  record(ui, "chart.measured.words", at, to);
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
