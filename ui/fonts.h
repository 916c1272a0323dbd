#pragma once

#include <imgui.h>

#include "core/chart/scene.h"

namespace stowage {

/// The fonts of the interface, in one atlas. The icons of ui/icons.h (Font Awesome 4.7) are merged into all but mono.
struct Fonts {
  ImFont* text = nullptr;      // 15 px
  ImFont* semibold = nullptr;  // 15 px
  ImFont* small = nullptr;     // 12.5 px
  ImFont* label = nullptr;     // 12.5 px semibold: names on rectangles
  ImFont* title = nullptr;     // 21 px semibold
  ImFont* mono = nullptr;      // 13 px, digits of equal width
};

/// Clears the atlas and loads all fonts at `scale` device pixels per logical pixel, with FreeType. Falls back to Dear
/// ImGui's built-in font where the build had none. The caller uploads the texture again.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

/// A font of the atlas for a text of a scene, and the size in device pixels to draw it with: the font's own size when
/// that is near the wish, because glyphs are sharp only there.
struct SizedFont {
  ImFont* font = nullptr;
  float size = 0;
};
SizedFont font_for(const Fonts& fonts, FontFace face, float size, float scale);

}  // namespace stowage
