#include <ctime>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "ui/autosaving.h"
#include "ui/dialog.h"
#include "ui/list_row.h"
#include "ui/unsaved.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kWork = 52;

std::string when(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

void draw_work(State& state, const LeftWork& work, int number) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + ui.px(kWork - 6)), u32(ui.theme->raised),
                                            ui.px(6));
  const float buttons = button_width(ui, nullptr, "Open") + button_width(ui, nullptr, "Discard") + ui.px(16);
  const float pad = ui.px(12);
  const float room = width - buttons - 2 * pad;
  draw_text(ui, ui.fonts.semibold, ImVec2(at.x + pad, at.y + ui.px(5)), ui.theme->text,
            fitted(ui.fonts.semibold, printable_utf8(work.title), room));
  const std::string below = when(work.seconds) + (work.path.empty() ? "" : "   " + printable_utf8(work.path));
  draw_text(ui, ui.fonts.small, ImVec2(at.x + pad, at.y + ui.px(25)), ui.theme->dim,
            fitted(ui.fonts.small, below, room));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - buttons, at.y + ui.px(8)));
  if (button(ui, fmt::format("recovery.discard.{}", number), nullptr, "Discard", ButtonLook::kQuiet,
             "Remove it for good")) {
    state.later([work](State& s) { discard_left(s, work); });
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, fmt::format("recovery.open.{}", number), nullptr, "Open", ButtonLook::kAccent)) {
    state.push(action::ShowPopup{Popup::kNone});
    state.later(
        [work](State& s) { when_saved(s, "opening the recovered work", [work](State& t) { recover(t, work); }); });
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(kWork)));
}

}  // namespace

void draw_recovery(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kRecovery, "Unsaved work was left behind", ImVec2(640, 360))) return;
  Ui& ui = state.ui;
  paragraph(ui, ui.theme->dim,
            "The program ended before this was saved. What you leave here is offered again at the next start.");
  ImGui::Dummy(ImVec2(0, ui.px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("recovery.list", ImGui::GetContentRegionAvail());
  int number = 0;
  for (const LeftWork& work : state.part<Autosaving>().left) draw_work(state, work, number++);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_dialog();
}

}  // namespace stowage
