#pragma once

#include <cstdint>
#include <vector>

#include "ui/state.h"

namespace stowage {

/// Whom a hand takes along that moves the offset of one buffer: itself first, then the selected ones that are as free
/// or as fixed as it is, and whoever is tied to them.
std::vector<BufferIndex> moved_along(const Workbench::State& state, BufferIndex grabbed);

/// Hand placement by keys: the chosen buffer goes to the next offset that its alignment allows, the others along by the
/// same difference. Presses that follow each other are one entry of the history.
void place_one_step(Workbench::State& state, bool up);
/// The same to the next place that is free: onto whatever lies below it there.
void place_in_next_gap(Workbench::State& state, bool up);
/// Why there is nothing to place by keys; "" when there is.
const char* why_not_placed(const Workbench::State& state);

}  // namespace stowage
