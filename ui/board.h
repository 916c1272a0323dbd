#pragma once

#include <string>

#include "ui/state.h"

namespace stowage {

/// An empty document without a file, on which buffers are drawn by dragging.
void new_problem(Workbench::State& state);
/// There is nothing yet, and one can draw: the chart shows an empty board.
bool shows_board(const Workbench::State& state);
/// What the empty board shows: 20 steps, 64 KiB.
Viewport board_view(Rect area);
/// "b17" for the seventeenth buffer, or the next number that is free.
std::string new_name(const Problem& problem);

}  // namespace stowage
