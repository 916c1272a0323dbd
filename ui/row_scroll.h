#pragma once

#include <cstddef>
#include <string_view>

#include "ui/widgets.h"

namespace stowage {

/// A list that scrolls by whole rows: with a million of them, float pixels would jitter.
struct RowScroll {
  std::size_t first = 0;

  /// The row comes into view, in the middle when it was outside.
  void reveal(std::size_t row, std::size_t visible);
  /// Takes the wheel when the pointer is over the list, and keeps within `count` rows.
  void update(std::size_t count, std::size_t visible, bool hovered);
  /// The bar beside the list; nothing when all rows are visible.
  void draw_bar(Ui& ui, std::string_view name, ImVec2 at, ImVec2 size, std::size_t count, std::size_t visible);
};

}  // namespace stowage
