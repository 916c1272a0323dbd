#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/box.h"
#include "core/model/problem.h"
#include "core/steps/step_player.h"

namespace stowage {

/// A box or a buffer in one, at the address at which it is drawn.
struct BoxShape {
  BoxMember what;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;  // bytes
  std::int64_t high = 0;
  int depth = 0;  // boxes around it
  bool open = false;
};

/// Boxes with their contents, outer ones before inner ones.
struct BoxesLayout {
  std::vector<BoxShape> shapes;
  std::int64_t start = 0;  // hull of all
  std::int64_t end = 0;
  std::int64_t height = 0;  // bytes
};

/// Lays boxes out as unboxing does: equally high ones in rows of an interval colouring, their contents inside, again in
/// rows. Contents that would reach out of their box are drawn lower than they are. `first_box` is the number of the
/// first one; the boxes of one space.
BoxesLayout layout_boxes(const Problem& problem, std::span<const Box> boxes, std::uint32_t first_box);
/// The same for the boxes of a space at some step; an open one is drawn around what is in it.
BoxesLayout layout_boxes(const Problem& problem, std::span<const ReplayBox> boxes, std::uint16_t space);

struct BoxesSceneInput {
  const Problem* problem = nullptr;
  const BoxesLayout* layout = nullptr;
  BufferIndex hovered = kNoBuffer;  // outlined
  bool labels = true;
  ByteUnit unit = ByteUnit::kAuto;
  float scale = 1;  // device pixels per logical pixel
};

/// The nested boxes in viewport.area, with ticks around it (see chart_margins).
void add_boxes(Scene& scene, const BoxesSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure);

/// Everything of a layout.
Viewport fit_boxes(const BoxesLayout& layout, Rect area);

}  // namespace stowage
