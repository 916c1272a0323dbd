#include "ui/replay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/best_curve.h"
#include "ui/boxes_replay.h"
#include "ui/chart/spaces.h"
#include "ui/easing.h"
#include "ui/panels.h"
#include "ui/presentation.h"
#include "ui/services.h"
#include "ui/stage_replay.h"
#include "ui/state.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr double kGlide = 0.2;                // seconds
constexpr double kFastest = 16;               // steps a second with which something still glides
constexpr std::size_t kMostGliding = 20'000;  // buffers; the scene of more takes too long for each frame
constexpr std::size_t kMoment = 64;           // places tried and next buffers that panels show
/// What a recording is made of.
struct Order {
  const Allocator* allocator = nullptr;
  std::shared_ptr<const Problem> problem;
  ParamValues params;
  std::uint64_t seed = 0;
  std::size_t limit = 0;
  std::uint16_t space = 0;
};

/// Panels that belong to a replay, the player itself first.
constexpr std::array<std::string_view, 3> kPanels = {"player", "steps", "decision"};

Result<std::shared_ptr<Recording>> record(const Order& order, RunContext context) {
  auto recording = std::make_shared<Recording>(order.limit);
  context.seed = order.seed;
  context.steps = &recording->log;
  auto run = run_allocator(*order.allocator, *order.problem, order.params, context);
  if (!run) return tl::unexpected<Error>(std::move(run.error()));
  recording->problem = order.problem;
  recording->run = std::move(*run);
  recording->make_player(order.problem->size());
  complete_curve(*recording);
  recording->code = pseudo_code_of(order.allocator->id);
  recording->space = order.space;
  if (!recording->index.all(StepKind::kOpenBox).empty()) {
    const RunResult& result = recording->run.result;
    recording->boxes.emplace(*recording->problem, recording->log.steps(), result.boxes, result.boxing, order.space);
  }
  return recording;
}

void show_panels(State& state) {
  for (const std::string_view panel : kPanels) {
    if (!place_of(state, panel)) bring_up_for_replay(state, std::string(panel));
  }
  show_panel(state, std::string(kPanels.front()));
}

/// A tab beside the map, behind it.
void show_boxes(State& state) {
  if (place_of(state, "boxes")) return;
  const PanelPlace centre{Slot::kCentre, 1};
  const View* front = front_panel(state, centre);
  bring_up_for_replay(state, "boxes");
  if (front != nullptr) show_panel(state, std::string(front->name));
}

/// Offsets of the step; of what the run puts into another space than the shown one, none.
std::shared_ptr<const std::vector<std::int64_t>> offsets_at(const State& state, const Recording& recording) {
  auto offsets = std::make_shared<std::vector<std::int64_t>>(recording.player->state().offsets);
  const std::vector<std::uint16_t>& spaces = recording.run.plan.spaces;
  for (BufferIndex i = 0; i < spaces.size() && i < offsets->size(); ++i) {
    if (spaces[i] != state.space) (*offsets)[i] = kNoOffset;
  }
  return offsets;
}

double glide_seconds(const Replay& replay) {
  return replay.playing ? std::min(kGlide, 0.8 / replay.speed) : kGlide;
}

/// What the last step has placed begins to glide there, when it is one step after the one that was drawn.
void begin_glide(State& state, Replay& replay, const std::shared_ptr<const std::vector<std::int64_t>>& before) {
  replay.gliding = kNoBuffer;
  const bool fast = replay.playing && replay.speed > kFastest;
  if (before == nullptr || fast || !easing_wanted(state) || before->size() > kMostGliding) return;
  const auto* place = std::get_if<step::Place>(&replay.recording->log.steps()[replay.position - 1].fact);
  if (place == nullptr || (*replay.drawn)[place->buffer] == kNoOffset) return;
  replay.glide_from = (*before)[place->buffer];
  if (replay.glide_from == kNoOffset) {
    const Viewport view = chart_view(state);
    const double top = std::clamp(view.byte_at(view.area.top), 0.0, 4e18);
    replay.glide_from = std::max(place->offset, static_cast<std::int64_t>(top));
  }
  if (replay.glide_from == place->offset) return;
  replay.gliding = place->buffer;
  replay.glide_since = state.host.now();
}

/// The offsets of the step, or those on the way to them.
void draw_offsets(State& state, Replay& replay) {
  const double share = (state.host.now() - replay.glide_since) / glide_seconds(replay);
  if (replay.gliding == kNoBuffer || share >= 1) {
    replay.gliding = kNoBuffer;
    replay.between.reset();
    state.drawn_instead = replay.drawn;
  } else {
    auto between = std::make_shared<std::vector<std::int64_t>>(*replay.drawn);
    std::int64_t& offset = (*between)[replay.gliding];
    const double left = (1 - share) * (1 - share) * (1 - share);
    offset += static_cast<std::int64_t>(left * (static_cast<double>(replay.glide_from) - static_cast<double>(offset)));
    replay.between = std::move(between);
    state.drawn_instead = replay.between;
  }
  ++state.look_revision;
}

