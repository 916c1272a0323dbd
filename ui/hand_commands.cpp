#include "ui/feature_commands.h"
#include "ui/hand_moves.h"
#include "ui/measuring.h"
#include "ui/splitter_keys.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::place_higher:
    case CommandId::place_lower:
      place_one_step(state, id == CommandId::place_higher);
      return true;
    case CommandId::gap_above:
    case CommandId::gap_below:
      place_in_next_gap(state, id == CommandId::gap_above);
      return true;
    case CommandId::measure:
      toggle_measuring(state);
      return true;
    case CommandId::next_splitter:
      choose_next_splitter(state);
      return true;
    case CommandId::splitter_back:
    case CommandId::splitter_on:
      move_splitter(state, id == CommandId::splitter_on ? SplitterKeys::kStep : -SplitterKeys::kStep);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::place_higher:
    case CommandId::place_lower:
    case CommandId::gap_above:
    case CommandId::gap_below:
      return why_not_placed(state);
    case CommandId::measure:
      return state.has_problem() ? "" : "no file is open";
    case CommandId::next_splitter:
      return "";
    case CommandId::splitter_back:
    case CommandId::splitter_on:
      return state.part<SplitterKeys>().chosen.empty() ? "no splitter is chosen" : "";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands hand_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
