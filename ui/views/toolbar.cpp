#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/base/text.h"
#include "ui/filters.h"
#include "ui/icons.h"
#include "ui/panels.h"
#include "ui/shortcuts.h"
#include "ui/tabs.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::string tooltip_of(const State& state, CommandId id) {
  const Command& one = command(id);
  const std::string keys = printed_keys(one.keys);
  std::string words = fmt::format("{}{}", one.help, keys.empty() ? std::string() : "  (" + keys + ")");
  if (const auto why = why_disabled(state, id); !why.empty()) words += fmt::format("\nNot now: {}.", why);
  return words;
}

void command_button(State& state, CommandId id, const char* icon, std::string_view label, ButtonLook look) {
  const Command& one = command(id);
  const bool enabled = why_disabled(state, id).empty();
  const std::string name = fmt::format("toolbar.{}", one.name);
  if (button(state.ui, name, icon, label, look, tooltip_of(state, id), enabled)) state.push(action::Invoke{id});
  ImGui::SameLine(0, state.ui.px(8));
}

/// Three buffers that share an address space: the program's mark, of `size` pixels.
void draw_mark(const Ui& ui, ImVec2 at, float size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float unit = size / 12;
  const auto bar = [&](float x, float y, float w, float h, Color color) {
    list.AddRectFilled(ImVec2(at.x + x * unit, at.y + y * unit), ImVec2(at.x + (x + w) * unit, at.y + (y + h) * unit),
                       u32(color), unit * 0.9F);
  };
  list.AddRectFilled(at, ImVec2(at.x + size, at.y + size), u32(ui.theme->accent), size * 0.24F);
  const Color light = rgb(0xFFFFFF);
  bar(2.2F, 2.4F, 4.2F, 3.2F, with_alpha(light, 0.95));
  bar(7.0F, 2.4F, 2.8F, 3.2F, with_alpha(light, 0.6));
  bar(2.2F, 6.3F, 2.2F, 3.3F, with_alpha(light, 0.6));
  bar(5.0F, 6.3F, 4.8F, 3.3F, with_alpha(light, 0.95));
}

void find_box(State& state, float width) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool wrong = !state.query_error.empty();
  if (state.focus_find) {
    ImGui::SetKeyboardFocusHere();
    state.focus_find = false;
  }
  const float high = ui.px(30);
  // One field, though its right end is the menu of filters.
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + high), ImGui::GetColorU32(ImGuiCol_FrameBg),
                                            ui.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(32), (high - font_height(ui.fonts.text)) / 2));
  ImGui::SetNextItemWidth(width - ui.px(26));
  constexpr const char* kHint = "Find name, kind:\xE2\x80\xA6, at:step, size>1MiB";
  const bool roomy = text_width(ui.fonts.text, kHint) + ui.px(70) <= width;
  const bool entered =
      ImGui::InputTextWithHint("##find", roomy ? kHint : "Find", &state.find_text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  record(ui, "find");
  const bool active = ImGui::IsItemActive();
  if (active && state.find_text != state.query) state.push(action::SetQuery{state.find_text});
  if (entered) {
    state.push(action::Invoke{CommandId::find_next});
    state.focus_find = true;
  }
  if (wrong && (ImGui::IsItemHovered() || active)) {
    tooltip(ui, state.query_error);
  } else if (ImGui::IsItemHovered() && !active) {
    tooltip(ui,
            "Words that must all hold: a part of the name, kind, operation or source; \"two words\"; /expression/; "
            "kind:weight; "
            "at:156; size>1MiB; is:moved. Enter or F3 goes to the next match, Esc clears.  (Ctrl+F)");
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(10), at.y + (high - font_height(ui.fonts.text)) / 2), ui.theme->dim,
            icon::kSearch);
  if (state.rows.matches != nullptr && !wrong) {
    const std::string count = format_count(static_cast<std::int64_t>(state.rows.order.size())) + " of " +
                              format_count(static_cast<std::int64_t>(state.problem().size()));
    const float typed = ui.px(32) + text_width(ui.fonts.text, state.find_text) + ui.px(16);
    const ImVec2 right(at.x + width - ui.px(30), at.y + (high - font_height(ui.fonts.small)) / 2);
    if (at.x + typed + text_width(ui.fonts.small, count) < right.x) {
      draw_text_right(ui, ui.fonts.small, right, ui.theme->dim, count);
      record_words(ui, "find.count", count);
    }
  }
  draw_filter_menu(state, ImVec2(at.x + width - ui.px(26), at.y), ImVec2(ui.px(26), high));
  const Color line = wrong ? ui.theme->bad : active ? ui.theme->accent : with_alpha(ui.theme->line, 0);
  list.AddRect(at, ImVec2(at.x + width, at.y + high), u32(line), ui.px(6));
}

}  // namespace

