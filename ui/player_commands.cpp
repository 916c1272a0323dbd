#include <algorithm>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ui/feature_commands.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The next higher or lower of the speeds that there are.
void change_speed(State& state, int step) {
  auto& replay = state.part<Replay>();
  const auto& speeds = Replay::kSpeeds;
  const auto at = std::lower_bound(speeds.begin(), speeds.end(), replay.speed) - speeds.begin();
  const auto last = static_cast<std::ptrdiff_t>(speeds.size()) - 1;
  replay.speed = speeds[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + step, 0, last))];
}

/// The step decides about this buffer.
bool is_about(const Step& step, BufferIndex buffer) {
  return std::visit(
      [&](const auto& fact) {
        using Fact = std::decay_t<decltype(fact)>;
        if constexpr (std::is_same_v<Fact, step::PutInBox>) {
          return fact.member.buffer == buffer;
        } else if constexpr (requires { fact.buffer; }) {
          return fact.buffer == buffer;
        } else {
          return false;
        }
      },
      step.fact);
}

/// The position after the next step (`direction` 1) or the one before that is about the selected buffer.
std::optional<std::size_t> step_of_selected(const State& state, int direction) {
  const auto& replay = state.part<Replay>();
  const std::vector<Step>& steps = replay.recording->log.steps();
  for (std::size_t to = replay.position;;) {
    if (direction < 0 && to <= 1) return std::nullopt;
    if (direction > 0 && to >= steps.size()) return std::nullopt;
    to = direction > 0 ? to + 1 : to - 1;
    if (is_about(steps[to - 1], state.chosen())) return to;
  }
}

void follow_selected(State& state, int direction) {
  state.part<Replay>().playing = false;
  const auto to = step_of_selected(state, direction);
  if (to) return go_to_step(state, *to);
  state.tell(fmt::format("No {} step is about {}", direction > 0 ? "later" : "earlier",
                         printable_utf8(state.problem().id(state.chosen()))));
}

/// The range begins here: up to where it ended, else to the end. The other way round it ends here.
void begin_range(State& state) {
  const auto& replay = state.part<Replay>();
  set_range(state, replay.position, replay.to() > replay.position ? replay.to() : replay.recording->size());
}

void end_range(State& state) {
  const auto& replay = state.part<Replay>();
  set_range(state, replay.from() < replay.position ? replay.from() : 0, replay.position);
}

bool run_player_command(State& state, CommandId id) {
  auto& replay = state.part<Replay>();
  switch (id) {
    case CommandId::faster:
      change_speed(state, 1);
      return true;
    case CommandId::slower:
      change_speed(state, -1);
      return true;
    case CommandId::loop_steps:
      replay.loop = !replay.loop;
      return true;
    case CommandId::range_begin:
      begin_range(state);
      return true;
    case CommandId::range_end:
      end_range(state);
      return true;
    case CommandId::range_whole:
      replay.range_from.reset();
      replay.range_to.reset();
      return true;
    case CommandId::buffer_step_on:
      follow_selected(state, 1);
      return true;
    case CommandId::buffer_step_back:
      follow_selected(state, -1);
      return true;
    default:
      return false;
  }
}

const char* why_no_player_command(const State& state, CommandId id) {
  const auto& replay = state.part<Replay>();
  switch (id) {
    case CommandId::faster:
    case CommandId::slower:
    case CommandId::loop_steps:
      return replay.ready() ? "" : "no steps are recorded";
    case CommandId::range_begin:
      if (!replay.ready()) return "no steps are recorded";
      return replay.position < replay.recording->size() ? "" : "these are all of the steps";
    case CommandId::range_end:
      if (!replay.ready()) return "no steps are recorded";
      return replay.position > 0 ? "" : "this is before the first step";
    case CommandId::range_whole:
      return replay.range_from ? "" : "there is no range";
    case CommandId::buffer_step_on:
    case CommandId::buffer_step_back:
      if (!replay.ready()) return "no steps are recorded";
      if (!replay.places()) return "these are the steps of a transform";
      return state.selection.empty() ? "nothing is selected" : "";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands player_commands() {
  return {run_player_command, why_no_player_command};
}

}  // namespace stowage
