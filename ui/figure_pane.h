#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <imgui.h>

#include "core/chart/scene.h"
#include "ui/workbench.h"

namespace stowage {

/// A whole picture inside a panel, made anew only when its room, the look or what it shows has changed.
struct FigurePane {
  Scene scene;
  std::string key;
  std::uint64_t built = 0;  // how often; tests count it
};

/// Draws the picture into the room (device pixels). `make` is given the room in logical pixels; `revision` grows with
/// what it shows. `name` is the widget's.
void draw_figure(Workbench::State& state, FigurePane& pane, const char* name, std::uint64_t revision, ImVec2 low,
                 ImVec2 room, const std::function<Scene(float width, float height)>& make);

}  // namespace stowage
