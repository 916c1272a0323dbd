#include <algorithm>

#include "ui/colours.h"
#include "ui/feature_commands.h"
#include "ui/presentation.h"

namespace stowage {
namespace {

using State = Workbench::State;

void next_colouring(State& state) {
  const auto choices = colour_choices();
  const ColourBy now = chosen_colouring(state);
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const ColourChoice& one) { return one.by == now; });
  const auto& next = choices[static_cast<std::size_t>(found - choices.begin() + 1) % choices.size()];
  choose_colouring(state, next.by);
  state.tell("Colours by " + to_lower(next.title));
}

void previous_match(State& state) {
  const std::vector<BufferIndex>& order = state.rows.order;
  if (order.empty()) return;
  const auto at = std::find(order.begin(), order.end(), state.chosen());
  const std::size_t now = at == order.end() ? 0 : static_cast<std::size_t>(at - order.begin());
  const BufferIndex to = order[(now + order.size() - 1) % order.size()];
  apply(state, action::Select{{to}, SelectMode::kReplace});
  apply(state, action::FrameBuffers{{to}});
}

/// The same key or Esc brings everything back.
void toggle_presentation(State& state) {
  Presentation& presentation = state.part<Presentation>();
  presentation.on = !presentation.on;
  state.host.set_fullscreen(presentation.on);
  state.settle_frames = 3;
}

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::cycle_colour:
      next_colouring(state);
      return true;
    case CommandId::find_previous:
      previous_match(state);
      return true;
    case CommandId::show_scatter:
      apply(state, action::ShowPanel{"scatter"});
      return true;
    case CommandId::presentation:
      toggle_presentation(state);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::cycle_colour:
      return state.has_problem() ? "" : "no file is open";
    case CommandId::presentation:
      return state.has_problem() || state.part<Presentation>().on ? "" : "no file is open";
    case CommandId::find_previous:
      return state.rows.matches == nullptr ? "nothing is searched for" : "";
    case CommandId::show_scatter:
      return state.document.plans.empty() ? "there is no plan yet" : "";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands look_commands() {
  return {run, why_disabled};
}

double interface_scale(const State& state) {
  const double scale = state.settings.ui_scale;
  return state.part<Presentation>().on ? std::min(3.0, scale * Presentation::kLarger) : scale;
}

bool end_presentation(State& state) {
  if (!state.part<Presentation>().on) return false;
  toggle_presentation(state);
  return true;
}

}  // namespace stowage
