#pragma once

#include "ui/state.h"

namespace stowage {

/// Makespan and load after each change, the present marked: a click goes to that entry of the history. Drawn in a
/// rectangle of device pixels.
void draw_history_curve_in(Workbench::State& state, ImVec2 low, ImVec2 size);

}  // namespace stowage
