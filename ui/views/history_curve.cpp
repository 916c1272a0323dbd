#include "ui/history_curve.h"

#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {

void draw_history_curve(Workbench::State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "history_curve", at, size);
  card_title(ui, "Edits and memory");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (state.editing.history.size() < 2) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kPencil, "Nothing was changed yet",
                  "Each change adds a point: the makespan and the load after it.");
  } else {
    draw_history_curve_in(state, low, room);
  }
  end_card();
}

}  // namespace stowage
