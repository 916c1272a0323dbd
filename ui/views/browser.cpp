#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/io/format.h"
#include "ui/dialog.h"
#include "ui/icons.h"
#include "ui/saving.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

struct Choice {
  std::string path;
  bool folder = false;
};

/// A line with an icon; true when it was clicked.
bool entry_line(State& state, const std::string& name, const char* symbol, std::string_view words,
                std::string_view right, bool bright, bool chosen) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(26);
  ImGui::PushID(name.c_str());
  const bool clicked = ImGui::InvisibleButton("##entry", ImVec2(width, high));
  ImGui::PopID();
  record(ui, name);
  if (chosen || ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + high),
                                              u32(with_alpha(ui.theme->accent, chosen ? 0.18 : 0.08)), ui.px(5));
  }
  const float y = at.y + (high - font_height(ui.fonts.text)) / 2;
  const Color color = bright ? ui.theme->text : ui.theme->dim;
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(8), y), bright ? ui.theme->accent : ui.theme->dim, symbol);
  const float used = right.empty() ? 0 : text_width(ui.fonts.mono, right) + ui.px(16);
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(34), y), color,
            fitted(ui.fonts.text, words, width - ui.px(44) - used));
  if (!right.empty()) draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + width - ui.px(8), y), ui.theme->dim, right);
  return clicked;
}

void move_by_keys(FileBrowser& browser, int count) {
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++browser.row;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) --browser.row;
  browser.row = std::clamp(browser.row, -1, count - 1);
}

/// The folder's entries; what was chosen, if anything.
Choice folder_list(State& state, float height) {
  Ui& ui = state.ui;
  FileBrowser& browser = state.browser;
  Choice choice;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(4), ui.px(4)));
  ImGui::BeginChild("browser.list", ImVec2(0, height), true);
  if (entry_line(state, "browser.up", icon::kLevelUp, "Folder above", "", true, false)) {
    choice = {folder_of(browser.folder), true};
  }
  const std::vector<std::size_t> visible = browser.visible();
  move_by_keys(browser, static_cast<int>(visible.size()));
  for (std::size_t k = 0; k < visible.size(); ++k) {
    const BrowserEntry& entry = browser.entries[visible[k]];
    const bool chosen = static_cast<int>(k) == browser.row;
    const std::string size = entry.folder ? std::string() : format_bytes(entry.size);
    if (entry_line(state, "browser." + entry.name, entry.folder ? icon::kFolder : icon::kFile,
                   printable_utf8(entry.name), size, entry.folder || entry.readable, chosen)) {
      choice = {joined(browser.folder, entry.name), entry.folder};
    }
    if (chosen && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter))) {
      choice = {joined(browser.folder, entry.name), entry.folder};
    }
  }
  if (!browser.problem.empty()) text(ui.fonts.small, ui.theme->dim, browser.problem);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  return choice;
}

bool path_box(State& state, const char* hint) {
  Ui& ui = state.ui;
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##path", hint, &state.browser.path_text, ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, "browser.path");
  return entered;
}

void open_dialog(State& state) {
  if (!begin_dialog(state, Popup::kOpen, "Open a file", ImVec2(720, 560))) return;
  Ui& ui = state.ui;
  FileBrowser& browser = state.browser;
  if (path_box(state, "Path of a file or folder")) {
    if (is_folder(browser.path_text)) {
      browser.show(std::string(browser.path_text));
    } else {
      state.push(action::OpenPath{browser.path_text});
    }
  }
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "Filter by name; arrows and Enter choose", &browser.filter);
  record(ui, "browser.filter");

  const std::vector<std::string>& recents = state.settings.recents;
  const std::size_t shown = std::min<std::size_t>(recents.size(), 4);
  const float below = shown > 0 ? ui.px(30) + static_cast<float>(shown) * ui.px(26) : 0;
  const Choice choice = folder_list(state, std::max(ui.px(80), ImGui::GetContentRegionAvail().y - below));
  if (choice.folder) {
    browser.show(choice.path);
  } else if (!choice.path.empty()) {
    state.push(action::OpenPath{choice.path});
  }
  if (shown > 0) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    text(ui.fonts.small, ui.theme->dim, "Recent");
    ImGui::PopStyleVar();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (std::size_t k = 0; k < shown; ++k) {
      if (entry_line(state, fmt::format("recent.{}", k), icon::kHistory, printable_utf8(recents[k]), "", true, false)) {
        state.push(action::OpenPath{recents[k]});
      }
    }
    ImGui::PopStyleVar();
  }
  end_dialog();
}

/// What of the graph a file gets that holds nothing else.
void graph_choice(State& state, SaveSubject& subject) {
  Ui& ui = state.ui;
  if (segment(ui, "save_as.graph.given", "As given, with its transforms", !subject.settled)) subject.settled = false;
  ImGui::SameLine(0, 0);
  if (segment(ui, "save_as.graph.settled", "As its transforms leave it", subject.settled)) subject.settled = true;
}

void save_dialog(State& state) {
  if (!begin_dialog(state, Popup::kSaveAs, "Save as", ImVec2(720, 520))) return;
  Ui& ui = state.ui;
  FileBrowser& browser = state.browser;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = path_box(state, "Path to write to");
  const Format* format = format_for_path(browser.path_text);
  const std::string note = format != nullptr ? "Writes " + format->title
                                             : std::string("Use the ending .json (problem and all plans) or .csv");
  auto& subject = state.part<SaveSubject>();
  const std::string what = subject.point != nullptr ? title_of(*subject.point) + ". " : std::string();
  text(ui.fonts.small, format != nullptr ? ui.theme->dim : ui.theme->warn, what + note);
  if (holds_graph_alone(state, subject, browser.path_text)) graph_choice(state, subject);
  const Choice choice = folder_list(state, ImGui::GetContentRegionAvail().y - ui.px(40));
  if (choice.folder) {
    const std::string name = browser.path_text.substr(browser.path_text.rfind('/') + 1);
    browser.show(choice.path);
    browser.path_text = joined(browser.folder, name);
  } else if (!choice.path.empty()) {
    browser.path_text = choice.path;
  }
  ImGui::SetCursorPosX(ImGui::GetWindowSize().x - ui.px(18) - button_width(ui, icon::kSave, "Save"));
  const bool clicked = button(ui, "save_as.save", icon::kSave, "Save", ButtonLook::kAccent, {}, format != nullptr);
  if ((entered || clicked) && format != nullptr) {
    state.push(action::SaveTo{browser.path_text, subject.settled, subject.point});
  }
  end_dialog();
}

}  // namespace

void draw_browser(State& state, ImVec2, ImVec2) {
  open_dialog(state);
  save_dialog(state);
}

}  // namespace stowage