void start_playing(State& state, Replay& replay) {
  replay.playing = true;
  replay.last = state.host.now();
  replay.due = 0;
  const bool outside = replay.position < replay.from() || replay.position >= replay.to();
  if (outside) go_to_step(state, replay.from());
}

/// Moves on by as many steps as time has passed for.
void play_on(State& state, Replay& replay) {
  const double now = state.host.now();
  replay.due += std::max(0.0, now - replay.last) * replay.speed;
  replay.last = now;
  const auto steps = static_cast<std::size_t>(replay.due);
  if (steps == 0) return;
  replay.due -= static_cast<double>(steps);
  const std::size_t end = replay.to();
  if (replay.position + steps < end) return go_to_step(state, replay.position + steps);
  if (!replay.loop || replay.from() >= end) {
    replay.playing = false;
    return go_to_step(state, end);
  }
  // The last step is seen before it begins anew.
  if (replay.position < end) return go_to_step(state, end);
  go_to_step(state, replay.from());
}

void take_recording(State& state, Replay& replay, Result<std::shared_ptr<Recording>> recording) {
  if (!recording) {
    replay.failure = recording.error().kind == Error::Kind::kCancelled ? std::string() : recording.error().message;
    return;
  }
  replay.recording = std::move(*recording);
  replay.position = 0;
  replay.range_from.reset();
  replay.range_to.reset();
  replay.focused = true;
  go_to_step(state, 0);
  if (replay.play_when_ready) start_playing(state, replay);
}

}  // namespace

void Recording::make_player(std::size_t buffers) {
  const std::vector<Step>& steps = log.steps();
  index = StepIndex(steps);
  incumbents = index.incumbents();
  bounds = index.bounds();
  player.emplace(steps, buffers);
  player->seek(steps.size());  // makes the keyframes
  player->seek(0);
}

const char* why_no_steps(const State& state) {
  const Plan* plan = state.plan();
  if (plan == nullptr) return "there is no plan yet";
  return find_allocator(plan->allocator) == nullptr ? "no allocator of this program has made the shown plan" : "";
}

void bring_up_for_replay(State& state, const std::string& panel) {
  if (!place_of(state, panel)) state.part<Replay>().opened.push_back(panel);
  show_panel(state, panel);
}

void begin_recording(State& state, RecordingOrder order) {
  Replay& replay = state.part<Replay>();
  const std::vector<std::string> opened = std::exchange(replay.opened, {});
  end_replay(state);
  replay.opened = opened;
  replay.title = std::move(order.title);
  replay.plan = std::move(order.plan);
  replay.problem_revision = state.problem_revision;
  replay.failure.clear();
  replay.play_when_ready = order.play_when_ready;
  replay.share = std::make_shared<std::atomic<double>>(0);
  show_panels(state);
  replay.work.start([make = std::move(order.make), share = replay.share](const std::stop_token& stop) {
    RunContext context;
    context.stop = stop;
    context.progress = [share](double done) {
      share->store(done);
    };
    return make(context);
  });
}

void record_steps(State& state, const ParamValues& params, bool play_when_ready) {
  if (*why_no_steps(state) != '\0') return;
  const Plan& plan = *state.plan();
  const Allocator* allocator = find_allocator(plan.allocator);
  ParamValues values = plan.params;
  for (const auto& [key, value] : params) values[key] = value;
  const Order order{allocator, state.document.problem,     std::move(values),
                    plan.seed, state.part<Replay>().limit, state.space};
  begin_recording(state, RecordingOrder{State::title_of_plan(state.shown_plan), state.shown_plan, play_when_ready,
                                        [order](const RunContext& context) {
                                          return record(order, context);
                                        }});
  if (allocator->can.boxes) show_boxes(state);
}

void cancel_recording(State& state) {
  Replay& replay = state.part<Replay>();
  replay.work.cancel();
  replay.failure.clear();
}

void end_replay(State& state) {
  Replay& replay = state.part<Replay>();
  replay.work.cancel();
  const bool drawn = state.drawn_instead == replay.drawn || state.drawn_instead == replay.between;
  if (replay.drawn != nullptr && drawn) state.drawn_instead.reset();
  if (replay.ready()) ++state.look_revision;
  replay.drawn.reset();
  replay.between.reset();
  replay.gliding = kNoBuffer;
  replay.recording.reset();
  replay.failure.clear();
  replay.playing = false;
  replay.focused = false;
  replay.position = 0;
  replay.moment = Moment{};
  state.part<BoxesReplay>().forget();
  for (const std::string& panel : std::exchange(replay.opened, {})) move_panel(state, panel, "hidden");
}

