#include "ui/widgets.h"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>

#include "ui/icons.h"

namespace stowage {
namespace {

const char* begin_of(std::string_view words) {
  return words.data();
}
const char* end_of(std::string_view words) {
  return words.data() + words.size();
}

ImVec2 plus(ImVec2 a, float x, float y) {
  return ImVec2(a.x + x, a.y + y);
}

/// In sight, enabled and not behind a popup.
bool last_item_is_clickable() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const ImGuiLastItemData& item = context.LastItemData;
  if (item.ID == 0 || (item.InFlags & ImGuiItemFlags_Disabled) != 0 || !ImGui::IsItemVisible()) return false;
  if (context.OpenPopupStack.empty()) return true;
  const ImGuiWindow* popup = context.OpenPopupStack.back().Window;
  return popup == nullptr || context.CurrentWindow->RootWindow == popup->RootWindow;
}

}  // namespace

float Ui::px(float logical) const {
  return std::round(logical * scale);
}

ImU32 u32(Color color) {
  return IM_COL32(color.r, color.g, color.b, color.a);
}

ImVec4 vec4(Color color) {
  return ImGui::ColorConvertU32ToFloat4(u32(color));
}

void record(Ui& ui, std::string_view name, ImVec2 low, ImVec2 high) {
  ui.widgets.insert_or_assign(std::string(name), Ui::Box{low, high});
}

void record_words(Ui& ui, std::string_view name, std::string_view words) {
  ui.words.insert_or_assign(std::string(name), std::string(words));
}

void record(Ui& ui, std::string_view name) {
  record(ui, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ui.widgets.find(name)->second.clickable = last_item_is_clickable();
}

float text_width(ImFont* font, std::string_view words) {
#if IMGUI_VERSION_NUM < 19200
  const float size = font->FontSize;
#else
  const float size = font->LegacySize;
#endif
  return font->CalcTextSizeA(size, 1e9F, 0, begin_of(words), end_of(words)).x;
}

float font_height(ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
  return font->FontSize;
#else
  return font->LegacySize;
#endif
}

void draw_text(const Ui&, ImFont* font, ImVec2 at, Color color, std::string_view words) {
  ImGui::GetWindowDrawList()->AddText(font, font_height(font), ImVec2(std::floor(at.x), std::floor(at.y)), u32(color),
                                      begin_of(words), end_of(words));
}

void draw_text_right(const Ui& ui, ImFont* font, ImVec2 right_top, Color color, std::string_view words) {
  draw_text(ui, font, plus(right_top, -text_width(font, words), 0), color, words);
}

std::string fitted(ImFont* font, std::string_view words, float width) {
  if (text_width(font, words) <= width) return std::string(words);
  static constexpr std::string_view kEllipsis = "\u2026";
  const float room = width - text_width(font, kEllipsis);
  std::size_t low = 0;
  std::size_t high = words.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_width(font, words.substr(0, middle)) <= room) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  while (low > 0 && (static_cast<unsigned char>(words[low]) & 0xC0U) == 0x80U) --low;  // not inside a letter
  return std::string(words.substr(0, low)) + std::string(kEllipsis);
}

void text(ImFont* font, Color color, std::string_view words) {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, vec4(color));
  ImGui::TextUnformatted(begin_of(words), end_of(words));
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void tooltip(const Ui& ui, std::string_view words) {
  // What lies behind an open dialog or menu cannot be clicked, so it tells nothing.
  constexpr ImGuiPopupFlags any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  if (ImGui::IsPopupOpen("", any) && !ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(7)));
  ImGui::BeginTooltip();
  ImGui::PushFont(ui.fonts.small);
  ImGui::PushTextWrapPos(ui.px(340));
  ImGui::TextUnformatted(begin_of(words), end_of(words));
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

float button_width(const Ui& ui, const char* icon, std::string_view label) {
  float width = ui.px(20);
  if (icon != nullptr) width += text_width(ui.fonts.text, icon);
  if (icon != nullptr && !label.empty()) width += ui.px(7);
  if (!label.empty()) width += text_width(ui.fonts.text, label);
  return std::max(std::round(width), ui.px(32));
}

bool button(Ui& ui, std::string_view name, const char* icon, std::string_view label, ButtonLook look,
            std::string_view words, bool enabled) {
  const Theme& theme = *ui.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(button_width(ui, icon, label), ui.px(30));
  ImGui::PushID(begin_of(name), end_of(name));
  const bool pressed = ImGui::InvisibleButton("##button", size) && enabled;
  ImGui::PopID();
  record(ui, name);
  if (!enabled) ui.widgets.find(name)->second.clickable = false;
  const bool hovered = ImGui::IsItemHovered();
  Color back = theme.raised;
  Color front = theme.text;
  if (look == ButtonLook::kQuiet) back = with_alpha(theme.raised, 0);
  if (look == ButtonLook::kAccent) {
    back = theme.accent;
    front = theme.on_accent;
  }
  if (look == ButtonLook::kActive) {
    back = with_alpha(theme.accent, 0.18);
    front = theme.accent;
  }
  if (enabled && hovered) {
    back = look == ButtonLook::kQuiet ? theme.raised : mix(back, theme.text, ImGui::IsItemActive() ? 0.16 : 0.08);
  }
  if (!enabled) {
    back = look == ButtonLook::kQuiet ? back : theme.raised;
    front = with_alpha(theme.dim, 0.6);
  }
  ImGui::GetWindowDrawList()->AddRectFilled(at, plus(at, size.x, size.y), u32(back), ui.px(6));
  float width = 0;
  if (icon != nullptr) width += text_width(ui.fonts.text, icon);
  if (icon != nullptr && !label.empty()) width += ui.px(7);
  if (!label.empty()) width += text_width(ui.fonts.text, label);
  float x = at.x + (size.x - width) / 2;
  const float y = at.y + (size.y - font_height(ui.fonts.text)) / 2;
  if (icon != nullptr) {
    draw_text(ui, ui.fonts.text, ImVec2(x, y), front, icon);
    x += text_width(ui.fonts.text, icon) + ui.px(7);
  }
  if (!label.empty()) draw_text(ui, ui.fonts.text, ImVec2(x, y), front, label);
  if (hovered && !words.empty()) tooltip(ui, words);
  return pressed;
}

