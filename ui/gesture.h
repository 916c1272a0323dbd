#pragma once

#include "core/chart/geometry.h"

namespace stowage {

/// What a press of the mouse turns out to be.
enum class GestureKind { kNone, kPan, kBox, kMeasure, kEdit };

/// Press, drag, release as a state machine, in logical pixels of a pane. A press becomes a drag after 3 pixels; a
/// release before that is a click.
class Gesture {
 public:
  static constexpr float kThreshold = 3;
  enum class Event { kNothing, kStarted, kMoved, kFinished, kClicked };

  /// One frame: is the button down now, did it go down inside the pane in this frame, where is the pointer, and which
  /// kind would a press here be.
  Event update(bool down, bool pressed_inside, Point at, GestureKind kind);
  /// Ends a drag without its effect; the rest of the press is ignored.
  void cancel();

  bool pressed() const { return pressed_; }
  bool dragging() const { return dragging_; }
  GestureKind kind() const { return dragging_ ? kind_ : GestureKind::kNone; }
  Point start() const { return start_; }
  Point now() const { return now_; }
  /// Movement since the last frame.
  Point delta() const { return delta_; }

 private:
  bool pressed_ = false;
  bool dragging_ = false;
  bool ignored_ = false;
  GestureKind kind_ = GestureKind::kNone;
  Point start_;
  Point now_;
  Point delta_;
};

}  // namespace stowage
