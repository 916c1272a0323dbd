#include "ui/chart/why_overlay.h"

#include <algorithm>
#include <cmath>

#include "ui/chart/spaces.h"
#include "ui/why_here.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostDrawn = 40;

struct Outline {
  ImVec2 low;
  ImVec2 high;
};

Outline box_of(const State& state, const Canvas& canvas, BufferIndex i, std::int64_t offset) {
  const Viewport view = chart_view(state);
  const Buffer& b = state.problem()[i];
  const ImVec2 low =
      canvas.device(view.x_of_step(b.start), view.y_of_address(checked_add(offset, b.size).value_or(kMaxInt64)));
  const ImVec2 high = canvas.device(view.x_of_step(b.end), view.y_of_address(offset));
  return Outline{low, ImVec2(std::max(high.x, low.x + 2), std::max(high.y, low.y + 2))};
}

/// An arrow along one vertical line, with its head at `to`.
void arrow(ImDrawList& list, const Ui& ui, float x, float from, float to, Color color) {
  const float head = ui.px(5);
  const float back = to > from ? -head : head;
  list.AddLine(ImVec2(x, from), ImVec2(x, to + back / 2), u32(color), ui.px(2));
  list.AddTriangleFilled(ImVec2(x, to), ImVec2(x - head, to + back), ImVec2(x + head, to + back), u32(color));
}

/// The outline of a buffer that holds or blocks it, with an arrow from it to the explained one.
void draw_neighbour(const State& state, const Canvas& canvas, const Outline& self, BufferIndex i, bool below) {
  const Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Color color = below ? ui.theme->good : ui.theme->warn;
  const Outline box = box_of(state, canvas, i, state.drawn_offsets()[i]);
  list.AddRect(box.low, box.high, u32(color), ui.px(3), 0, ui.px(2));
  const float left = std::max(self.low.x, box.low.x);
  const float right = std::min(self.high.x, box.high.x);
  if (right <= left) return;
  const float x = std::floor((left + right) / 2);
  // From inside the one into the other, so that it is seen when the two touch.
  const float inset = ui.px(10);
  if (below) {
    arrow(list, ui, x, box.low.y + inset, self.high.y - inset, color);
  } else {
    arrow(list, ui, x, box.high.y - inset, self.low.y + inset, color);
  }
}

/// Where it would lie lowest in a hole: dashed, so that it is no buffer.
void draw_hole(State& state, const Canvas& canvas, const WhyHere& here, const Hole& hole) {
  const Ui& ui = state.ui;
  const Outline box = box_of(state, canvas, here.buffer, hole.low);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.low, box.high, u32(with_alpha(ui.theme->accent, 0.12)), ui.px(3));
  const float dash = ui.px(5);
  const ImU32 color = u32(ui.theme->accent);
  const float area_left = canvas.device(state.camera.area.left, 0).x;
  const float area_right = canvas.device(state.camera.area.right, 0).x;
  const float area_top = canvas.device(0, state.camera.area.top).y;
  const float area_bottom = canvas.device(0, state.camera.area.bottom).y;
  for (float x = std::max(box.low.x, area_left); x < std::min(box.high.x, area_right); x += 2 * dash) {
    const float end = std::min(x + dash, box.high.x);
    list.AddLine(ImVec2(x, box.low.y), ImVec2(end, box.low.y), color, ui.px(1.5F));
    list.AddLine(ImVec2(x, box.high.y), ImVec2(end, box.high.y), color, ui.px(1.5F));
  }
  for (float y = std::max(box.low.y, area_top); y < std::min(box.high.y, area_bottom); y += 2 * dash) {
    const float end = std::min(y + dash, box.high.y);
    list.AddLine(ImVec2(box.low.x, y), ImVec2(box.low.x, end), color, ui.px(1.5F));
    list.AddLine(ImVec2(box.high.x, y), ImVec2(box.high.x, end), color, ui.px(1.5F));
  }
}

}  // namespace

void draw_why_overlay(State& state, const Canvas& canvas) {
  const WhyHere* here = why_here(state);
  if (here == nullptr || !state.part<WhyView>().panel_shown() || state.drawn_instead != nullptr) return;
  const std::vector<std::int64_t>& offsets = state.drawn_offsets();
  if (here->buffer >= offsets.size() || offsets[here->buffer] == kNoOffset) return;  // it is in another space
  const Rect& area = state.camera.area;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(canvas.device(area.left, area.top), canvas.device(area.right, area.bottom), true);
  for (std::size_t k = 0; k < std::min(here->holes.size(), kMostDrawn); ++k) {
    draw_hole(state, canvas, *here, here->holes[k]);
  }
  const Outline self = box_of(state, canvas, here->buffer, here->offset);
  for (std::size_t k = 0; k < std::min(here->supports.size(), kMostDrawn); ++k) {
    draw_neighbour(state, canvas, self, here->supports[k], true);
  }
  for (std::size_t k = 0; k < std::min(here->blocks.size(), kMostDrawn); ++k) {
    draw_neighbour(state, canvas, self, here->blocks[k], false);
  }
  list.PopClipRect();
  record(state.ui, "chart.why", self.low, self.high);
}

}  // namespace stowage
