#include "core/chart/breaks.h"

#include <algorithm>
#include <string>

#include "core/chart/address_map.h"
#include "core/chart/axis.h"

namespace stowage {

namespace {

constexpr float kTooth = 7;   // half the length of a zigzag's period
constexpr float kHeight = 4;  // of a tooth
constexpr float kWords = 11;
constexpr float kBesideWords = 8;
constexpr float kLeastRoom =
    16;  // where so much of a break is seen there is room for words, also beside those of another

Color ground(const Theme& theme) {
  return mix(theme.card, theme.background, 0.6);
}

void zigzag(Scene& scene, float left, float right, float y, float height, Color color) {
  draw::Polyline line;
  line.color = color;
  line.width = 1.5F;
  bool up = false;
  for (float x = left; x < right + kTooth; x += kTooth) {
    line.points.push_back(Point{x, up ? y - height / 2 : y + height / 2});
    up = !up;
  }
  scene.add(std::move(line));
}

/// Calls visit(Break, band) for each break in sight; the band lies on device pixels.
template <typename Visit>
void for_each_break(const Viewport& view, float scale, Visit&& visit) {
  if (view.map == nullptr) return;
  const Rect area = view.area;
  for (const AddressMap::Break& one : view.map->breaks()) {
    const float bottom = snapped(view.y_of_address(one.skipped.low), scale);
    const float top = snapped(view.y_of_address(one.skipped.high), scale);
    if (bottom >= area.top && top <= area.bottom) visit(one, Rect{area.left, top, area.right, bottom});
  }
}

/// A line in the middle of a low break, one at each end of a higher one.
void edges(Scene& scene, const Rect& band, float left, float right, const Theme& theme) {
  const float tooth = std::clamp(band.height() / 3, 1.0F, kHeight);
  const Color line = mix(theme.card, theme.text, 0.5);
  zigzag(scene, left, right, band.bottom - tooth / 2, tooth, line);
  if (band.height() > 3 * kHeight) zigzag(scene, left, right, band.top + tooth / 2, tooth, line);
}

/// "8 TiB skipped, on at 0x7F0000000000"; the first part alone where both do not fit.
std::string words_of(const AddressRange& skipped, float room, AddressStyle style, ByteUnit unit,
                     const TextMeasure& measure) {
  const std::string length = format_bytes(skipped.high - skipped.low, unit) + " skipped";
  const std::string next =
      style == AddressStyle::kHex ? format_address(skipped.high, style) : format_exact_bytes(skipped.high);
  for (const std::string& words : {length + ", on at " + next, length}) {
    if (measure.width(words, kWords, FontFace::kText) + 16 <= room) return words;
  }
  return {};
}

/// The words in the middle of what is seen of a band, on a ground of their own, so that no tooth runs through them.
void label(Scene& scene, const AddressMap::Break& one, const Rect& band, const Viewport& view, AddressStyle style,
           ByteUnit unit, const Theme& theme, const TextMeasure& measure) {
  const Rect area = view.area;
  const std::string words = words_of(one.skipped, area.width(), style, unit, measure);
  if (words.empty()) return;
  const float x = (area.left + area.right) / 2;
  const float y = (std::max(band.top, area.top) + std::min(band.bottom, area.bottom)) / 2;
  const float half = measure.width(words, kWords, FontFace::kText) / 2 + kBesideWords;
  scene.add(draw::Fill{{x - half, y - kWords * 0.7F, x + half, y + kWords * 0.7F}, ground(theme), 3});
  scene.add(
      draw::Text{{x, y - kWords * 0.65F}, words, theme.dim, kWords, FontFace::kText, TextAlign::kCenter, {}, false});
}

}  // namespace

void add_breaks(Scene& scene, const Viewport& view, float scale, AddressStyle style, ByteUnit unit, const Theme& theme,
                const TextMeasure& measure) {
  const Rect area = view.area;
  for_each_break(view, scale, [&](const AddressMap::Break& one, const Rect& band) {
    scene.add(draw::Fill{band, ground(theme), 0});
    edges(scene, band, area.left, area.right, theme);
    const float seen = std::min(band.bottom, area.bottom) - std::max(band.top, area.top);
    if (seen >= kLeastRoom) label(scene, one, band, view, style, unit, theme, measure);
  });
}

void add_axis_breaks(Scene& scene, const Viewport& view, float scale, const Theme& theme) {
  for_each_break(view, scale, [&](const AddressMap::Break&, const Rect& band) {
    const Rect seen{band.left, std::max(band.top, view.area.top), band.right, std::min(band.bottom, view.area.bottom)};
    edges(scene, seen, view.area.left - kTooth, view.area.left - kTooth / 2, theme);
  });
}

}  // namespace stowage
