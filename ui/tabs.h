#pragma once

#include "ui/layout.h"

namespace stowage {

/// Draws the panels of one row: the front one, and above it a strip of tabs when there are several. A right click on a
/// tab offers the other places.
void draw_row(Workbench::State& state, const LaidRow& row);

/// The menu of layouts and panels, inside a Dear ImGui popup that is open.
void panel_menu(Workbench::State& state);

}  // namespace stowage
