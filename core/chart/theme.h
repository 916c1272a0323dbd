#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/chart/geometry.h"

namespace stowage {

/// All colours of the window and of the exports, one place. Values: design notes of the project (dark and light).
struct Theme {
  bool dark = true;
  Color background, card, raised, line, text, dim, accent, good, warn, bad;
  Color grid;                       // lines behind the rectangles
  Color on_accent;                  // text on an accent-coloured surface
  std::array<Color, 8> categories;  // distinguishable with common colour blindness in fill lightness; by kind index

  /// Fill and border of a rectangle of category k (cycled), and a text colour that reads on that fill.
  Color fill(std::size_t category) const;
  Color border(std::size_t category) const;
  Color label(std::size_t category) const;
};

const Theme& dark_theme();
const Theme& light_theme();
/// "dark" or "light"; null for any other name.
const Theme* find_theme(std::string_view name);

}  // namespace stowage
