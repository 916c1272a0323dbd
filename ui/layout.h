#pragma once

#include <imgui.h>

#include "ui/state.h"

namespace stowage {

/// A pane of the window in device pixels; nothing is drawn when it has no width.
struct Pane {
  ImVec2 at;
  ImVec2 size;
  bool shown() const { return size.x > 0 && size.y > 0; }
};

/// The panes of one frame. Sizes come from Settings::layout and shrink with the window, so that nothing overlaps:
///
///   +--------------------- toolbar ---------------------+
///   | left top    |  centre                   | right   |
///   |-------------|                           |         |
///   | left bottom |---------------------------|         |
///   |             |  bottom                   |         |
///   +---------------------- status ---------------------+
struct Layout {
  Pane toolbar, left_top, left_bottom, centre, bottom, right, status;
};

/// Computes the panes and draws the splitters between them; dragging one changes Settings::layout.
Layout lay_out(Workbench::State& state, ImVec2 display);

}  // namespace stowage
