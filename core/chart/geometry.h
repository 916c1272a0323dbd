#pragma once

#include <cstdint>

namespace stowage {

/// Logical pixels; y grows downwards, as on every screen.
struct Point {
  float x = 0;
  float y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  float width() const { return right - left; }
  float height() const { return bottom - top; }
  bool contains(Point p) const { return p.x >= left && p.x < right && p.y >= top && p.y < bottom; }
  bool operator==(const Rect&) const = default;
};

/// Straight (not premultiplied) sRGB with alpha.
struct Color {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 255;
  bool operator==(const Color&) const = default;
};

constexpr Color rgb(std::uint32_t hex) {
  return Color{static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
               static_cast<std::uint8_t>(hex), 255};
}
constexpr Color with_alpha(Color color, double alpha) {
  color.a = static_cast<std::uint8_t>(alpha * 255.0 + 0.5);
  return color;
}
Color mix(Color a, Color b, double share_of_b);
/// Contrast of two opaque colours from 1 to 21, by the formula of WCAG 2.1; text needs 4.5.
double contrast(Color a, Color b);

}  // namespace stowage
