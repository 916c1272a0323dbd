#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "core/chart/scene.h"

namespace stowage::testing {

/// Every byte 0.6 of the size wide: scenes can be tested without fonts.
class FixedMeasure : public TextMeasure {
 public:
  float width(std::string_view text, float size, FontFace) const override {
    return static_cast<float>(text.size()) * size * 0.6F;
  }
};

template <typename Item>
std::vector<Item> items_of(const Scene& scene) {
  std::vector<Item> found;
  for (const DrawItem& item : scene.items) {
    if (const Item* wanted = std::get_if<Item>(&item)) found.push_back(*wanted);
  }
  return found;
}

/// The box that a line of text covers.
inline Rect box_of(const draw::Text& text, const TextMeasure& measure) {
  const float width = measure.width(text.text, text.size, text.face);
  const float height = text.size * 1.21F;
  if (text.vertical) return Rect{text.at.x, text.at.y - width, text.at.x + height, text.at.y};
  const float shift = text.align == TextAlign::kLeft ? 0 : text.align == TextAlign::kCenter ? width / 2 : width;
  return Rect{text.at.x - shift, text.at.y, text.at.x - shift + width, text.at.y + height};
}

inline bool overlap(const Rect& a, const Rect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace stowage::testing
