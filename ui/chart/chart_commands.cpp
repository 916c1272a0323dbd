#include "ui/chart/minimap.h"
#include "ui/chart/spaces.h"
#include "ui/feature_commands.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::stack_spaces:
      switch_over(state, kStackSetting, false);
      return true;
    case CommandId::shorten_gaps:
      switch_over(state, kShortenSetting, true);
      return true;
    case CommandId::minimap:
      switch_over(state, kMinimapSetting, minimap_usual(state));
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::stack_spaces:
      return state.problem().spaces().size() < 2 ? "there is only one space" : "";
    case CommandId::shorten_gaps:
    case CommandId::minimap:
      return state.has_problem() ? "" : "no file is open";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands chart_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
