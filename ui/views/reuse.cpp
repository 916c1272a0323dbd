#include <string_view>
#include <utility>
#include <vector>

#include "core/chart/reuse_figure.h"
#include "ui/graph_view.h"
#include "ui/icons.h"
#include "ui/painter.h"
#include "ui/reuse_panel.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

Scene picture(const State& state, ReusePanel& panel, float width, float height) {
  ReuseFigureInput input;
  input.staged = panel.made->staged.get();
  input.table = &panel.made->table;
  input.width = width;
  input.height = height;
  input.scale = state.ui.scale;
  MatrixFigure figure = make_reuse_figure(input, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
  panel.layout = figure.layout;
  return std::move(figure.scene);
}

/// The pair under the pointer: what there is to say, and on a click both are selected.
void ask(State& state, ReusePanel& panel, ImVec2 low) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto cell = panel.layout.at(Point{(mouse.x - low.x) / state.ui.scale, (mouse.y - low.y) / state.ui.scale});
  if (!cell) return;
  tooltip(state.ui, why_of_pair(panel, cell->row, cell->column));
  if (!ImGui::IsMouseClicked(0)) return;
  const Graph& graph = panel.made->staged->graph;
  std::vector<BufferIndex> chosen;
  for (BufferIndex i = 0; i < state.problem().size(); ++i) {
    const std::string_view id = state.problem().id(i);
    if (id == graph.tensor(panel.made->table.roots[cell->row]).id ||
        id == graph.tensor(panel.made->table.roots[cell->column]).id) {
      chosen.push_back(i);
    }
  }
  state.push(action::Select{std::move(chosen), SelectMode::kReplace});
}

}  // namespace

void draw_reuse(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  follow_reuse(state);
  auto& panel = state.part<ReusePanel>();
  begin_card(ui, "reuse", at, size);
  card_title(ui, "Reuse matrix", panel.work.running() ? "working\xE2\x80\xA6" : "");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (panel.made == nullptr) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kMap,
                  panel.staged == nullptr ? "No operator graph" : "Looking at every pair\xE2\x80\xA6",
                  "Which values may share memory whatever the streams do.");
  } else {
    draw_figure(state, panel.figure, "reuse.figure", panel.revision, low, room,
                [&](float width, float height) { return picture(state, panel, width, height); });
    if (ImGui::IsItemHovered()) ask(state, panel, low);
  }
  end_card();
}

}  // namespace stowage
