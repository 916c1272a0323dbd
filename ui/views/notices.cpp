#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// One card; returns its height. Errors have a close button and stay.
float draw_notice(State& state, const Notice& notice, float bottom, ImVec2 display) {
  Ui& ui = state.ui;
  const float width = std::min(ui.px(460), display.x - ui.px(32));
  const std::string id = fmt::format("##notice{}", notice.id);
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, bottom), ImGuiCond_Always, ImVec2(0.5F, 1));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, display.y * 0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, vec4(ui.theme->raised));
  ImGui::PushStyleColor(ImGuiCol_Border, vec4(notice.error ? ui.theme->bad : ui.theme->line));
  ImGui::Begin(id.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  text(ui.fonts.text, notice.error ? ui.theme->bad : ui.theme->good, notice.error ? icon::kWarning : icon::kCheck);
  ImGui::SameLine(0, ui.px(10));
  const float right = width - ui.px(12) - (notice.error ? ui.px(40) : 0);
  ImGui::PushTextWrapPos(right);
  text(ui.fonts.text, ui.theme->text, printable_utf8(notice.text));
  ImGui::PopTextWrapPos();
  record(ui, notice.error ? "notice.error" : "notice");
  if (!notice.offer.empty() && button(ui, "notice.offer", nullptr, notice.offer, ButtonLook::kRaised)) {
    state.later(notice.help);
    state.push(action::DismissNotice{notice.id});
  }
  if (notice.error) {
    ImGui::SetCursorPos(ImVec2(width - ui.px(40), ui.px(4)));
    if (button(ui, "notice.dismiss", icon::kClose, "", ButtonLook::kQuiet, "Dismiss (Esc)")) {
      state.push(action::DismissNotice{notice.id});
    }
  }
  const float height = ImGui::GetWindowSize().y;
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  return height;
}

}  // namespace

void draw_notices(State& state, ImVec2, ImVec2 display) {
  float bottom = display.y - state.ui.px(40);
  std::size_t shown = 0;
  for (auto notice = state.notices.rbegin(); notice != state.notices.rend() && shown < 4; ++notice, ++shown) {
    bottom -= draw_notice(state, *notice, bottom, display) + state.ui.px(8);
  }
}

}  // namespace stowage
