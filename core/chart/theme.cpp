#include "core/chart/theme.h"

#include <algorithm>

namespace stowage {

namespace {

// Blue, green, amber, pink, violet, cyan, orange, grey. Chosen so that any two differ by at least 10 (CIE 1976) also in
// the eyes of people without red or without green cones; the test of the theme says so.
constexpr std::array<Color, 8> kCategories = {rgb(0x6A9BFB), rgb(0x5DD3A6), rgb(0xF2B84B), rgb(0xD6698E),
                                              rgb(0x7A63EA), rgb(0x4EBDE3), rgb(0xF18A5D), rgb(0x93A4B9)};
constexpr double kDarkFill = 0.80;
constexpr double kDarkBorder = 1.12;
constexpr double kLightBorder = 0.72;

std::uint8_t scaled(std::uint8_t channel, double factor) {
  return static_cast<std::uint8_t>(std::min(255.0, channel * factor + 0.5));
}

Color scaled(Color color, double factor) {
  return Color{scaled(color.r, factor), scaled(color.g, factor), scaled(color.b, factor), color.a};
}

Theme make_dark() {
  Theme theme;
  theme.dark = true;
  theme.background = rgb(0x111318);
  theme.card = rgb(0x181B21);
  theme.raised = rgb(0x21252D);
  theme.line = rgb(0x2A2F39);
  theme.text = rgb(0xE3E7EE);
  theme.dim = rgb(0x99A2B3);
  theme.accent = rgb(0x5B9DFF);
  theme.good = rgb(0x4CC9A0);
  theme.warn = rgb(0xF2B84B);
  theme.bad = rgb(0xF0716F);
  theme.grid = rgb(0x23272F);
  theme.on_accent = rgb(0x0B1220);
  theme.categories = kCategories;
  return theme;
}

Theme make_light() {
  Theme theme;
  theme.dark = false;
  theme.background = rgb(0xECEEF2);
  theme.card = rgb(0xFFFFFF);
  theme.raised = rgb(0xF1F3F7);
  theme.line = rgb(0xD9DEE7);
  theme.text = rgb(0x1C2230);
  theme.dim = rgb(0x5E6879);
  theme.accent = rgb(0x2F6FEB);
  theme.good = rgb(0x1A9E74);
  theme.warn = rgb(0xB97A0B);
  theme.bad = rgb(0xCF3F3D);
  theme.grid = rgb(0xE9ECF1);
  theme.on_accent = rgb(0xFFFFFF);
  theme.categories = kCategories;
  return theme;
}

}  // namespace

Color Theme::fill(std::size_t category) const {
  const Color color = categories[category % categories.size()];
  return dark ? scaled(color, kDarkFill) : color;
}

Color Theme::border(std::size_t category) const {
  return scaled(categories[category % categories.size()], dark ? kDarkBorder : kLightBorder);
}

Color Theme::label(std::size_t category) const {
  const Color ink = rgb(0x06080C);
  const Color paper = rgb(0xFFFFFF);
  const Color under = fill(category);
  return contrast(ink, under) >= contrast(paper, under) ? ink : paper;
}

const Theme& dark_theme() {
  static const Theme theme = make_dark();
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = make_light();
  return theme;
}

const Theme* find_theme(std::string_view name) {
  if (name == "dark") return &dark_theme();
  if (name == "light") return &light_theme();
  return nullptr;
}

}  // namespace stowage
