#include "ui/figure_pane.h"

#include <utility>

#include <fmt/format.h>

#include "ui/painter.h"
#include "ui/state.h"

namespace stowage {

void draw_figure(Workbench::State& state, FigurePane& pane, const char* name, std::uint64_t revision, ImVec2 low,
                 ImVec2 room, const std::function<Scene(float width, float height)>& make) {
  const float width = room.x / state.ui.scale;
  const float height = room.y / state.ui.scale;
  if (width < 80 || height < 80) return;  // nothing could be read
  ImGui::SetCursorScreenPos(low);
  ImGui::Dummy(room);
  record(state.ui, name);
  std::string key = fmt::format("{} {} {} {} {} {} {}", revision, width, height, state.ui.scale, state.ui.theme->dark,
                                state.settings.byte_unit, state.font_revision);
  if (pane.built == 0 || pane.key != key) {
    pane.scene = make(width, height);
    pane.key = std::move(key);
    ++pane.built;
  }
  paint_scene(*ImGui::GetWindowDrawList(), pane.scene, PaintTarget{low, state.ui.scale, name}, state.ui.fonts,
              state.host);
}

}  // namespace stowage
