#include "ui/feature_commands.h"
#include "ui/issue_steps.h"
#include "ui/peaks.h"
#include "ui/state.h"
#include "ui/watching.h"

namespace stowage {
namespace {

using State = Workbench::State;

void show(State& state, const char* panel) {
  apply(state, action::ShowPanel{panel});
}

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::show_history:
      show(state, "history");
      return true;
    case CommandId::show_issues:
      show(state, "issues");
      return true;
    case CommandId::show_peak:
      show(state, "peaks");
      go_to_peak(state, 0);
      return true;
    case CommandId::next_peak:
      show(state, "peaks");
      step_peak(state, 1);
      return true;
    case CommandId::previous_peak:
      show(state, "peaks");
      step_peak(state, -1);
      return true;
    case CommandId::next_issue:
      show(state, "issues");
      step_issue(state, 1);
      return true;
    case CommandId::previous_issue:
      show(state, "issues");
      step_issue(state, -1);
      return true;
    case CommandId::show_what_if:
      show(state, "what_if");
      return true;
    case CommandId::watch_file:
      toggle_watching(state);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::next_issue:
    case CommandId::previous_issue:
      return state.has_problem() ? "" : "no file is open";
    case CommandId::show_history:
    case CommandId::show_issues:
    case CommandId::show_what_if:
      return "";
    case CommandId::show_peak:
    case CommandId::next_peak:
    case CommandId::previous_peak:
      return state.has_problem() ? "" : "no file is open";
    case CommandId::watch_file:
      return state.document.path.empty() ? "no file is open" : "";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands inspect_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
