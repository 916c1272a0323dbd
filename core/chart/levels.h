#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"

namespace stowage {

/// A height on the address axis that gets a dashed line and a tag.
struct Level {
  std::string name;
  std::int64_t bytes = 0;
  Color color;
};

/// Levels of the same height become one: "load = makespan".
std::vector<Level> joined(std::vector<Level> levels);

/// Draws the lines, and at the right end of each a tag "name value". Tags never overlap each other and stay inside the
/// area; they move away from their line where they must. A level above the view is named at the upper border; below
/// the view nothing is drawn.
void add_levels(Scene& scene, const std::vector<Level>& levels, const Viewport& view, float scale, const Theme& theme,
                const TextMeasure& measure, ByteUnit unit);

}  // namespace stowage
