#pragma once

#include <string>
#include <vector>

#include "core/chart/figure_frame.h"
#include "core/chart/pool_scene.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// A whole picture of pools: of one, its chart and the bytes requested, allocated and reserved below; of several (an
/// offline plan may be among them), a small chart each with the same times and, but for those that reach far higher,
/// the same addresses.
struct PoolFigureInput {
  const Trace* trace = nullptr;
  TraceAxis axis = TraceAxis::kEvent;
  std::vector<const PoolRun*> runs;  // at least one
  std::string title;
  float width = 1600;  // logical pixels
  float height = 1000;
  float scale = 1;
  bool labels = true;
  ByteUnit unit = ByteUnit::kAuto;
};
Scene make_pool_figure(const PoolFigureInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
