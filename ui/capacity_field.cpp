#include <fmt/format.h>

#include "ui/edit_fields.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr FieldWords kCapacityWords = {"capacity", "Capacity", "none",
                                       "No buffer may end above this address: 64 KiB, 1 GiB; empty: no limit"};

struct CapacityField {
  TypedField field;
  std::uint64_t problem_revision = 0;
  std::uint16_t space = 0;  // whose limit is in the field
};

void show_capacity(const State& state, CapacityField& capacity) {
  const bool same = capacity.problem_revision == state.problem_revision && capacity.space == state.space;
  // What is being typed stays with its space until the field is left.
  if (same || capacity.field.active) return;
  capacity.problem_revision = state.problem_revision;
  capacity.space = state.space;
  capacity.field.shown = capacity_text(state.problem(), state.space);
  capacity.field.reset();
}

void commit_capacity(State& state, std::uint16_t space, const std::string& text) {
  const Problem& problem = state.problem();
  if (space >= problem.spaces().size()) return;
  CapacityField& capacity = state.part<CapacityField>();
  const auto edit = capacity_edit(text, problem, space);
  if (!edit) {
    capacity.field.error = edit.error().message;
    return;
  }
  capacity.problem_revision = 0;  // written again from the problem, "none" as nothing
  EditRequest request;
  request.label = edit->space ? "Capacity of " + printable_utf8(problem.spaces()[space].id) : "Capacity";
  request.edits.emplace_back(*edit);
  edit_problem(state, std::move(request));
}

}  // namespace

void edit_capacity(State& state) {
  CapacityField& capacity = state.part<CapacityField>();
  show_capacity(state, capacity);
  if (capacity.space >= state.problem().spaces().size()) return;
  if (state.problem().spaces().size() > 1) {
    value_row(state.ui, "Space", printable_utf8(state.problem().spaces()[capacity.space].id));
  }
  if (!typed_field(state.ui, kCapacityWords, capacity.field)) return;
  state.later([space = capacity.space, text = capacity.field.text](State& s) { commit_capacity(s, space, text); });
}

}  // namespace stowage
