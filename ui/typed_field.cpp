#include "ui/typed_field.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace stowage {

void TypedField::reset() {
  text = shown;
  error.clear();
}

bool typed_field(Ui& ui, const FieldWords& words, TypedField& field, bool focus) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float label = ui.px(82);
  const float high = ui.px(26);
  draw_text(ui, ui.fonts.text, ImVec2(at.x, at.y + (high - font_height(ui.fonts.text)) / 2), ui.theme->dim,
            words.label);
  ImGui::SetCursorScreenPos(ImVec2(at.x + label, at.y));
  ImGui::SetNextItemWidth(width - label);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), (high - font_height(ui.fonts.text)) / 2));
  ImGui::PushID(words.key);
  if (focus) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint("##value", field.mixed ? "mixed" : words.hint, &field.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopID();
  ImGui::PopStyleVar();
  record(ui, fmt::format("edit.{}", words.key));
  field.active = ImGui::IsItemActive();
  const bool done = entered || ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemHovered() && !field.active && field.error.empty()) tooltip(ui, words.help);
  const Color line = !field.error.empty() ? ui.theme->bad : field.active ? ui.theme->accent : ui.theme->line;
  ImGui::GetWindowDrawList()->AddRect(ImVec2(at.x + label, at.y), ImVec2(at.x + width, at.y + high), u32(line),
                                      ui.px(5));
  const bool same = field.text == field.shown;
  if (done && same) field.error.clear();
  if (!field.error.empty()) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    text(ui.fonts.small, ui.theme->bad, field.error);
    ImGui::PopTextWrapPos();
    record(ui, fmt::format("edit.{}.error", words.key));
    record_words(ui, fmt::format("edit.{}.error", words.key), field.error);
  }
  return done && !same && !(field.mixed && field.text.empty());
}

}  // namespace stowage
