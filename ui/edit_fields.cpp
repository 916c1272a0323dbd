#include "ui/edit_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/icons.h"
#include "ui/shortcuts.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

struct Kind {
  EditField field;
  const char* key;    // for tests: "edit.size"
  const char* label;  // for people, also in labels of the history
  const char* hint;   // what an empty field means
  const char* help;
};

constexpr std::array<Kind, kEditFields> kKinds = {{
    {EditField::kName, "name", "Name", "", "Any text; need not be unique"},
    {EditField::kKind, "kind", "Kind", "none", "What it is for, for colours and filters: weight, activation, ..."},
    {EditField::kSize, "size", "Size", "", "Bytes: 4096, 64 KiB, 1 MiB"},
    {EditField::kAlignment, "alignment", "Alignment", "", "Its address is a multiple of this: 1, 64, 4 KiB"},
    {EditField::kStart, "start", "First step", "", "The first step in which it is live"},
    {EditField::kEnd, "end", "End", "", "The step before which it is over; not included"},
    {EditField::kFixed, "fixed", "Fixed at", "free", "An address that no allocator may change; empty: free"},
    {EditField::kHint, "hint", "Hint", "none", "An address that an allocator may use; empty: none"},
    {EditField::kSpace, "space", "Space", "", "The memory it lies in; a new name makes a new one"},
}};

/// Texts anew where something else is selected or the problem has changed; what is being typed stays.
void refresh(State& state, EditFields& fields) {
  const bool same =
      fields.problem_revision == state.problem_revision && fields.selection_revision == state.selection_revision;
  if (same) return;
  const bool other = fields.selection_revision != state.selection_revision;
  fields.problem_revision = state.problem_revision;
  fields.selection_revision = state.selection_revision;
  for (std::size_t k = 0; k < kEditFields; ++k) {
    EditFields::One& one = fields.fields[k];
    const EditField field = kKinds[k].field;
    one.shown = field_text(field, state.problem(), state.selection.front());
    one.mixed = std::any_of(state.selection.begin(), state.selection.end(),
                            [&](BufferIndex i) { return field_text(field, state.problem(), i) != one.shown; });
    if (one.mixed) one.shown.clear();
    if (one.active && !other) continue;
    one.text = one.shown;
    one.error.clear();
  }
}

/// Gives the selected buffers the value, or says why that cannot be.
void commit(State& state, std::size_t k, const std::string& text) {
  const std::vector<BufferIndex> buffers = state.selection;
  if (buffers.empty() || buffers.back() >= state.problem().size()) return;
  EditFields& fields = state.part<EditFields>();
  EditFields::One& one = fields.fields[k];
  auto edits = field_edits(kKinds[k].field, text, state.problem(), buffers);
  if (!edits) {
    one.error = edits.error().message;
    return;
  }
  if (const auto tried = apply_edits(state.problem(), *edits); !tried) {
    one.error = tried.error().message;
    return;
  }
  one.error.clear();
  const std::string label = buffers.size() == 1 ? fmt::format("{} of {}", kKinds[k].label,
                                                              printable_utf8(state.problem().id(buffers.front())))
                                                : fmt::format("{} of {} buffers", kKinds[k].label, buffers.size());
  fields.problem_revision = 0;  // written again from the problem, "1MiB" as "1 MiB"
  edit_problem(state, EditRequest{label, std::move(*edits), false});
}

void field_row(State& state, EditFields& fields, std::size_t k) {
  Ui& ui = state.ui;
  EditFields::One& one = fields.fields[k];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float label = ui.px(82);
  const float high = ui.px(26);
  draw_text(ui, ui.fonts.text, ImVec2(at.x, at.y + (high - font_height(ui.fonts.text)) / 2), ui.theme->dim,
            kKinds[k].label);
  ImGui::SetCursorScreenPos(ImVec2(at.x + label, at.y));
  ImGui::SetNextItemWidth(width - label);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), (high - font_height(ui.fonts.text)) / 2));
  ImGui::PushID(kKinds[k].key);
  const bool entered =
      ImGui::InputTextWithHint("##value", one.mixed ? "mixed" : kKinds[k].hint, &one.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopID();
  ImGui::PopStyleVar();
  record(ui, fmt::format("edit.{}", kKinds[k].key));
  one.active = ImGui::IsItemActive();
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemHovered() && !one.active && one.error.empty()) tooltip(ui, kKinds[k].help);
  const Color line = !one.error.empty() ? ui.theme->bad : one.active ? ui.theme->accent : ui.theme->line;
  ImGui::GetWindowDrawList()->AddRect(ImVec2(at.x + label, at.y), ImVec2(at.x + width, at.y + high), u32(line),
                                      ui.px(5));
  if ((entered || left) && one.text == one.shown) {
    one.error.clear();
  } else if ((entered || left) && !(one.mixed && one.text.empty())) {
    state.later([k, text = one.text](State& s) { commit(s, k, text); });
  }
  if (one.error.empty()) return;
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  text(ui.fonts.small, ui.theme->bad, one.error);
  ImGui::PopTextWrapPos();
  record(ui, fmt::format("edit.{}.error", kKinds[k].key));
}

void command_icon(State& state, CommandId id, const char* icon) {
  const Command& one = command(id);
  const std::string keys = printed_keys(one.keys);
  std::string words = fmt::format("{}: {}{}", one.title, one.help, keys.empty() ? "" : "  (" + keys + ")");
  const std::string_view why = why_disabled(state, id);
  if (!why.empty()) words += fmt::format("\nNot now: {}.", why);
  if (button(state.ui, fmt::format("edit.{}", one.name), icon, "", ButtonLook::kRaised, words, why.empty())) {
    state.push(action::Invoke{id});
  }
}

}  // namespace

void edit_buttons(State& state) {
  const float gap = state.ui.px(6);
  command_icon(state, CommandId::add_buffer, icon::kPlus);
  ImGui::SameLine(0, gap);
  command_icon(state, CommandId::duplicate, icon::kCopy);
  ImGui::SameLine(0, gap);
  command_icon(state, CommandId::remove_buffers, icon::kTrash);
  ImGui::SameLine(0, gap);
  command_icon(state, CommandId::split_lifetime, icon::kColumns);
  ImGui::SameLine(0, gap);
  command_icon(state, CommandId::merge_buffers, icon::kBox);
  ImGui::SameLine(0, gap);
  command_icon(state, CommandId::pin, icon::kPin);
}

void edit_fields(State& state) {
  const auto gone = [&](BufferIndex i) {
    return i >= state.problem().size();
  };
  if (state.selection.empty() || std::any_of(state.selection.begin(), state.selection.end(), gone)) return;
  EditFields& fields = state.part<EditFields>();
  refresh(state, fields);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(state.ui.px(8), state.ui.px(5)));
  for (std::size_t k = 0; k < kEditFields; ++k) {
    const bool one_name = kKinds[k].field == EditField::kName && state.selection.size() > 1;
    if (!one_name) field_row(state, fields, k);
  }
  ImGui::PopStyleVar();
}

}  // namespace stowage
