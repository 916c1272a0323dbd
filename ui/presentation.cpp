#include "ui/presentation.h"

#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {

float draw_presented_step(Workbench::State& state, ImVec2 display) {
  const Replay& replay = state.part<Replay>();
  if (!replay.ready()) return 0;
  Ui& ui = state.ui;
  const float high = ui.px(34);
  const ImVec2 low(0, display.y - high);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, display, u32(ui.theme->card));
  list.AddLine(low, ImVec2(display.x, low.y), u32(ui.theme->line));
  const auto top_of = [&](ImFont* font) {
    return low.y + (high - font_height(font)) / 2;
  };
  const std::string position = position_words(replay);
  const float right = display.x - ui.px(14);
  draw_text_right(ui, ui.fonts.mono, ImVec2(right, top_of(ui.fonts.mono)), ui.theme->dim, position);
  const float left = ui.px(14);
  const float room = right - text_width(ui.fonts.mono, position) - ui.px(20) - left;
  const std::string caption = fitted(ui.fonts.semibold, caption_at(replay, replay.position), room);
  draw_text(ui, ui.fonts.semibold, ImVec2(left, top_of(ui.fonts.semibold)), ui.theme->text, caption);
  record(ui, "presentation.step", low, display);
  record_words(ui, "presentation.step", caption);
  return high;
}

}  // namespace stowage
