#pragma once

#include <imgui.h>

#include "ui/workbench.h"

namespace stowage {

/// A lecture: large text, full screen, and nothing but the chart. Settings stay what they are, so that nothing of it is
/// there at the next start.
struct Presentation {
  static constexpr double kLarger = 1.5;
  bool on = false;
};

/// The user's scale of the interface, larger in a presentation.
double interface_scale(const Workbench::State& state);

/// What the shown step does and where it stands, as a line at the lower edge while steps are shown; its height, 0
/// without any.
float draw_presented_step(Workbench::State& state, ImVec2 display);

/// True when there was one.
bool end_presentation(Workbench::State& state);

}  // namespace stowage
