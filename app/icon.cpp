#include "app/icon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace stowage {
namespace {

struct Part {
  Rect rect;  // in a square of kGrid
  float radius = 0;
  Color color;
};

constexpr float kGrid = 128;

constexpr std::array<Part, 7> kParts{{
    {Rect{0, 0, 128, 128}, 28, rgb(0x1B2130)},
    {Rect{20, 84, 76, 108}, 5, rgb(0x5B8FF9)},
    {Rect{80, 60, 108, 108}, 5, rgb(0x4CC9A0)},
    {Rect{20, 38, 48, 80}, 5, rgb(0xF2B84B)},
    {Rect{52, 60, 76, 80}, 5, rgb(0xE8769A)},
    {Rect{52, 38, 108, 56}, 5, rgb(0x8C7BF2)},
    {Rect{20, 22, 108, 28}, 3, rgb(0xE3E7EE)},
}};

bool inside(const Part& part, float x, float y) {
  const Rect& rect = part.rect;
  if (!rect.contains(Point{x, y})) return false;
  const float dx = std::max({rect.left + part.radius - x, x - (rect.right - part.radius), 0.0F});
  const float dy = std::max({rect.top + part.radius - y, y - (rect.bottom - part.radius), 0.0F});
  return dx * dx + dy * dy <= part.radius * part.radius;
}

/// The colour at one point of the grid; transparent outside.
Color color_at(float x, float y) {
  Color color{0, 0, 0, 0};
  for (const Part& part : kParts) {
    if (inside(part, x, y)) color = part.color;
  }
  return color;
}

}  // namespace

Scene icon_scene(float size) {
  Scene scene;
  scene.width = size;
  scene.height = size;
  const float k = size / kGrid;
  for (const Part& part : kParts) {
    const Rect& rect = part.rect;
    scene.add(
        draw::Fill{Rect{rect.left * k, rect.top * k, rect.right * k, rect.bottom * k}, part.color, part.radius * k});
  }
  return scene;
}

std::vector<std::uint32_t> icon_pixels(int size) {
  constexpr int kSamples = 4;  // by 4 for each pixel
  std::vector<std::uint32_t> pixels;
  pixels.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  const float step = kGrid / static_cast<float>(size * kSamples);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      std::uint32_t red = 0, green = 0, blue = 0, hits = 0;
      for (int k = 0; k < kSamples * kSamples; ++k) {
        const Color color = color_at((static_cast<float>(x * kSamples + k % kSamples) + 0.5F) * step,
                                     (static_cast<float>(y * kSamples + k / kSamples) + 0.5F) * step);
        if (color.a == 0) continue;
        red += color.r;
        green += color.g;
        blue += color.b;
        ++hits;
      }
      const std::uint32_t alpha = hits * 255 / (kSamples * kSamples);
      const std::uint32_t count = std::max(hits, 1U);
      pixels.push_back((alpha << 24U) | (blue / count << 16U) | (green / count << 8U) | (red / count));
    }
  }
  return pixels;
}

}  // namespace stowage
