#include "ui/tabs.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kStrip = 28;

/// Every place a panel can go to, as menu items.
void place_items(State& state, std::string_view panel) {
  const std::optional<PanelPlace> now = place_of(state, panel);
  for (std::size_t slot = 0; slot < kSlotNames.size(); ++slot) {
    for (int row = 1; row <= kSlotRows; ++row) {
      const PanelPlace place{static_cast<Slot>(slot), row};
      const std::string words = fmt::format("{}{}", kSlotNames[slot], row == 1 ? "" : ", second row");
      if (ImGui::MenuItem(words.c_str(), nullptr, now == place)) {
        state.push(action::MovePanel{std::string(panel), name_of(place)});
      }
      record(state.ui, fmt::format("panels.{}.{}", panel, name_of(place)));
    }
  }
  ImGui::Separator();
  if (ImGui::MenuItem("hidden", nullptr, !now)) state.push(action::MovePanel{std::string(panel), "hidden"});
  record(state.ui, fmt::format("panels.{}.hidden", panel));
}

void draw_tab(State& state, const View& view, ImVec2& at, float right, bool front) {
  Ui& ui = state.ui;
  ImFont* font = front ? ui.fonts.semibold : ui.fonts.text;
  const float width = std::min(text_width(font, view.title) + ui.px(24), std::max(ui.px(24), right - at.x));
  const ImVec2 size(width, ui.px(kStrip));
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(view.name.data());
  const bool clicked = ImGui::InvisibleButton("##tab", size);
  record(ui, fmt::format("tab.{}", view.name));
  const bool hovered = ImGui::IsItemHovered();
  if (ImGui::IsItemClicked(1)) ImGui::OpenPopup("##places");
  if (ImGui::BeginPopup("##places")) {
    text(ui.fonts.small, ui.theme->dim, "Move to");
    place_items(state, view.name);
    ImGui::EndPopup();
  }
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (front || hovered) {
    list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y - ui.px(4)),
                       u32(front ? ui.theme->card : ui.theme->raised), ui.px(6));
  }
  if (front) {
    list.AddRectFilled(ImVec2(at.x + ui.px(12), at.y + size.y - ui.px(6)),
                       ImVec2(at.x + size.x - ui.px(12), at.y + size.y - ui.px(4)), u32(ui.theme->accent), ui.px(1));
  }
  draw_text(ui, font, ImVec2(at.x + ui.px(12), at.y + (size.y - ui.px(4) - font_height(font)) / 2),
            front ? ui.theme->text : ui.theme->dim, fitted(font, view.title, width - ui.px(16)));
  if (clicked) state.push(action::ShowPanel{std::string(view.name)});
  at.x += width + ui.px(2);
}

}  // namespace

void draw_row(State& state, const LaidRow& row) {
  const std::vector<const View*> panels = panels_at(state, row.place);
  const View* front = front_panel(state, row.place);
  if (front == nullptr || !row.pane.shown()) return;
  Pane pane = row.pane;
  const float strip = state.ui.px(kStrip);
  if (panels.size() > 1 && pane.size.y > 2 * strip) {
    ImVec2 at = pane.at;
    const float right = pane.at.x + pane.size.x;
    for (const View* view : panels) draw_tab(state, *view, at, right, view == front);
    pane.at.y += strip;
    pane.size.y -= strip;
  }
  front->draw(state, pane.at, pane.size);
}

void panel_menu(State& state) {
  Ui& ui = state.ui;
  text(ui.fonts.small, ui.theme->dim, "Layouts");
  for (const LayoutFile& layout : layouts()) {
    if (ImGui::MenuItem(layout.title.c_str())) state.push(action::UseLayout{layout.name});
    record(ui, "layout." + layout.name);
  }
  ImGui::Separator();
  text(ui.fonts.small, ui.theme->dim, "Panels");
  for (const View& view : views()) {
    if (view.place != ViewPlace::kPanel) continue;
    const std::string title(view.title);
    if (ImGui::BeginMenu(title.c_str())) {
      place_items(state, view.name);
      ImGui::EndMenu();
    }
    record(ui, fmt::format("panels.{}", view.name));
  }
}

}  // namespace stowage
