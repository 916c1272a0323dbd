#include "ui/dialog.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/icons.h"

namespace stowage {

bool begin_dialog(Workbench::State& state, Popup popup, const char* title, ImVec2 size) {
  const bool wanted = state.popup == popup;
  // Not by its title: that of a question changes, and then the dialog that is open would no longer be found by it.
  const std::string name = fmt::format("###dialog.{}", static_cast<int>(popup));
  const char* id = name.c_str();
  if (wanted && !ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  if (!ImGui::IsPopupOpen(id)) return false;
  Ui& ui = state.ui;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float room = ui.px(24);
  ImGui::SetNextWindowSize(
      ImVec2(std::min(ui.px(size.x), display.x - room), std::min(ui.px(size.y), display.y - room)));
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, display.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(18), ui.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(10));
  const bool open = ImGui::BeginPopupModal(
      id, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar(2);
  if (!open) return false;
  if (!wanted) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return false;
  }
  record(
      ui, "dialog", ImGui::GetWindowPos(),
      ImVec2(ImGui::GetWindowPos().x + ImGui::GetWindowSize().x, ImGui::GetWindowPos().y + ImGui::GetWindowSize().y));
  const ImVec2 top = ImGui::GetCursorPos();
  text(ui.fonts.title, ui.theme->text, title);
  ImGui::SetCursorPos(
      ImVec2(ImGui::GetWindowSize().x - ui.px(18) - button_width(ui, icon::kClose, ""), top.y - ui.px(2)));
  if (button(ui, "dialog.close", icon::kClose, "", ButtonLook::kQuiet, "Close (Esc)")) {
    state.push(action::ShowPopup{Popup::kNone});
  }
  const bool outside =
      ImGui::IsMouseClicked(0) && !ImGui::IsWindowAppearing() &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem |
                              ImGuiHoveredFlags_AllowWhenBlockedByPopup);
  if (outside && state.popup_before == popup) state.push(action::ShowPopup{Popup::kNone});
  ImGui::SetCursorPosY(top.y + ui.px(38));
  return true;
}

void end_dialog() {
  ImGui::EndPopup();
}

}  // namespace stowage
