#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"

namespace stowage {

/// A tick at its place in the scene.
struct AxisTick {
  float at = 0;       // x or y, in the middle of a device pixel row or column
  std::string label;  // empty where another one is too near
};

struct Axis {
  std::vector<AxisTick> ticks;
  std::string title;
};

inline constexpr float kTickSize = 11;  // of the labels, pixels

/// Rounds to the grid of device pixels, as edges of rectangles and lines of the grid both do, so that they meet.
float snapped(float value, float scale);

/// Ticks of the time axis whose labels do not touch, and its title ("time (step)"). Where numbers are too long, ticks
/// count from a base that the title names.
Axis time_axis(const Viewport& view, const std::string& unit, float scale, const TextMeasure& measure);

/// The same for addresses; labels are at most `room` pixels wide. Where breaks of the view's map leave narrow
/// stretches, the address at which each begins is named before any other.
Axis byte_axis(const Viewport& view, const std::string& title, AddressStyle style, ByteUnit unit, float room,
               float scale, const TextMeasure& measure);

/// Pixels left of the area for the labels of a byte axis, beside its title.
float byte_label_room();

/// Thin lines at the ticks, in the area.
void add_grid(Scene& scene, const Axis& times, const Axis& bytes, const Rect& area, float scale, const Theme& theme);
/// Labels and titles around the area, as far as they fit (see chart_margins).
void add_axes(Scene& scene, const Axis& times, const Axis& bytes, const Rect& area, const Theme& theme,
              const TextMeasure& measure);

}  // namespace stowage
