#include "core/steps/step_player.h"

#include <algorithm>
#include <utility>

namespace stowage {

StepPlayer::StepPlayer(std::span<const Step> steps, std::size_t buffers)
    : steps_(steps), interval_(std::max<std::size_t>(1024, buffers)) {
  state_.offsets.assign(buffers, kNoOffset);
  std::vector<std::size_t> current;  // the lives of the boxes there are, by number
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    note_box(i, current);
    if (std::holds_alternative<step::Phase>(steps_[i].fact)) phases_.push_back(i);
  }
  keyframes_.push_back(state_);
}

void StepPlayer::seek(std::size_t position) {
  position = std::min(position, steps_.size());
  const std::size_t keyframe = std::min(position / interval_, keyframes_.size() - 1);
  // Going on from here beats a keyframe that lies behind.
  if (position < position_ || keyframe * interval_ > position_) {
    state_ = keyframes_[keyframe];
    position_ = keyframe * interval_;
  }
  while (position_ < position) {
    apply(steps_[position_]);
    ++position_;
    ++applied_;
    if (position_ == keyframes_.size() * interval_) keyframes_.push_back(state_);
  }
}

void StepPlayer::note_box(std::size_t position, std::vector<std::size_t>& current) {
  const Step& step = steps_[position];
  const auto find = [&](std::uint32_t box) {
    // Numbers rise, so those of the current lives are sorted.
    const auto at = std::lower_bound(current.begin(), current.end(), box,
                                     [&](std::size_t life, std::uint32_t number) { return lives_[life].box < number; });
    return at != current.end() && lives_[*at].box == box ? at : current.end();
  };
  if (const auto* open = std::get_if<step::OpenBox>(&step.fact)) {
    while (!current.empty() && lives_[current.back()].box >= open->box) {
      lives_[current.back()].gone = position;
      current.pop_back();
    }
    BoxLife life;
    life.box = open->box;
    life.level = open->level;
    life.opened = position;
    current.push_back(lives_.size());
    lives_.push_back(std::move(life));
  } else if (const auto* put = std::get_if<step::PutInBox>(&step.fact)) {
    const auto at = find(put->box);
    if (at == current.end()) return;
    lives_[*at].members.push_back(put->member);
    lives_[*at].put.push_back(position);
  } else if (const auto* close = std::get_if<step::CloseBox>(&step.fact)) {
    const auto at = find(close->box);
    if (at == current.end()) return;
    BoxLife& life = lives_[*at];
    life.closed = position;
    life.start = close->start;
    life.end = close->end;
    life.height = close->height;
  }
}

std::vector<ReplayBox> StepPlayer::boxes() const {
  std::vector<ReplayBox> boxes;
  for (const BoxLife& life : lives_) {
    if (life.opened >= position_) break;
    if (life.gone < position_) continue;
    ReplayBox box;
    box.box = life.box;
    box.level = life.level;
    box.closed = life.closed < position_;
    if (box.closed) {
      box.start = life.start;
      box.end = life.end;
      box.height = life.height;
    }
    const auto members = std::lower_bound(life.put.begin(), life.put.end(), position_) - life.put.begin();
    box.members = std::span(life.members).first(static_cast<std::size_t>(members));
    boxes.push_back(box);
  }
  return boxes;
}

void StepPlayer::apply(const Step& step) {
  if (std::holds_alternative<step::Phase>(step.fact)) {
    ++state_.phase;
  } else if (const auto* consider = std::get_if<step::Consider>(&step.fact)) {
    state_.considered = consider->buffer;
  } else if (const auto* place = std::get_if<step::Place>(&step.fact)) {
    state_.offsets[place->buffer] = place->offset;
  } else if (const auto* unplace = std::get_if<step::Unplace>(&step.fact)) {
    state_.offsets[unplace->buffer] = kNoOffset;
  } else if (const auto* incumbent = std::get_if<step::Incumbent>(&step.fact)) {
    state_.incumbent = incumbent->makespan;
  } else if (const auto* bound = std::get_if<step::Bound>(&step.fact)) {
    state_.bound = bound->makespan;
  }
}

}  // namespace stowage
