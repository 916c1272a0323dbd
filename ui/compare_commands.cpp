#include "ui/comparing.h"
#include "ui/difference_table.h"
#include "ui/feature_commands.h"
#include "ui/panels.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::string entry_beside(const State& state, int step) {
  return neighbouring_entry(state, state.part<Comparing>().other, step);
}

void next_order(State& state) {
  const int next = (static_cast<int>(state.part<DifferenceTable>().column) + 1) % 5;
  sort_differences(state, static_cast<DifferenceColumn>(next));
}

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::compare_earlier:
      show_beside(state, entry_beside(state, -1));
      return true;
    case CommandId::compare_later:
      show_beside(state, entry_beside(state, 1));
      return true;
    case CommandId::swap_plans:
      swap_plans(state);
      return true;
    case CommandId::show_side_by_side:
      show_panel(state, "side_by_side");
      return true;
    case CommandId::show_differences:
      show_panel(state, "differences");
      return true;
    case CommandId::sort_differences:
      next_order(state);
      return true;
    case CommandId::next_difference:
      step_difference(state, 1);
      return true;
    case CommandId::previous_difference:
      step_difference(state, -1);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::compare_earlier:
      return entry_beside(state, -1).empty() ? "there is no earlier entry with a plan" : "";
    case CommandId::compare_later:
      return entry_beside(state, 1).empty() ? "there is no later entry with a plan" : "";
    case CommandId::swap_plans:
    case CommandId::show_side_by_side:
    case CommandId::show_differences:
    case CommandId::sort_differences:
    case CommandId::next_difference:
    case CommandId::previous_difference:
      return comparable_keys(state, 1).size() < 2 ? "there is only one plan" : "";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands compare_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
