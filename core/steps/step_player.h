#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/steps/step.h"

namespace stowage {

/// What is known after some steps of a log.
struct ReplayState {
  std::vector<std::int64_t> offsets;  // kNoOffset: not placed (yet)
  BufferIndex considered = kNoBuffer;
  std::size_t phase = 0;                  // index into StepPlayer::phases() plus one; 0 before the first
  std::optional<std::int64_t> incumbent;  // makespan
  std::optional<std::int64_t> bound;
  bool operator==(const ReplayState&) const = default;
};

/// Goes to any step of a log. Backwards means: the nearest keyframe before, then forwards, so no step needs an inverse.
/// A keyframe costs one offset for each buffer and is taken each max(1024, buffers) steps: memory linear in the steps.
class StepPlayer {
 public:
  /// The steps must outlive the player.
  StepPlayer(std::span<const Step> steps, std::size_t buffers);

  std::size_t size() const { return steps_.size(); }
  /// Steps applied so far, 0 .. size().
  std::size_t position() const { return position_; }
  const ReplayState& state() const { return state_; }
  /// Positions right after which a phase begins (the index of the phase step).
  std::span<const std::size_t> phases() const { return phases_; }
  /// Applies exactly the first `position` steps; clamped to size().
  void seek(std::size_t position);

 private:
  void apply(const Step& step);

  std::span<const Step> steps_;
  std::size_t interval_;
  std::size_t position_ = 0;
  ReplayState state_;
  std::vector<ReplayState> keyframes_;  // keyframes_[k]: the state after k * interval_ steps
  std::vector<std::size_t> phases_;
};

}  // namespace stowage