void go_to_step(State& state, std::size_t position) {
  Replay& replay = state.part<Replay>();
  if (!replay.ready()) return;
  Recording& recording = *replay.recording;
  const std::shared_ptr<const std::vector<std::int64_t>> before = replay.drawn;
  const bool one_on = position == replay.position + 1 && position <= recording.size();
  replay.position = std::min(position, recording.size());
  recording.player->seek(replay.position);
  replay.moment = recording.index.moment(replay.position, kMoment);
  if (recording.stage) {  // the plan stays, with marks over it
    ++state.look_revision;
    state.settle_frames = std::max(state.settle_frames, 1);
    return;
  }
  replay.drawn = offsets_at(state, recording);
  replay.space = state.space;
  replay.gliding = kNoBuffer;
  if (one_on) begin_glide(state, replay, before);
  draw_offsets(state, replay);
  state.settle_frames = std::max(state.settle_frames, 1);
  follow_boxes(state);
}

void set_range(State& state, std::size_t a, std::size_t b) {
  Replay& replay = state.part<Replay>();
  if (!replay.ready()) return;
  const std::size_t from = std::min({a, b, replay.recording->size()});
  const std::size_t to = std::min(std::max(a, b), replay.recording->size());
  if (from == to) return;
  replay.range_from = from;
  replay.range_to = to;
}

std::string position_words(const Replay& replay) {
  if (!replay.ready()) return {};
  const std::string all = format_count(static_cast<std::int64_t>(replay.recording->size()));
  return fmt::format("step {} of {}", format_count(static_cast<std::int64_t>(replay.position)), all);
}

std::string caption_at(const Replay& replay, std::size_t position) {
  if (!replay.ready()) return {};
  if (replay.recording->stage) return stage_caption(*replay.recording, position);
  if (position == 0) return "Nothing is placed yet.";
  return caption(replay.recording->log.steps()[position - 1], *replay.recording->problem);
}

std::string_view phase_at(const Replay& replay, std::size_t position) {
  if (!replay.ready()) return {};
  const Recording& recording = *replay.recording;
  const std::size_t count = recording.index.count(StepKind::kPhase, position);
  if (count == 0) return {};
  const std::size_t step = recording.index.all(StepKind::kPhase)[count - 1];
  return std::get<step::Phase>(recording.log.steps()[step].fact).name;
}

void add_replay_marks(const State& state, Scene& scene) {
  const Replay& replay = state.part<Replay>();
  if (replay.ready() && replay.recording->stage) return add_stage_marks(state, scene);
  if (!replay.ready() || replay.drawn == nullptr) return;
  StepMarks marks;
  marks.problem = &state.problem();
  marks.index = state.index();
  marks.offsets = replay.drawn.get();
  marks.scale = state.ui.scale;
  const bool other_space =
      replay.moment.buffer < state.problem().size() && state.problem()[replay.moment.buffer].space != state.space;
  if (replay.position > 0 && !other_space) {
    mark_step(marks, replay.recording->log.steps()[replay.position - 1], replay.moment);
  }
  marks.points = state.part<BoxesReplay>().points();
  add_step_marks(scene, marks, chart_view(state), *state.ui.theme);
}

std::span<const PanelKey> player_keys(const State& state) {
  static const std::array<PanelKey, 8> keys = {PanelKey{parse_shortcut("Right"), CommandId::step_on},
                                               PanelKey{parse_shortcut("Left"), CommandId::step_back},
                                               PanelKey{parse_shortcut("Shift+Right"), CommandId::phase_on},
                                               PanelKey{parse_shortcut("Shift+Left"), CommandId::phase_back},
                                               PanelKey{parse_shortcut("Ctrl+Right"), CommandId::level_on},
                                               PanelKey{parse_shortcut("Ctrl+Left"), CommandId::level_back},
                                               PanelKey{parse_shortcut("Home"), CommandId::first_step},
                                               PanelKey{parse_shortcut("End"), CommandId::last_step}};
  const Replay& replay = state.part<Replay>();
  const bool listens = replay.focused || state.part<Presentation>().on;  // there is no panel to click in a lecture
  if (!listens || !replay.ready()) return {};
  return keys;
}

void poll_replay(State& state) {
  Replay& replay = state.part<Replay>();
  if (!replay.ready() && !replay.work.running()) {
    if (!replay.failure.empty() && !replay.recorded_for(state.shown_plan, state.problem_revision)) end_replay(state);
    return;
  }
  const bool closed = !place_of(state, "player");
  if (closed || !replay.recorded_for(state.shown_plan, state.problem_revision)) return end_replay(state);
  if (auto recording = replay.work.poll()) take_recording(state, replay, std::move(*recording));
  if (replay.gliding != kNoBuffer) draw_offsets(state, replay);
  const auto& expected = replay.gliding != kNoBuffer ? replay.between : replay.drawn;
  const bool stale = state.drawn_instead != expected || state.space != replay.space;
  if (replay.places() && stale) go_to_step(state, replay.position);
  if (replay.playing) play_on(state, replay);
  follow_boxes(state);
  state.part<BoxesReplay>().wanted = false;
}

bool busy_replay(const State& state) {
  const Replay& replay = state.part<Replay>();
  return replay.work.running() || replay.playing || replay.gliding != kNoBuffer || boxes_moving(state);
}

}  // namespace stowage
