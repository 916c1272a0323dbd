#pragma once

#include <imgui.h>

namespace stowage {

/// The fonts of the interface, in one atlas. Icons (Font Awesome 4.7, U+F000..U+F2E0) are merged into all but mono.
struct Fonts {
  ImFont* text = nullptr;      // 15 px
  ImFont* semibold = nullptr;  // 15 px
  ImFont* small = nullptr;     // 12.5 px
  ImFont* title = nullptr;     // 21 px semibold
  ImFont* mono = nullptr;      // 13 px, digits of equal width
};

/// Clears the atlas and loads all fonts at `scale` device pixels per logical pixel, with FreeType. Falls back to Dear
/// ImGui's built-in font where the build had none. The caller uploads the texture again.
Fonts load_fonts(ImFontAtlas& atlas, float scale);

}  // namespace stowage
