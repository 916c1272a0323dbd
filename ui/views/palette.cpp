#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/base/text.h"
#include "ui/dialog.h"
#include "ui/shortcuts.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// A line of the palette: a command, a panel to show, or a saved filter.
struct PaletteLine {
  std::string name;  // stable, for tests
  std::string_view group;
  std::string title;
  std::string help;
  std::string keys;
  Action action;
  std::string_view why_not;  // empty when it can run now
};

std::vector<PaletteLine> palette_lines(const State& state) {
  std::vector<PaletteLine> all;
  for (const Command& one : commands()) {
    if (one.id == CommandId::palette || one.id == CommandId::escape) continue;
    all.push_back({std::string(one.name), one.group, std::string(one.title), std::string(one.help),
                   printed_keys(one.keys), action::Invoke{one.id}, why_disabled(state, one.id)});
  }
  for (const View& view : views()) {
    if (view.place != ViewPlace::kPanel) continue;
    all.push_back({fmt::format("panel.{}", view.name), "Panel", fmt::format("Show panel {}", view.title),
                   "Bring it to the front, out of hiding if need be", "", action::ShowPanel{std::string(view.name)},
                   ""});
  }
  for (const auto& [name, words] : state.settings.filters) {
    all.push_back({fmt::format("filter.{}", name), "Filter", fmt::format("Filter: {}", printable_utf8(name)),
                   printable_utf8(words), "", action::SetQuery{words}, state.has_problem() ? "" : "no file is open"});
  }
  return all;
}

/// Those whose title, group or help holds all words.
std::vector<PaletteLine> matching(const State& state, const std::string& words) {
  std::vector<PaletteLine> found = palette_lines(state);
  std::erase_if(found, [&](const PaletteLine& one) {
    const std::string text = to_lower(fmt::format("{} {} {}", one.group, one.title, one.help));
    bool all = true;
    for (const std::string& word : split(to_lower(words), ' ')) all = all && text.find(word) != std::string::npos;
    return !all;
  });
  return found;
}

void take(State& state, const PaletteLine& one) {
  state.push(action::ShowPopup{Popup::kNone});
  state.push(one.action);
}

void draw_line(State& state, const PaletteLine& one, bool chosen, float width) {
  Ui& ui = state.ui;
  const bool enabled = one.why_not.empty();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float high = ui.px(30);
  ImGui::PushID(one.name.c_str());
  const bool clicked = ImGui::InvisibleButton("##command", ImVec2(width, high));
  ImGui::PopID();
  record(ui, "palette." + one.name);
  const bool over = ImGui::IsItemHovered();
  if (chosen || over) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + high),
                                              u32(with_alpha(ui.theme->accent, chosen ? 0.18 : 0.08)), ui.px(6));
    if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  const float y = at.y + (high - font_height(ui.fonts.text)) / 2;
  draw_text_right(ui, ui.fonts.small, ImVec2(at.x + width - ui.px(10), y + ui.px(1)), ui.theme->dim, one.keys);
  const float title = text_width(ui.fonts.text, one.title);
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(10), y), enabled ? ui.theme->text : with_alpha(ui.theme->dim, 0.7),
            one.title);
  const float x = at.x + ui.px(10) + title + ui.px(12);
  const float room = at.x + width - ui.px(24) - text_width(ui.fonts.small, one.keys) - x;
  if (room > ui.px(40)) {
    draw_text(ui, ui.fonts.small, ImVec2(x, y + ui.px(2)), ui.theme->dim,
              fitted(ui.fonts.small, enabled ? one.help : one.why_not, room));
  }
  if (clicked && enabled) take(state, one);
}

}  // namespace

void draw_palette(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kPalette, "Commands", ImVec2(640, 460))) return;
  Ui& ui = state.ui;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const std::string before = state.palette_text;
  const bool entered = ImGui::InputTextWithHint("##words", "What do you want to do?", &state.palette_text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, "palette.words");
  if (state.palette_text != before) state.palette_row = 0;
  const std::vector<PaletteLine> found = matching(state, state.palette_text);
  const int last = static_cast<int>(found.size()) - 1;
  int step = 0;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) step = 1;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) step = -1;
  state.palette_row = std::clamp(state.palette_row + step, 0, std::max(0, last));
  if (entered && last >= 0) take(state, found[static_cast<std::size_t>(state.palette_row)]);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("palette.list", ImGui::GetContentRegionAvail());
  const float width = ImGui::GetContentRegionAvail().x - ui.px(4);
  for (int k = 0; k <= last; ++k) {
    draw_line(state, found[static_cast<std::size_t>(k)], k == state.palette_row, width);
    if (step != 0 && k == state.palette_row) ImGui::SetScrollHereY();
  }
  if (found.empty()) text(ui.fonts.small, ui.theme->dim, "No command has these words.");
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_dialog();
}

}  // namespace stowage
