#pragma once

#include "ui/chart/canvas.h"

namespace stowage {

/// Draws why the selected buffer lies where it lies, while the panel that says it is shown: what holds it up, what
/// blocks it above, and the holes it could move to.
void draw_why_overlay(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
