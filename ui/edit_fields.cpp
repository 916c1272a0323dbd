#include "ui/edit_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/icons.h"
#include "ui/shortcuts.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

struct Kind {
  EditField field;
  FieldWords words;
};

constexpr std::array<Kind, kEditFields> kKinds = {{
    {EditField::kName, {"name", "Name", "", "Any text; need not be unique"}},
    {EditField::kKind, {"kind", "Kind", "none", "What it is for, for colours and filters: weight, activation, ..."}},
    {EditField::kSize, {"size", "Size", "", "Bytes: 4096, 64 KiB, 1 MiB"}},
    {EditField::kAlignment, {"alignment", "Alignment", "", "Its address is a multiple of this: 1, 64, 4 KiB"}},
    {EditField::kStart, {"start", "First step", "", "The first step in which it is live"}},
    {EditField::kEnd, {"end", "End", "", "The step before which it is over; not included"}},
    {EditField::kGaps,
     {"gaps", "Gaps", "none",
      "Steps in which its memory is not needed, the last ones not included: 4-6, 9-11; empty: none.\n"
      "With 4-6@0:64 its bytes from 0 to 64 are needed all the same."}},
    {EditField::kFixed, {"fixed", "Fixed at", "free", "An address that no allocator may change; empty: free"}},
    {EditField::kHint, {"hint", "Hint", "none", "An address that an allocator may use; empty: none"}},
    {EditField::kSpace, {"space", "Space", "", "The memory it lies in; a new name makes a new one"}},
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
    TypedField& one = fields.fields[k];
    const EditField field = kKinds[k].field;
    one.shown = field_text(field, state.problem(), state.selection.front());
    one.mixed = std::any_of(state.selection.begin(), state.selection.end(),
                            [&](BufferIndex i) { return field_text(field, state.problem(), i) != one.shown; });
    if (one.mixed) one.shown.clear();
    if (!one.active || other) one.reset();
  }
}

/// Gives the selected buffers the value, or says why that cannot be.
void commit(State& state, std::size_t k, const std::string& text) {
  const std::vector<BufferIndex> buffers = state.selection;
  if (buffers.empty() || buffers.back() >= state.problem().size()) return;
  EditFields& fields = state.part<EditFields>();
  TypedField& one = fields.fields[k];
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
  const char* what = kKinds[k].words.label;
  const std::string label = buffers.size() == 1
                                ? fmt::format("{} of {}", what, printable_utf8(state.problem().id(buffers.front())))
                                : fmt::format("{} of {} buffers", what, buffers.size());
  fields.problem_revision = 0;  // written again from the problem, "1MiB" as "1 MiB"
  edit_problem(state, EditRequest{label, std::move(*edits), false});
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

void focus_first_field(State& state) {
  state.part<EditFields>().focus_first = true;
  apply(state, action::ShowPanel{"inspector"});
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
    if (one_name) continue;
    TypedField& field = fields.fields[k];
    const bool focus = std::exchange(fields.focus_first, false);
    if (typed_field(state.ui, kKinds[k].words, field, focus)) {
      state.later([k, text = field.text](State& s) { commit(s, k, text); });
    }
  }
  ImGui::PopStyleVar();
}

}  // namespace stowage
