#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/dialog.h"
#include "ui/shortcuts.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// What the mouse does; keys come from the command table.
constexpr std::pair<const char*, const char*> kGestures[] = {
    {"Wheel", "Zoom about the cursor; over an axis only that axis"},
    {"Shift+wheel", "Zoom addresses only"},
    {"Ctrl+wheel", "Zoom time only"},
    {"Drag", "Pan"},
    {"Click", "Select; on empty space clear the selection"},
    {"Ctrl+click", "Add to the selection or take away"},
    {"Shift+drag", "Select everything in a box"},
    {"Double-click", "Frame the buffer; on empty space show everything"},
    {"M+drag", "Measure steps, bytes and the load inside"},
    {"Edit mode: drag an edge", "Lifetime of the selected buffers; the upper edge: their size"},
    {"Edit mode: drag a body", "Offset, in a plan of your own; a fixed offset stays fixed and the others make room"},
    {"Edit mode: Ctrl+drag", "Draw a new buffer; on an empty board a plain drag draws"},
    {"Alt while editing", "No snapping to edges, alignment and round sizes"},
    {"Drag in the load curve", "Move the visible range or its edges, or draw a new one"},
    {"Drop a file", "Open it"},
};

void line(State& state, std::string_view name, std::string_view keys, std::string_view title, std::string_view help) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(22);
  const float drop = (high - font_height(ui.fonts.text)) / 2;
  const float column = ui.px(170);
  draw_text(ui, ui.fonts.semibold, ImVec2(at.x, at.y + drop), ui.theme->text, fitted(ui.fonts.semibold, keys, column));
  const float x = at.x + column + ui.px(10);
  draw_text(ui, ui.fonts.text, ImVec2(x, at.y + drop), ui.theme->text, title);
  const float after = x + text_width(ui.fonts.text, title) + (title.empty() ? 0 : ui.px(12));
  draw_text(ui, ui.fonts.small, ImVec2(after, at.y + drop + ui.px(1)), ui.theme->dim,
            fitted(ui.fonts.small, help, at.x + width - after));
  ImGui::Dummy(ImVec2(width, high));
  record(ui, name);
}

std::string all_keys(const Command& one) {
  std::string keys;
  for (const Shortcut& shortcut : parse_shortcuts(one.keys)) keys += (keys.empty() ? "" : ", ") + printed(shortcut);
  return keys;
}

}  // namespace

void draw_help(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kHelp, "Keys and gestures", ImVec2(760, 640))) return;
  Ui& ui = state.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("help.list", ImGui::GetContentRegionAvail());
  text(ui.fonts.small, ui.theme->accent, "Mouse");
  for (const auto& [gesture, help] : kGestures) line(state, "help.gesture", gesture, "", help);
  std::string_view group;
  for (const Command& one : commands()) {
    if (one.group != group) {
      group = one.group;
      ImGui::Dummy(ImVec2(0, ui.px(10)));
      text(ui.fonts.small, ui.theme->accent, group);
    }
    line(state, fmt::format("help.{}", one.name), all_keys(one), one.title, one.help);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_dialog();
}

}  // namespace stowage
