#include "ui/boxes_replay.h"

#include <utility>

#include <fmt/format.h>

#include "ui/easing.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Unboxing empties the boxes, squeezing fills the plan: what is out of its box waits, what has sunk is done.
void mark_unboxed(BoxesLayout& layout, const Recording& recording, std::size_t position) {
  const std::size_t phases = recording.index.count(StepKind::kPhase, position);
  if (phases == 0) return;
  const std::vector<Step>& steps = recording.log.steps();
  const std::size_t begin = recording.index.all(StepKind::kPhase)[phases - 1];
  const std::string& phase = std::get<step::Phase>(steps[begin].fact).name;
  const bool loose = phase.find("loose") != std::string::npos;
  const bool squeeze = phase.find("squeeze") != std::string::npos;
  if (!loose && !squeeze) return;
  std::vector<bool> placed(recording.problem->size(), false);
  for (std::size_t i = begin; i < position; ++i) {
    if (const auto* place = std::get_if<step::Place>(&steps[i].fact)) placed[place->buffer] = true;
  }
  for (BoxShape& shape : layout.shapes) {
    if (shape.is_box() || shape.state != BoxShape::State::kDone) continue;
    if (placed[shape.what.buffer] == loose) shape.state = BoxShape::State::kWaiting;
  }
}

void take_layout(BoxesReplay& boxes, std::shared_ptr<const BoxesLayout> layout, std::size_t position) {
  boxes.layout = std::move(layout);
  boxes.position = position;
  ++boxes.revision;
}

/// The buffer that the last step has put into a box; none while nothing should move by itself.
void note_flight(State& state, const Replay& replay, BoxesReplay& boxes) {
  boxes.flying = kNoBuffer;
  if (replay.position == 0 || !easing_wanted(state)) return;
  const Step& last = replay.recording->log.steps()[replay.position - 1];
  const auto* put = std::get_if<step::PutInBox>(&last.fact);
  if (put == nullptr || put->member.buffer == kNoBuffer || replay.speed > 16) return;
  boxes.flying = put->member.buffer;
  boxes.flying_since = state.host.now();
}

}  // namespace

void BoxesReplay::forget() {
  work.cancel();
  layout.reset();
  position = 0;
  ++revision;
  home = true;
  flying = kNoBuffer;
}

std::vector<std::int64_t> BoxesReplay::points() const {
  return layout != nullptr ? layout->call_points : std::vector<std::int64_t>();
}

std::shared_ptr<const BoxesLayout> boxes_at(Recording& recording, std::size_t position) {
  if (!recording.boxes) return nullptr;
  auto layout = std::make_shared<BoxesLayout>(recording.boxes->at(position));
  mark_unboxed(*layout, recording, position);
  return layout;
}

void follow_boxes(State& state) {
  const Replay& replay = state.part<Replay>();
  BoxesReplay& boxes = state.part<BoxesReplay>();
  if (!replay.ready() || !replay.recording->boxes) return;
  if (auto layout = boxes.work.poll()) {
    take_layout(boxes, std::move(*layout), boxes.work_position);
    state.settle_frames = 3;
  }
  const bool fresh = boxes.layout != nullptr && boxes.position == replay.position;
  if (fresh || boxes.work.running()) return;
  if (state.problem().size() <= BoxesReplay::kAtOnce) {
    const bool one_on = replay.position == boxes.position + 1;
    take_layout(boxes, boxes_at(*replay.recording, replay.position), replay.position);
    boxes.flying = kNoBuffer;
    if (one_on) note_flight(state, replay, boxes);
    ++state.look_revision;  // the critical points on the map
  } else if (boxes.wanted) {
    boxes.work_position = replay.position;
    boxes.work.start([recording = replay.recording, position = replay.position](const std::stop_token&) {
      return boxes_at(*recording, position);
    });
  }
}

bool boxes_moving(const State& state) {
  const BoxesReplay& boxes = state.part<BoxesReplay>();
  if (boxes.work.running()) return true;
  return boxes.flying != kNoBuffer && state.host.now() - boxes.flying_since < BoxesReplay::kFlight;
}

std::string path_words(const BoxesLayout& layout, BufferIndex buffer) {
  std::vector<const BoxShape*> around;
  for (const BoxShape& shape : layout.shapes) {
    around.resize(std::min(around.size(), static_cast<std::size_t>(shape.depth)));
    if (shape.is_box()) {
      around.push_back(&shape);
      continue;
    }
    if (shape.what.buffer != buffer) continue;
    std::string words;
    for (std::size_t k = around.size(); k > 0; --k) {
      if (around[k - 1]->state == BoxShape::State::kAbsent) continue;
      if (!words.empty()) words += ", ";
      words += fmt::format("in box {} (level {})", around[k - 1]->what.box, around[k - 1]->level);
    }
    return words;
  }
  return {};
}

}  // namespace stowage
