#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/load_curve.h"
#include "core/model/metrics.h"

namespace stowage {

/// A curve of steps as a line in view.area: at most two points for each pixel column, and of the steps that share one
/// the highest and the last, for a peak must not vanish.
std::vector<Point> step_line(std::span<const LoadPoint> curve, const Viewport& view);

struct LoadSceneInput {
  std::span<const LoadPoint> curve;
  const ProblemMetrics* facts = nullptr;
  std::optional<std::int64_t> capacity;
  std::optional<double> cursor_time;
  std::optional<double> brush_low;  // the visible range of the chart above, drawn as a brush; both or none
  std::optional<double> brush_high;
  ByteUnit unit = ByteUnit::kAuto;
  std::string time_unit = "step";
  float scale = 1;  // device pixels per logical pixel: lines are put on whole ones
};

/// load(t) over view.area (times as given, bytes from 0 to a little above the load), decimated to two points a pixel
/// column, with ticks, the load as a dashed line, the peak marked, and the brush with its handles.
void add_load(Scene& scene, const LoadSceneInput& input, const Viewport& view, const Theme& theme,
              const TextMeasure& measure);

}  // namespace stowage
