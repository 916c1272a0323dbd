#pragma once

#include <vector>

#include <imgui.h>

#include "ui/panels.h"
#include "ui/state.h"

namespace stowage {

/// A pane of the window in device pixels; nothing is drawn when it has no width.
struct Pane {
  ImVec2 at;
  ImVec2 size;
  bool shown() const { return size.x > 0 && size.y > 0; }
};

/// A row of a slot with the pane for its panels; above it lies a strip of tabs when there are several.
struct LaidRow {
  PanelPlace place;
  Pane pane;
};

/// The panes of one frame. Sizes come from Settings::layout and shrink with the window, so that nothing overlaps; rows
/// and slots without panels take no room:
///
///   +-------------------- toolbar --------------------+
///   | left 1  |  centre 1                   | right 1 |
///   |         |-----------------------------|         |
///   |---------|  centre 2                   |---------|
///   | left 2  |-----------------------------| right 2 |
///   |         |  bottom 1                   |         |
///   |         |-----------------------------|         |
///   |         |  bottom 2                   |         |
///   +--------------------- status --------------------+
struct Layout {
  Pane toolbar, status;
  std::vector<LaidRow> rows;
};

/// Computes the panes and draws the splitters between them; dragging one changes Settings::layout.
Layout lay_out(Workbench::State& state, ImVec2 display);

}  // namespace stowage