bool segment(Ui& ui, std::string_view name, std::string_view label, bool on) {
  const Theme& theme = *ui.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(text_width(ui.fonts.text, label) + ui.px(32), ui.px(30));
  ImGui::PushID(begin_of(name), end_of(name));
  const bool pressed = ImGui::InvisibleButton("##segment", size);
  ImGui::PopID();
  record(ui, name);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on) {
    list.AddRectFilled(at, plus(at, size.x, size.y), u32(theme.raised), ui.px(6));
    list.AddRect(at, plus(at, size.x, size.y), u32(theme.line), ui.px(6));
  }
  ImFont* font = on ? ui.fonts.semibold : ui.fonts.text;
  draw_text(ui, font, ImVec2(at.x + (size.x - text_width(font, label)) / 2, at.y + (size.y - font_height(font)) / 2),
            on || hovered ? theme.text : theme.dim, label);
  return pressed;
}

void begin_card(Ui& ui, const char* id, ImVec2 at, ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(12), ui.px(11)));
  ImGui::BeginChild(id, size, true, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  record(ui, id, at, plus(at, size.x, size.y));
}

void end_card() {
  ImGui::EndChild();
}

void card_title(Ui& ui, std::string_view title, std::string_view right) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(ui, ui.fonts.semibold, at, ui.theme->text, title);
  if (!right.empty()) {
    // Secondary words: all of them or none.
    const float room = width - text_width(ui.fonts.semibold, title) - ui.px(12);
    if (text_width(ui.fonts.small, right) <= room) {
      draw_text_right(ui, ui.fonts.small, ImVec2(at.x + width, at.y + ui.px(2)), ui.theme->dim, right);
    }
  }
  ImGui::Dummy(ImVec2(width, ui.px(22)));
}

void value_row(Ui& ui, std::string_view name, std::string_view value, std::string_view words, const Color* color) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(ui, ui.fonts.text, at, ui.theme->dim, name);
  const float room = width - text_width(ui.fonts.text, name) - ui.px(12);
  const std::string shown = fitted(ui.fonts.mono, value, room);
  const float drop = (font_height(ui.fonts.text) - font_height(ui.fonts.mono)) / 2;
  draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + width, at.y + drop), color != nullptr ? *color : ui.theme->text,
                  shown);
  ImGui::Dummy(ImVec2(width, ui.px(15)));
  if (ImGui::IsItemHovered() && (!words.empty() || shown != value)) tooltip(ui, words.empty() ? value : words);
}

void separator(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = at.y + ui.px(6);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + width, y), u32(ui.theme->line));
  ImGui::Dummy(ImVec2(width, ui.px(12)));
}

void empty_message(Ui& ui, ImVec2 low, ImVec2 high, const char* icon, std::string_view title, std::string_view why) {
  const float middle = (low.x + high.x) / 2;
  const float y = (low.y + high.y) / 2 - ui.px(46);
  draw_text(ui, ui.fonts.title, ImVec2(middle - text_width(ui.fonts.title, icon) / 2, y), ui.theme->dim, icon);
  draw_text(ui, ui.fonts.semibold, ImVec2(middle - text_width(ui.fonts.semibold, title) / 2, y + ui.px(32)),
            ui.theme->text, title);
  const float room = high.x - low.x - ui.px(24);
  ImFont* font = ui.fonts.small;
  const float width = std::min(room, ui.px(420));
  const float wide = text_width(font, why);
  const float left = wide < width ? middle - wide / 2 : middle - width / 2;
  ImGui::GetWindowDrawList()->AddText(font, font_height(font), ImVec2(std::floor(left), std::floor(y + ui.px(56))),
                                      u32(ui.theme->dim), begin_of(why), end_of(why), width);
}

float splitter(Ui& ui, const char* name, ImVec2 at, ImVec2 size, bool vertical) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(name, size);
  record(ui, name);
  const bool active = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  if (active || hovered) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const ImVec2 middle(at.x + size.x / 2, at.y + size.y / 2);
  const float length = ui.px(14);
  const float half = ui.px(1.5F);
  const ImVec2 reach = vertical ? ImVec2(half, length) : ImVec2(length, half);
  const Color color = active || hovered ? ui.theme->accent : ui.theme->line;
  ImGui::GetWindowDrawList()->AddRectFilled(plus(middle, -reach.x, -reach.y), plus(middle, reach.x, reach.y),
                                            u32(color), half);
  if (!active) return 0;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  return (vertical ? moved.x : moved.y) / ui.scale;
}

}  // namespace stowage
