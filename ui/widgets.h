#pragma once

#include <map>
#include <string>
#include <string_view>

#include <imgui.h>

#include "core/chart/theme.h"
#include "ui/fonts.h"
#include "ui/workbench.h"

namespace stowage {

/// What every view draws with. Dear ImGui's coordinates are device pixels here; scenes are in logical pixels and are
/// multiplied by `scale` when they are painted. Numbers in views are logical too and go through px().
struct Ui {
  Fonts fonts;
  const Theme* theme = &dark_theme();
  float scale = 1;
  float px(float logical) const;

  struct Box {
    ImVec2 low;
    ImVec2 high;
    bool clickable = false;  // in sight, enabled, and not behind a popup
  };
  /// Where each named widget was drawn in this frame: the headless tests find them here.
  std::map<std::string, Box, std::less<>> widgets;
  /// What is written in some of them, as it was drawn.
  std::map<std::string, std::string, std::less<>> words;
};

ImU32 u32(Color color);
ImVec4 vec4(Color color);

/// Keeps the rectangle of the last item under a name.
void record(Ui& ui, std::string_view name);
void record(Ui& ui, std::string_view name, ImVec2 low, ImVec2 high);
/// Keeps the words that were drawn under a name.
void record_words(Ui& ui, std::string_view name, std::string_view words);

enum class ButtonLook { kRaised, kAccent, kQuiet, kActive };
/// A button of 30 logical pixels with an optional icon; disabled ones are dim and say why in their tooltip.
bool button(Ui& ui, std::string_view name, const char* icon, std::string_view label, ButtonLook look,
            std::string_view tooltip = {}, bool enabled = true);
/// The width button() takes, in device pixels.
float button_width(const Ui& ui, const char* icon, std::string_view label);
/// A segment of a switch: several of them in a row look like one control.
bool segment(Ui& ui, std::string_view name, std::string_view label, bool on);

/// A card of the window: rounded, bordered, with a heading. end_card() always follows.
void begin_card(Ui& ui, const char* id, ImVec2 at, ImVec2 size);
void end_card();
void card_title(Ui& ui, std::string_view title, std::string_view right = {});

void text(ImFont* font, Color color, std::string_view words);
/// Draws without moving the cursor; y is the top of the line.
void draw_text(const Ui& ui, ImFont* font, ImVec2 at, Color color, std::string_view words);
void draw_text_right(const Ui& ui, ImFont* font, ImVec2 right_top, Color color, std::string_view words);
float text_width(ImFont* font, std::string_view words);
float font_height(ImFont* font);
/// The words, cut with an ellipsis when they are wider than `width`.
std::string fitted(ImFont* font, std::string_view words, float width);
/// A name left in dim, its value right in mono; a tooltip with every digit when given. Cut to the card's width.
void value_row(Ui& ui, std::string_view name, std::string_view value, std::string_view tooltip = {},
               const Color* color = nullptr);
void separator(const Ui& ui);
void tooltip(const Ui& ui, std::string_view words);
/// A centred message in an empty pane: what is missing and why.
void empty_message(Ui& ui, ImVec2 low, ImVec2 high, const char* icon, std::string_view title, std::string_view why);
/// An invisible bar between two panes; returns how far it was dragged in logical pixels.
float splitter(Ui& ui, const char* name, ImVec2 at, ImVec2 size, bool vertical);

}  // namespace stowage
