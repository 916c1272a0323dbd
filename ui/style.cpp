#include "ui/style.h"

#include <imgui.h>

#include "ui/widgets.h"

namespace stowage {

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(12, 10);
  style.WindowRounding = 0;
  style.ChildRounding = 8;
  style.FrameRounding = 6;
  style.PopupRounding = 8;
  style.GrabRounding = 6;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 0;
  style.ChildBorderSize = 1;
  style.PopupBorderSize = 1;
  style.FramePadding = ImVec2(10, 5);
  style.ItemSpacing = ImVec2(8, 6);
  style.ItemInnerSpacing = ImVec2(8, 6);
  style.CellPadding = ImVec2(6, 3);
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.ScaleAllSizes(scale);

  const auto set = [&](ImGuiCol slot, Color color) {
    style.Colors[slot] = vec4(color);
  };
  const Color hover = mix(theme.raised, theme.text, 0.08);
  const Color press = mix(theme.raised, theme.text, 0.14);
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.dim);
  set(ImGuiCol_WindowBg, theme.background);
  set(ImGuiCol_ChildBg, theme.card);
  set(ImGuiCol_PopupBg, theme.card);
  set(ImGuiCol_Border, theme.line);
  set(ImGuiCol_FrameBg, theme.raised);
  set(ImGuiCol_FrameBgHovered, hover);
  set(ImGuiCol_FrameBgActive, press);
  set(ImGuiCol_Button, theme.raised);
  set(ImGuiCol_ButtonHovered, hover);
  set(ImGuiCol_ButtonActive, press);
  set(ImGuiCol_Header, with_alpha(theme.accent, 0.18));
  set(ImGuiCol_HeaderHovered, with_alpha(theme.accent, 0.12));
  set(ImGuiCol_HeaderActive, with_alpha(theme.accent, 0.28));
  set(ImGuiCol_CheckMark, theme.accent);
  set(ImGuiCol_SliderGrab, theme.accent);
  set(ImGuiCol_SliderGrabActive, theme.accent);
  set(ImGuiCol_Separator, theme.line);
  set(ImGuiCol_ScrollbarBg, with_alpha(theme.card, 0));
  set(ImGuiCol_ScrollbarGrab, mix(theme.card, theme.text, 0.16));
  set(ImGuiCol_ScrollbarGrabHovered, mix(theme.card, theme.text, 0.26));
  set(ImGuiCol_ScrollbarGrabActive, mix(theme.card, theme.text, 0.34));
  set(ImGuiCol_TextSelectedBg, with_alpha(theme.accent, 0.35));
  set(ImGuiCol_NavHighlight, with_alpha(theme.accent, 0));
  set(ImGuiCol_ModalWindowDimBg, with_alpha(rgb(0x000000), theme.dark ? 0.55 : 0.35));
  ImGui::GetStyle() = style;
}

}  // namespace stowage
