#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "ui/widgets.h"

namespace stowage {

/// A line of a list: an invisible button as wide as the room, lit under the pointer.
struct ListRow {
  ImVec2 at;  // device pixels
  ImVec2 size;
  bool hovered = false;
  bool clicked = false;

  float right() const { return at.x + size.x; }
  /// The top of a line of text in the middle of the row.
  float text_y(ImFont* font) const;
};

/// Draws the row and moves on below it; `height` in logical pixels. Marked ones have an accent bar. `id` tells rows
/// with the same name apart. `beside`: device pixels at its right end that are left to something else.
ListRow list_row(Ui& ui, std::string_view name, int id, float height, bool marked = false, float beside = 0);

/// "+4 KiB", "−12 B", "±0".
std::string signed_bytes(std::int64_t delta, ByteUnit unit);
/// More is bad, less is good.
Color delta_color(const Theme& theme, std::int64_t delta);

/// A wrapped paragraph of small text.
void paragraph(Ui& ui, Color color, std::string_view words);
/// A thin bar of progress, as wide as the room.
void progress_bar(Ui& ui, std::string_view name, double share);

}  // namespace stowage
