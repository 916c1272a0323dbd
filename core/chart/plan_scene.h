#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/chart_index.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/model/plan.h"

namespace stowage {

struct Colouring;
struct PlanPicture;

/// What the chart of a plan shows besides the rectangles. One struct for the window and for the exports.
struct PlanSceneInput {
  const Problem* problem = nullptr;
  const ChartIndex* index = nullptr;
  const ProblemMetrics* facts = nullptr;
  const std::vector<std::int64_t>* offsets = nullptr;  // kNoOffset: not drawn
  std::int64_t makespan = 0;
  std::uint16_t space = 0;
  const Objects* objects = nullptr;     // of a shared-object plan: drawn as lanes; may be null
  const CheckReport* report = nullptr;  // collisions are outlined in red; may be null
  std::vector<BufferIndex> selected;
  BufferIndex hovered = kNoBuffer;
  const std::vector<bool>* matches = nullptr;  // when given, buffers that do not match are dimmed to 30 %
  std::optional<double> cursor_time;           // a vertical line
  const Colouring* colouring = nullptr;        // of every buffer; null: by kind
  std::optional<std::int64_t> asked_capacity;  // one that is only asked about: a line, and what ends above it marked
  bool hatched = false;                        // each class has a pattern as well, see class_hatch.h
  bool labels = true;
  ByteUnit unit = ByteUnit::kAuto;
  AddressStyle address_style = AddressStyle::kUnits;
  bool time_labels = true;               // below the area; false where several charts share them
  bool bare = false;                     // nothing but rectangles: no axes, grid or levels
  std::size_t crowd = 400;               // above so many visible rectangles, small ones are painted into one image
  float scale = 1;                       // device pixels per logical pixel, for the resolution of that image
  const PlanPicture* picture = nullptr;  // of this view, when it has been made already
};

struct SceneStats {
  std::size_t visited = 0;  // buffers looked at
  std::size_t vectors = 0;  // drawn as rectangles
  std::size_t raster = 0;   // painted into the image
};

/// The colour of a buffer, for Theme::fill and friends, the same in the chart and in every table: by kind; in a problem
/// without kinds neighbouring rows get different ones, so that rectangles can be told apart.
std::size_t category_of(const Problem& problem, BufferIndex buffer);
std::size_t category_of(const Problem& problem, BufferIndex buffer, std::uint16_t kind);
std::size_t category_of_kind(const Problem& problem, std::uint16_t kind);

/// The chart in viewport.area with ticks and axis titles around it (see chart_margins), everything clipped to the area:
/// grid, peak section shaded, rectangles with labels where they fit (46 x 15 px; a second line from 70 x 34), padding
/// hatched, gaps cut out, dashed lines for load, makespan and capacity with tags on the address axis. Breaks of the
/// view's map are zigzags that name what they skip.
void add_plan(Scene& scene, const PlanSceneInput& input, const Viewport& view, const Theme& theme,
              const TextMeasure& measure, SceneStats* stats = nullptr);

/// The view as add_plan() draws it: its area begins and ends on whole device pixels.
Viewport on_device_pixels(Viewport view, float scale);

/// Space that ticks and titles need around Viewport::area.
struct Margins {
  float left = 92;
  float top = 14;
  float right = 18;
  float bottom = 42;
};
Margins chart_margins();

}  // namespace stowage
