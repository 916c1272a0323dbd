#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/state.h"

namespace stowage {

/// Measuring without a mouse: the part of the memory map that is measured until the selection changes or it is asked
/// for once more.
struct Measuring {
  struct Range {
    double time_low = 0;
    double time_high = 0;
    double byte_low = 0;
    double byte_high = 0;
  };
  std::optional<Range> range;
  std::uint64_t selection_revision = 0;
  std::string words;  // that stand beside the last measurement, by mouse or by key
};

struct Canvas;

/// "4.0 steps, 12 KiB, load up to 16 KiB", a line each: what a part of the plane holds.
std::string measured(const Workbench::State& state, const Measuring::Range& range);
/// The hull of the selected buffers, without a selection what the view shows; off when it is on.
void toggle_measuring(Workbench::State& state);
/// Its rectangle and its words over the scene.
void draw_measuring(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
