#include "ui/free_view.h"

#include <cmath>

#include "ui/gesture.h"

namespace stowage {

double zoom_of_wheel(float notches) {
  constexpr double kNotch = 1.18;
  return std::pow(kNotch, -static_cast<double>(notches));
}

Point FreeView::steer(const Ui& ui, ImVec2 low, bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  const Point mouse{(io.MousePos.x - low.x) / ui.scale, (io.MousePos.y - low.y) / ui.scale};
  if (hovered && io.MouseWheel != 0) {
    const double factor = zoom_of_wheel(io.MouseWheel);
    camera.zoom(mouse, io.KeyShift ? 1 : factor, io.KeyCtrl ? 1 : factor);
    home = false;
  }
  if (active && ImGui::IsMouseDragging(0, Gesture::kThreshold * ui.scale)) {
    camera.pan_pixels(io.MouseDelta.x / ui.scale, io.MouseDelta.y / ui.scale);
    home = false;
    dragged = true;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0)) home = true;
  return mouse;
}

}  // namespace stowage
