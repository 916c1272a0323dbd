#include "core/chart/geometry.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

std::uint8_t blend(std::uint8_t a, std::uint8_t b, double share_of_b) {
  return static_cast<std::uint8_t>(static_cast<double>(a) + (static_cast<double>(b) - a) * share_of_b + 0.5);
}

/// sRGB to linear light, IEC 61966-2-1.
double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

double contrast(Color a, Color b) {
  const double first = luminance(a) + 0.05;
  const double second = luminance(b) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

Color mix(Color a, Color b, double share_of_b) {
  return Color{blend(a.r, b.r, share_of_b), blend(a.g, b.g, share_of_b), blend(a.b, b.b, share_of_b),
               blend(a.a, b.a, share_of_b)};
}

}  // namespace stowage
