#pragma once

#include <cstdint>

#include "ui/chart/canvas.h"

namespace stowage {

/// An outline that pulses for a second around a part of the plane, so that one sees where a click has led. While
/// nothing should move by itself it stands still.
struct Flash {
  static constexpr double kSeconds = 1.2;
  double since = -1e9;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

void start_flash(Workbench::State& state, std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high);
void draw_flash(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
