#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/dialog.h"
#include "ui/guide.h"
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

std::string words_of(const Command& one) {
  return fmt::format("{} {} {} {}", one.title, one.help, one.group, one.keys);
}

bool keys_have(const std::string& search) {
  const auto gestures = std::any_of(std::begin(kGestures), std::end(kGestures), [&](const auto& gesture) {
    return has_words(fmt::format("{} {}", gesture.first, gesture.second), search);
  });
  const auto all = commands();
  return gestures ||
         std::any_of(all.begin(), all.end(), [&](const Command& one) { return has_words(words_of(one), search); });
}

/// Mouse and keys: everything, or what holds the words of the search.
void draw_keys(State& state, const std::string& search) {
  Ui& ui = state.ui;
  const auto wanted = [&](std::string_view words) {
    return has_words(words, search);
  };
  bool any = false;
  for (const auto& [gesture, help] : kGestures) {
    if (!wanted(fmt::format("{} {}", gesture, help))) continue;
    if (!any) text(ui.fonts.small, ui.theme->accent, "Mouse");
    any = true;
    line(state, "help.gesture", gesture, "", help);
  }
  std::string_view group;
  for (const Command& one : commands()) {
    if (!wanted(words_of(one))) continue;
    if (one.group != group) {
      group = one.group;
      if (any) ImGui::Dummy(ImVec2(0, ui.px(10)));
      text(ui.fonts.small, ui.theme->accent, group);
    }
    any = true;
    line(state, fmt::format("help.{}", one.name), all_keys(one), one.title, one.help);
  }
  if (!any) text(ui.fonts.text, ui.theme->dim, "No key or gesture fits the words of the search.");
}

void wrapped(const Ui& ui, ImFont* font, Color color, const std::string& words, float indent) {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, vec4(color));
  ImGui::Indent(indent);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ui.px(10));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Unindent(indent);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void draw_page(State& state, const GuidePage& page) {
  Ui& ui = state.ui;
  GuideBlock::Kind last = GuideBlock::Kind::kHeading;
  for (const GuideBlock& block : page.blocks) {
    const bool same = block.kind == last && block.kind != GuideBlock::Kind::kText;
    if (!same && &block != &page.blocks.front()) ImGui::Dummy(ImVec2(0, ui.px(8)));
    switch (block.kind) {
      case GuideBlock::Kind::kHeading:
        text(ui.fonts.small, ui.theme->accent, block.words);
        break;
      case GuideBlock::Kind::kText:
        wrapped(ui, ui.fonts.text, ui.theme->text, block.words, ui.px(1));
        break;
      case GuideBlock::Kind::kItem: {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + ui.px(5), at.y + font_height(ui.fonts.text) * 0.55F),
                                                    ui.px(2), u32(ui.theme->accent));
        wrapped(ui, ui.fonts.text, ui.theme->text, block.words, ui.px(15));
        ImGui::Dummy(ImVec2(0, ui.px(4)));
        break;
      }
      case GuideBlock::Kind::kCommand: {
        const Command& one = command(block.command);
        const std::string keys = all_keys(one);
        line(state, fmt::format("guide.{}", one.name), keys.empty() ? "\u2013" : keys, one.title, one.help);
        break;
      }
    }
    last = block.kind;
  }
}

/// One line of the list of pages.
void page_line(State& state, const std::string& name, const std::string& title, bool shown) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(26));
  ImGui::PushID(name.c_str());
  if (ImGui::InvisibleButton("##page", size)) {
    state.later([name](State& s) { s.part<Guide>().page = name; });
  }
  ImGui::PopID();
  record(ui, "guide.page." + (name.empty() ? std::string("keys") : name));
  if (shown || ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                                              u32(with_alpha(ui.theme->accent, shown ? 0.18 : 0.08)), ui.px(6));
  }
  draw_text(ui, shown ? ui.fonts.semibold : ui.fonts.text,
            ImVec2(at.x + ui.px(9), at.y + (size.y - font_height(ui.fonts.text)) / 2),
            shown ? ui.theme->text : ui.theme->dim, title);
}

void page_list(State& state, const Guide& guide) {
  if (guide.search.empty() || keys_have(guide.search)) {
    page_line(state, "", "Keys and gestures", guide.page.empty());
  }
  for (const GuidePage& page : guide_pages()) {
    if (page_has(page, guide.search)) page_line(state, page.name, page.title, page.name == guide.page);
  }
}

}  // namespace

void draw_help(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kHelp, "Guide", ImVec2(960, 660))) return;
  Ui& ui = state.ui;
  Guide& guide = state.part<Guide>();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  const float narrow = ui.px(186);
  ImGui::BeginChild("help.pages", ImVec2(narrow, 0));
  ImGui::SetNextItemWidth(narrow - ui.px(8));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint("##search", "Search", &guide.search);
  record(ui, "guide.search");
  ImGui::Dummy(ImVec2(0, ui.px(8)));
  page_list(state, guide);
  ImGui::EndChild();
  ImGui::SameLine(0, ui.px(16));
  ImGui::BeginChild("help.list", ImGui::GetContentRegionAvail());
  const GuidePage* page = guide_page(guide.page);
  if (page == nullptr) {
    draw_keys(state, guide.search);
  } else {
    text(ui.fonts.semibold, ui.theme->text, page->title);
    ImGui::Dummy(ImVec2(0, ui.px(10)));
    draw_page(state, *page);
    record(ui, "guide.shown." + page->name);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_dialog();
}

}  // namespace stowage
