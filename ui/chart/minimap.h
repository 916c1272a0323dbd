#pragma once

#include "ui/chart/canvas.h"

namespace stowage {

/// The whole plan small in a corner of the chart, with the visible part as a rectangle.
struct Minimap {
  CachedScene scene;
  Viewport whole;  // what it shows; its area is relative to the canvas
  bool held = false;
  Point grip;  // from the middle of the visible part to the pointer, while it is dragged
};

/// Settings keep it under this name in `layout`: 1 on, 0 off.
inline constexpr const char* kMinimapSetting = "minimap";
/// Small problems do without, until it is asked for.
bool minimap_usual(const Workbench::State& state);

/// Takes presses on it: a click centres the view there, a drag pans. True while the pointer belongs to it; the chart
/// below then leaves it alone.
bool drive_minimap(Workbench::State& state, const Canvas& canvas);
/// Over the chart, after its scene.
void draw_minimap(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
