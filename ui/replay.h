#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/chart/boxes_layout.h"
#include "core/chart/scene.h"
#include "core/chart/step_marks.h"
#include "core/steps/pseudo_code.h"
#include "core/steps/step_index.h"
#include "core/steps/step_player.h"
#include "core/tasks/background.h"
#include "ui/command.h"
#include "ui/shortcuts.h"
#include "ui/stage_tape.h"
#include "ui/workbench.h"

namespace stowage {

/// A run with all of its steps. Made once and never moved: the index and the player look into the log.
struct Recording {
  explicit Recording(std::size_t limit) : log(limit) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  std::shared_ptr<const Problem> problem;  // null: the steps are a transform's
  StepLog log;
  PlannedRun run;
  StepIndex index;
  std::optional<StepPlayer> player;
  std::vector<StepValue> incumbents;
  std::vector<StepValue> bounds;
  const PseudoCode* code = nullptr;  // of the allocator or transform
  std::optional<BoxesStory> boxes;   // of the shown space, where the run made some
  std::uint16_t space = 0;
  std::optional<StageTape> stage;  // of a transform

  std::size_t size() const { return log.steps().size(); }
  /// When the log is complete: the index, and the player for so many buffers or tensors.
  void make_player(std::size_t buffers);
};

/// The step player: a recorded run, of the shown plan's allocator or of a transform, and where in it one is.
struct Replay {
  static constexpr std::array<double, 9> kSpeeds = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};

  // Recording.
  Background<Result<std::shared_ptr<Recording>>> work;
  std::shared_ptr<std::atomic<double>> share;  // of the run that is being recorded
  std::string title;                           // whose steps these are or will be
  std::optional<std::string> plan;             // the allocator's; nothing: a transform's, whatever plan is shown
  std::uint64_t problem_revision = 0;
  std::size_t limit = StepLog::kLimit;
  std::string failure;  // why there is no recording
  bool play_when_ready = false;
  std::vector<std::string> opened;  // panels that recording has brought up

  // Playing.
  std::shared_ptr<Recording> recording;  // null: no replay, the chart shows the plan
  std::size_t position = 0;              // applied steps, 0 .. size()
  bool playing = false;
  double speed = 4;  // steps a second
  double last = 0;   // seconds, when it was moved on last
  double due = 0;    // steps that are due, below 1 after each frame
  bool loop = false;
  std::optional<std::size_t> range_from;  // positions; nothing: the beginning, the end
  std::optional<std::size_t> range_to;
  Moment moment;                                           // at the position
  std::shared_ptr<const std::vector<std::int64_t>> drawn;  // the offsets of that step
  std::uint16_t space = 0;                                 // those of this space

  // A buffer on its way to where the last step has put it; motion can be switched off in the settings.
  BufferIndex gliding = kNoBuffer;
  std::int64_t glide_from = 0;  // its offset before; the top of the view when it had none
  double glide_since = 0;
  std::shared_ptr<const std::vector<std::int64_t>> between;  // drawn meanwhile

  // The panels.
  bool focused = false;                     // the player was clicked last: the arrows are its own
  std::optional<std::size_t> range_anchor;  // of a drag with Shift on the scrub bar

  bool ready() const { return recording != nullptr; }
  bool recorded_for(const std::string& id, std::uint64_t revision) const {
    return (!plan || *plan == id) && problem_revision == revision;
  }
  /// The chart shows the steps instead of the plan.
  bool places() const { return ready() && !recording->stage; }
  std::size_t from() const { return range_from.value_or(0); }
  std::size_t to() const { return range_to.value_or(ready() ? recording->size() : 0); }
};

/// Why the shown plan has no steps to record; "" when it has.
const char* why_no_steps(const Workbench::State& state);
/// Runs the shown plan's allocator once more in the background and keeps what it says; with other parameters than the
/// plan's where `params` names some.
void record_steps(Workbench::State& state, const ParamValues& params, bool play_when_ready);
void cancel_recording(Workbench::State& state);

/// What is to be recorded.
struct RecordingOrder {
  std::string title;
  std::optional<std::string> plan;
  bool play_when_ready = false;
  std::function<Result<std::shared_ptr<Recording>>(const RunContext&)> make;  // in the background
};
/// Forgets what is being played, brings up the panels of the player and begins.
void begin_recording(Workbench::State& state, RecordingOrder order);
/// To the front; it goes with the replay when it comes with it.
void bring_up_for_replay(Workbench::State& state, const std::string& panel);
/// The chart shows the plan again. Panels that recording has brought up go where they came from.
void end_replay(Workbench::State& state);
/// Applies exactly the first `position` steps; clamped.
void go_to_step(Workbench::State& state, std::size_t position);
/// The range that is looped and played; the two in any order.
void set_range(Workbench::State& state, std::size_t a, std::size_t b);

/// "step 17 of 532"; "before the first of 532 steps".
std::string position_words(const Replay& replay);
/// What the last applied step did, in words.
std::string caption_at(const Replay& replay, std::size_t position);
/// The name of the phase at a position; empty before the first.
std::string_view phase_at(const Replay& replay, std::size_t position);

/// Draws over the memory map what its step is about; nothing without a replay.
void add_replay_marks(const Workbench::State& state, Scene& scene);

/// Keys that mean something else while the player has the focus.
struct PanelKey {
  Shortcut shortcut;
  CommandId command = CommandId::step_on;
};
std::span<const PanelKey> player_keys(const Workbench::State& state);

}  // namespace stowage
