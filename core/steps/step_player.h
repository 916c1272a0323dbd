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

/// A box at some step: what is in it so far. One that is still open has no hull and no height yet.
struct ReplayBox {
  std::uint32_t box = 0;
  int level = 0;
  bool closed = false;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t height = 0;
  std::span<const BoxMember> members;
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
  /// The boxes there are now, by number. A box that is opened once more takes all of its number and above with it: the
  /// boxing begins anew from there.
  std::vector<ReplayBox> boxes() const;
  /// Positions right after which a phase begins (the index of the phase step).
  std::span<const std::size_t> phases() const { return phases_; }
  /// Applies exactly the first `position` steps; clamped to size().
  void seek(std::size_t position);
  /// Steps applied in all seeks together: what going to and fro has cost.
  std::size_t applied() const { return applied_; }
  /// A seek over what has been played before applies at most so many.
  std::size_t interval() const { return interval_; }

 private:
  /// The life of a box; all of them together are linear in the steps, so keyframes hold none.
  struct BoxLife {
    std::uint32_t box = 0;
    int level = 0;
    std::size_t opened = 0;  // positions of steps
    std::size_t closed = kNever;
    std::size_t gone = kNever;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t height = 0;
    std::vector<BoxMember> members;
    std::vector<std::size_t> put;  // by member
  };
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  void apply(const Step& step);
  void note_box(std::size_t position, std::vector<std::size_t>& current);

  std::span<const Step> steps_;
  std::size_t interval_;
  std::size_t position_ = 0;
  std::size_t applied_ = 0;
  ReplayState state_;
  std::vector<ReplayState> keyframes_;  // keyframes_[k]: the state after k * interval_ steps
  std::vector<std::size_t> phases_;
  std::vector<BoxLife> lives_;  // by position of opening
};

}  // namespace stowage
