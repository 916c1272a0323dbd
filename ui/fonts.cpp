#include "ui/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include <imgui_freetype.h>

#include "core/fonts/font_data.h"
#include "ui/icons.h"

namespace stowage {
namespace {

/// The size a font was loaded with, in device pixels.
float pixel_size(const ImFont& font) {
#if IMGUI_VERSION_NUM < 19200
  return font.FontSize;
#else
  return font.LegacySize;
#endif
}

// Latin, Greek, Cyrillic, punctuation, arrows and mathematics; others show as a box, and names stay intact in exports.
constexpr ImWchar kText[] = {0x0020, 0x024F, 0x0370, 0x03FF, 0x0400, 0x045F, 0x2010, 0x203A,
                             0x20AC, 0x20AC, 0x2190, 0x2193, 0x2212, 0x2212, 0x221A, 0x221E,
                             0x2248, 0x2265, 0x25A0, 0x25A1, 0xFFFD, 0xFFFD, 0};
constexpr ImWchar kLatin[] = {0x0020, 0x017F, 0x2010, 0x203A, 0xFFFD, 0xFFFD, 0};

/// Ranges with one entry for each icon; static, because the atlas keeps the pointer until it is built.
const ImWchar* icon_ranges() {
  constexpr std::size_t count = std::size(icon::kCodes);
  static const auto ranges = [] {
    std::array<ImWchar, 2 * count + 1> pairs{};
    for (std::size_t k = 0; k < count; ++k) pairs[2 * k] = pairs[2 * k + 1] = icon::kCodes[k];
    return pairs;
  }();
  return ranges.data();
}

void add_bytes(ImFontAtlas& atlas, std::span<const unsigned char> bytes, float pixels, ImFontConfig config,
               const ImWchar* ranges, ImFont** font) {
  config.FontDataOwnedByAtlas = false;  // the bytes are part of the program
  // The atlas wants a pointer to non-const but does not write to data it does not own.
  ImFont* added = atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()),
                                             pixels, &config, ranges);
  if (font != nullptr) *font = added;
}

ImFont* add_font(ImFontAtlas& atlas, EmbeddedFont face, float pixels, const ImWchar* ranges, bool icons) {
  ImFontConfig config;
  config.PixelSnapH = true;
  config.OversampleH = 1;
  const auto bytes = font_bytes(face);
  ImFont* font = nullptr;
  if (bytes.empty()) {
    config.SizePixels = std::round(pixels);
    font = atlas.AddFontDefault(&config);
  } else {
    add_bytes(atlas, bytes, pixels, config, ranges, &font);
  }
  const auto icon_bytes = font_bytes(EmbeddedFont::kIcons);
  if (icons && !icon_bytes.empty()) {
    ImFontConfig merge;
    merge.MergeMode = true;
    merge.PixelSnapH = true;
    merge.OversampleH = 1;
    merge.GlyphOffset = ImVec2(0, std::round(pixels * 0.02F));
    add_bytes(atlas, icon_bytes, pixels * 0.93F, merge, icon_ranges(), nullptr);
  }
  return font;
}

}  // namespace

Fonts load_fonts(ImFontAtlas& atlas, float scale) {
  atlas.Clear();
#if IMGUI_VERSION_NUM < 19200
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
  // The smallest scales of a tiny screen still need legible glyphs; the largest must fit into a texture.
  const float s = std::clamp(scale, 0.5F, 6.0F);
  Fonts fonts;
  fonts.text = add_font(atlas, EmbeddedFont::kText, 15.0F * s, kText, true);
  fonts.semibold = add_font(atlas, EmbeddedFont::kSemibold, 15.0F * s, kText, true);
  fonts.small = add_font(atlas, EmbeddedFont::kText, 12.5F * s, kText, true);
  fonts.label = add_font(atlas, EmbeddedFont::kSemibold, 12.5F * s, kText, false);
  fonts.title = add_font(atlas, EmbeddedFont::kSemibold, 21.0F * s, kLatin, true);
  fonts.mono = add_font(atlas, EmbeddedFont::kMono, 13.0F * s, kText, false);
#if IMGUI_VERSION_NUM < 19200
  atlas.Build();
#endif
  return fonts;
}

SizedFont font_for(const Fonts& fonts, FontFace face, float size, float scale) {
  const float wish = size * scale;
  ImFont* best = face == FontFace::kMono ? fonts.mono : face == FontFace::kSemibold ? fonts.semibold : fonts.text;
  const auto consider = [&](ImFont* other) {
    if (std::abs(pixel_size(*other) - wish) < std::abs(pixel_size(*best) - wish)) best = other;
  };
  if (face == FontFace::kText) consider(fonts.small);
  if (face == FontFace::kSemibold) {
    consider(fonts.label);
    consider(fonts.title);
  }
  constexpr float kNear = 1.6F;  // logical pixels
  if (std::abs(pixel_size(*best) - wish) <= kNear * scale) return SizedFont{best, pixel_size(*best)};
  return SizedFont{best, wish};
}

}  // namespace stowage
