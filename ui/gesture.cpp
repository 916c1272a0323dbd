#include "ui/gesture.h"

#include <cmath>

namespace stowage {

Gesture::Event Gesture::update(bool down, bool pressed_inside, Point at, GestureKind kind) {
  delta_ = {};
  if (pressed_inside) {
    pressed_ = true;
    dragging_ = ignored_ = false;
    kind_ = kind;
    start_ = now_ = at;
    return Event::kNothing;
  }
  if (!pressed_) return Event::kNothing;
  if (!down) {
    const bool was_dragging = dragging_;
    const bool was_ignored = ignored_;
    pressed_ = dragging_ = ignored_ = false;
    if (was_ignored) return Event::kNothing;
    return was_dragging ? Event::kFinished : Event::kClicked;
  }
  if (ignored_) return Event::kNothing;
  const Point before = now_;
  now_ = at;
  if (!dragging_) {
    if (std::hypot(at.x - start_.x, at.y - start_.y) < kThreshold) return Event::kNothing;
    dragging_ = true;
    delta_ = {at.x - start_.x, at.y - start_.y};
    return Event::kStarted;
  }
  delta_ = {at.x - before.x, at.y - before.y};
  return delta_ == Point{} ? Event::kNothing : Event::kMoved;
}

void Gesture::cancel() {
  ignored_ = pressed_;
  dragging_ = false;
}

}  // namespace stowage
