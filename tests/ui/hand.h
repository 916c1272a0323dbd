#pragma once

#include <string_view>

#include "tests/support/ui_driver.h"

namespace stowage::testing {

/// A hand on the memory map that knows times and addresses.
struct Hand {
  UiDriver& ui;

  ImVec2 at(double time, double byte) const {
    const Viewport& view = ui.state().camera;
    const ImVec2 low = ui.point("chart.canvas", 0, 0);
    return ImVec2(low.x + view.x_of(time) * ui.host.scale, low.y + view.y_of(byte) * ui.host.scale);
  }
  /// The middle of a buffer as it is drawn.
  ImVec2 middle(BufferIndex i) const { return inside(i, 0.5, 0.5); }
  /// A point of its rectangle by shares from its start and from its lower end.
  ImVec2 inside(BufferIndex i, double across, double up) const {
    const Buffer& b = ui.state().problem()[i];
    const auto offset = static_cast<double>(ui.state().drawn_offsets()[i]);
    return at(static_cast<double>(b.start) + across * static_cast<double>(b.lifetime()),
              offset + up * static_cast<double>(b.size));
  }
  void press(ImVec2 point) const {
    ui.host.time += 1;
    ui.frames(20);
    ui.move(point);
    ImGui::GetIO().MouseDown[0] = true;
    ui.frame();
  }
  void move(ImVec2 point) const {
    ui.move(point);
    ui.frame();
  }
  void release() const {
    ImGui::GetIO().MouseDown[0] = false;
    ui.frames(3);
  }
  void drag(ImVec2 from, ImVec2 to) const {
    press(from);
    move(ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2));
    move(to);
    release();
  }
};

}  // namespace stowage::testing
