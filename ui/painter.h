#pragma once

#include <string_view>

#include <imgui.h>

#include "core/chart/scene.h"
#include "ui/fonts.h"
#include "ui/host.h"

namespace stowage {

/// Widths in logical pixels as paint_scene draws them.
class UiTextMeasure : public TextMeasure {
 public:
  UiTextMeasure(const Fonts& fonts, float scale) : fonts_(fonts), scale_(scale) {}
  float width(std::string_view text, float size, FontFace face) const override;

 private:
  const Fonts& fonts_;
  float scale_;
};

/// Where a scene is painted: device pixel = origin + scale x logical.
struct PaintTarget {
  ImVec2 origin;
  float scale = 1;
  std::string_view slot;  // name of the texture that holds the scene's image
};

/// Stripes over a rectangle, `spacing` device pixels apart.
void draw_hatch(ImDrawList& list, ImVec2 from, ImVec2 to, Color color, float spacing, HatchLines lines);

/// Paints a scene into a draw list; rectangles on whole device pixels. Dear ImGui has no dashes, stripes, turned text
/// and no polylines above 64k vertices: they are made of what it has.
void paint_scene(ImDrawList& list, const Scene& scene, const PaintTarget& target, const Fonts& fonts, Host& host);

}  // namespace stowage
