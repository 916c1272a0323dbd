#pragma once

#include <string>
#include <vector>

#include "core/chart/boxes_layout.h"
#include "core/chart/figure_frame.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// The whole picture of nested boxes, with title, legend, load curve and facts.
struct BoxesFigureInput {
  const Problem* problem = nullptr;
  const BoxesLayout* layout = nullptr;
  const BoxingReport* report = nullptr;  // null: the boxes alone
  std::string title;
  std::string subtitle;  // e.g. the allocator, or a step
  float width = 1600;    // logical pixels
  float height = 1000;
  float scale = 1;
  bool labels = true;
  std::uint16_t space = 0;
  std::vector<BufferIndex> selected;
  ByteUnit unit = ByteUnit::kAuto;
};
Scene make_boxes_figure(const BoxesFigureInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
