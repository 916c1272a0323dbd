#include "core/steps/step_player.h"

#include <algorithm>

namespace stowage {

StepPlayer::StepPlayer(std::span<const Step> steps, std::size_t buffers)
    : steps_(steps), interval_(std::max<std::size_t>(1024, buffers)) {
  state_.offsets.assign(buffers, kNoOffset);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
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
    if (position_ == keyframes_.size() * interval_) keyframes_.push_back(state_);
  }
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
