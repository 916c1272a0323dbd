#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/boxes_layout.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/problem.h"

namespace stowage {

struct BoxesSceneInput {
  const Problem* problem = nullptr;
  const BoxesLayout* layout = nullptr;
  BufferIndex hovered = kNoBuffer;    // outlined
  std::vector<BufferIndex> selected;  // outlined, with every box around them
  bool labels = true;
  ByteUnit unit = ByteUnit::kAuto;
  std::size_t most = 20'000;  // shapes drawn; the smallest ones are left out
  float scale = 1;            // device pixels per logical pixel
};

/// The nested boxes in viewport.area, with ticks around it (see chart_margins): outer boxes to scale, each with a title
/// where there is room, below it its contents. The outline of a box tells what it was made of, dashed lines are
/// critical points.
void add_boxes(Scene& scene, const BoxesSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure);

/// The innermost shape there, an index into the layout's shapes.
std::optional<std::size_t> shape_at(const BoxesSceneInput& input, const Viewport& view, Point at);

/// Where a buffer or a box is drawn; nothing when it is not in view or too small to be drawn.
std::optional<Rect> rect_of(const BoxesSceneInput& input, const Viewport& view, const BoxMember& what);

/// Everything of a layout.
Viewport fit_boxes(const BoxesLayout& layout, Rect area);

/// What the outlines mean.
struct BoxesKey {
  std::string name;
  Color color;
  bool dashed = false;
};
/// Of what occurs in the layout.
std::vector<BoxesKey> keys_of(const BoxesLayout& layout, const Theme& theme);

}  // namespace stowage
