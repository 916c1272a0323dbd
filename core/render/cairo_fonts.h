#pragma once

#include <string_view>
#include <vector>

#include <cairo.h>

#include "core/chart/scene.h"

namespace stowage {

/// A glyph of one of the fonts of a CairoFonts, at a pen position relative to the start of the line.
struct PlacedGlyph {
  cairo_font_face_t* font = nullptr;
  unsigned long index = 0;
  double x = 0;
};

/// The embedded fonts as Cairo faces. Lays out one line: each character from the wanted font, else from DejaVu Sans
/// Mono, else as the replacement box; control characters and broken UTF-8 draw nothing or the box. The same widths
/// serve measuring and drawing, and no hinting makes them depend on the size.
class CairoFonts {
 public:
  CairoFonts();
  ~CairoFonts();
  CairoFonts(const CairoFonts&) = delete;
  CairoFonts& operator=(const CairoFonts&) = delete;

  /// The width of the line; appends its glyphs when `glyphs` is given.
  double lay_out(std::string_view text, double size, FontFace face, std::vector<PlacedGlyph>* glyphs) const;
  /// From the top of the line box to the baseline.
  double ascent(double size, FontFace face) const;

 private:
  struct State;
  State* state_;
};

}  // namespace stowage
