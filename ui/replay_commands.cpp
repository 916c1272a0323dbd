#include <algorithm>
#include <span>

#include "ui/feature_commands.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr const char* kNoSteps = "no steps are recorded";

/// A phase, or a level, begins right after its step has been applied.
void to_next(State& state, std::span<const std::uint32_t> begins) {
  const Replay& replay = state.part<Replay>();
  for (const std::uint32_t step : begins) {
    if (step + std::size_t{1} > replay.position) return go_to_step(state, step + std::size_t{1});
  }
  go_to_step(state, replay.recording->size());
}

void to_one_before(State& state, std::span<const std::uint32_t> begins) {
  const Replay& replay = state.part<Replay>();
  for (std::size_t k = begins.size(); k > 0; --k) {
    const std::size_t begin = begins[k - 1] + std::size_t{1};
    if (begin < replay.position) return go_to_step(state, begin);
  }
  go_to_step(state, 0);
}

void play_or_pause(State& state) {
  Replay& replay = state.part<Replay>();
  if (!replay.ready()) {
    if (!replay.work.running()) return record_steps(state, {}, true);
    replay.play_when_ready = !replay.play_when_ready;
    return;
  }
  replay.playing = !replay.playing;
  if (!replay.playing) return;
  replay.last = state.host.now();
  replay.due = 0;
  if (replay.position < replay.from() || replay.position >= replay.to()) go_to_step(state, replay.from());
}

/// Stepping by hand ends the playing.
void by_hand(State& state, CommandId id) {
  Replay& replay = state.part<Replay>();
  replay.playing = false;
  switch (id) {
    case CommandId::step_on:
      return go_to_step(state, replay.position + 1);
    case CommandId::step_back:
      return go_to_step(state, replay.position - std::min<std::size_t>(replay.position, 1));
    case CommandId::phase_on:
      return to_next(state, replay.recording->index.all(StepKind::kPhase));
    case CommandId::phase_back:
      return to_one_before(state, replay.recording->index.all(StepKind::kPhase));
    case CommandId::level_on:
      return to_next(state, replay.recording->index.levels());
    case CommandId::level_back:
      return to_one_before(state, replay.recording->index.levels());
    case CommandId::first_step:
      return go_to_step(state, 0);
    default:
      return go_to_step(state, replay.recording->size());
  }
}

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::record_steps:
      record_steps(state, {}, false);
      return true;
    case CommandId::play:
      play_or_pause(state);
      return true;
    case CommandId::step_on:
    case CommandId::step_back:
    case CommandId::phase_on:
    case CommandId::phase_back:
    case CommandId::level_on:
    case CommandId::level_back:
    case CommandId::first_step:
    case CommandId::last_step:
      by_hand(state, id);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  const Replay& replay = state.part<Replay>();
  switch (id) {
    case CommandId::record_steps:
      return why_no_steps(state);
    case CommandId::play:
      return replay.ready() ? "" : why_no_steps(state);
    case CommandId::step_on:
    case CommandId::step_back:
    case CommandId::phase_on:
    case CommandId::phase_back:
    case CommandId::level_on:
    case CommandId::level_back:
    case CommandId::first_step:
    case CommandId::last_step:
      return replay.ready() ? "" : kNoSteps;
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands replay_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
