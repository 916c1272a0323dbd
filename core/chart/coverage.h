#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/chart/geometry.h"

namespace stowage {

/// A rectangle in pixels of the image, y downwards; it may reach beyond it.
struct CoverageRect {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  Color fill;
  Color edge;
  bool mark = false;  // never vanishes: at least one whole pixel in both directions, drawn over everything
};

/// Paints a crowd of rectangles into an image, straight RGBA, rows from the top.
///
/// Rectangles of at least kSharp pixels both ways are snapped to pixels and get a border inside and, when they are
/// large enough, one free pixel to the right and above, like the ones that are drawn as vectors. Of smaller ones each
/// pixel gets exactly the share of it that they cover (a box filter), so a full memory looks full however many they
/// are; sampling at points would show stripes of free memory that does not exist. The work is done in bands of rows, so
/// large images need little memory. When `stop` is set it ends early, and the
/// picture is not finished.
std::vector<std::uint32_t> paint_coverage(std::span<const CoverageRect> rects, int width, int height,
                                          const std::stop_token& stop = {});

/// Pixels [left, right) x [top, bottom).
struct PixelRect {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

/// Paints one part of such an image anew, to the same bits. `rects`: at least all that reach into it, in the same
/// order.
void repaint_coverage(std::vector<std::uint32_t>& pixels, int width, int height, const PixelRect& part,
                      std::span<const CoverageRect> rects);

inline constexpr float kSharp = 4;

}  // namespace stowage
