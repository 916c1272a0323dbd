#pragma once

#include <imgui.h>

#include "core/chart/viewport.h"
#include "ui/widgets.h"

namespace stowage {

/// A camera of a panel's own, which the wheel zooms and dragging moves.
struct FreeView {
  Viewport camera;
  bool home = true;      // shows everything
  bool dragged = false;  // the press has moved

  /// Follows wheel and mouse over a canvas whose low corner is there. Where the mouse is in it, in logical pixels.
  Point steer(const Ui& ui, ImVec2 low, bool hovered, bool active);
};

/// Times the visible range, for so many notches of the wheel.
double zoom_of_wheel(float notches);

}  // namespace stowage
