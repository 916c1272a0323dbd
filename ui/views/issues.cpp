#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/dialog.h"
#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

void issue_line(State& state, const Issue& issue, std::size_t number) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(26);
  ImGui::PushID(static_cast<int>(number));
  const bool clicked = ImGui::InvisibleButton("##issue", ImVec2(width, high));
  ImGui::PopID();
  record(ui, fmt::format("issues.{}", number));
  const std::string words = printable_utf8(describe(issue, state.problem()));
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + high),
                                              u32(with_alpha(ui.theme->accent, 0.10)), ui.px(5));
    tooltip(ui, words);
  }
  const float y = at.y + (high - font_height(ui.fonts.text)) / 2;
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(8), y), ui.theme->bad, icon::kWarning);
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(34), y), ui.theme->text,
            fitted(ui.fonts.text, words, width - ui.px(44)));
  if (!clicked) return;
  std::vector<BufferIndex> involved;
  if (issue.first != kNoBuffer) involved.push_back(issue.first);
  if (issue.second != kNoBuffer) involved.push_back(issue.second);
  state.push(action::ShowPopup{Popup::kNone});
  state.push(action::Select{involved, SelectMode::kReplace});
  if (issue.time_high > issue.time_low && issue.byte_high > issue.byte_low) {
    state.push(action::FrameRange{issue.time_low, issue.time_high, issue.byte_low, issue.byte_high});
  } else {
    state.push(action::FrameBuffers{involved});
  }
}

}  // namespace

void draw_issues(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kIssues, "Issues", ImVec2(760, 520))) return;
  Ui& ui = state.ui;
  const PlanFacts* facts = state.shown_facts();
  if (facts == nullptr || facts->report.valid()) {
    text(ui.fonts.text, ui.theme->dim,
         facts == nullptr ? "There is no plan to check."
                          : "No rule is broken: no collision, nothing misaligned or moved.");
    end_dialog();
    return;
  }
  const auto count = static_cast<std::int64_t>(facts->report.count);
  const std::size_t listed = facts->report.issues.size();
  text(ui.fonts.small, ui.theme->dim,
       listed < facts->report.count ? fmt::format("{} in all, the first {} listed. A click zooms to one.",
                                                  format_count(count), format_count(static_cast<std::int64_t>(listed)))
                                    : fmt::format("{} in all. A click zooms to one.", format_count(count)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("issues.list", ImGui::GetContentRegionAvail());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listed), ui.px(26));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
      issue_line(state, facts->report.issues[static_cast<std::size_t>(k)], static_cast<std::size_t>(k));
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_dialog();
}

}  // namespace stowage