void draw_toolbar(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y - ui.px(8)), u32(ui.theme->card));
  list.AddLine(ImVec2(at.x, at.y + size.y - ui.px(8)), ImVec2(at.x + size.x, at.y + size.y - ui.px(8)),
               u32(ui.theme->line));
  const float logical = size.x / ui.scale;
  const bool roomy = logical >= 1080;
  const bool tight = logical < 760;
  const float y = at.y + ui.px(7);

  draw_mark(ui, ImVec2(at.x + ui.px(12), at.y + ui.px(9)), ui.px(26));
  float x = at.x + ui.px(48);
  if (!tight) {
    draw_text(ui, ui.fonts.title, ImVec2(x, at.y + (ui.px(44) - font_height(ui.fonts.title)) / 2), ui.theme->text,
              "Stowage");
    x += text_width(ui.fonts.title, "Stowage") + ui.px(26);
  }
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  command_button(state, CommandId::open, icon::kOpen, roomy ? "Open" : "", ButtonLook::kRaised);
  command_button(state, CommandId::export_picture, icon::kExport, roomy ? "Export" : "", ButtonLook::kRaised);
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x + ui.px(8), y));
  command_button(state, CommandId::undo, icon::kUndo, "", ButtonLook::kRaised);
  command_button(state, CommandId::redo, icon::kRedo, "", ButtonLook::kRaised);
  command_button(state, CommandId::edit_mode, icon::kPencil, roomy ? "Edit" : "",
                 state.editing.mode ? ButtonLook::kActive : ButtonLook::kRaised);
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x + ui.px(8), y));
  if (state.tasks.idle()) {
    command_button(state, CommandId::run_all, icon::kPlay, roomy ? "Run allocators" : "Run", ButtonLook::kAccent);
  } else {
    command_button(state, CommandId::cancel_runs, icon::kStop, roomy ? "Cancel runs" : "Cancel", ButtonLook::kRaised);
  }

  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x + ui.px(8), y));
  const ImVec2 first = ImGui::GetCursorScreenPos();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const std::optional<PanelPlace> place = place_of(state, "chart");
  const View* front = place ? front_panel(state, *place) : nullptr;
  const bool chart = front != nullptr && front->name == "chart";  // else another tab hides it
  if (segment(ui, "toolbar.show_map", "Map", chart && state.centre == CentreView::kMap)) {
    state.push(action::Invoke{CommandId::show_map});
  }
  if (ImGui::IsItemHovered()) tooltip(ui, tooltip_of(state, CommandId::show_map));
  ImGui::SameLine(0, 0);
  if (segment(ui, "toolbar.show_compare", "Compare", chart && state.centre == CentreView::kCompare)) {
    state.push(action::Invoke{CommandId::show_compare});
  }
  if (ImGui::IsItemHovered()) tooltip(ui, tooltip_of(state, CommandId::show_compare));
  const ImVec2 last = ImGui::GetItemRectMax();
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(first, last, u32(ui.theme->background), ui.px(6));
  list.ChannelsMerge();

  const bool dark = ui.theme->dark;
  const float icons = 5 * ui.px(32) + 4 * ui.px(8) + ui.px(12);
  const float room = at.x + size.x - icons - ui.px(8) - (last.x + ui.px(16));
  const float width = std::clamp(room, ui.px(60), ui.px(300));
  ImGui::SetCursorScreenPos(ImVec2(at.x + size.x - icons - ui.px(8) - width, y));
  find_box(state, width);
  ImGui::SetCursorScreenPos(ImVec2(at.x + size.x - icons, y));
  command_button(state, CommandId::palette, icon::kList, "", ButtonLook::kRaised);
  if (button(ui, "toolbar.panels", icon::kColumns, "", ButtonLook::kRaised, "Layouts and panels")) {
    ImGui::OpenPopup("##panels");
  }
  if (ImGui::BeginPopup("##panels")) {
    panel_menu(state);
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, ui.px(8));
  command_button(state, CommandId::toggle_theme, dark ? icon::kSun : icon::kMoon, "", ButtonLook::kRaised);
  command_button(state, CommandId::help, icon::kHelp, "", ButtonLook::kRaised);
  command_button(state, CommandId::settings, icon::kSettings, "", ButtonLook::kRaised);
}

}  // namespace stowage
