#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/plan_scene.h"
#include "core/chart/scene.h"
#include "core/chart/step_marks.h"
#include "core/chart/theme.h"

namespace stowage {

/// A whole picture as `stowage export` and the export dialog write it: title, legend, chart, load curve, and a
/// line with load, makespan and overhead.
struct FigureInput {
  const Problem* problem = nullptr;
  const Plan* plan = nullptr;  // null: the load curve alone, and a line that says that there is no plan
  std::string title;
  std::string subtitle;  // e.g. the allocator
  float width = 1600;    // logical pixels
  float height = 1000;
  float scale = 1;
  bool labels = true;
  std::uint16_t space = 0;
  bool stacked = false;  // all spaces, one above the other; the load curve is that of `space`
  bool shorten = true;   // far-apart address ranges come together, see AddressMap
  bool partial = false;  // the plan is as far as some step: what is missing in it is no fault
  std::vector<BufferIndex> selected;
  const std::vector<bool>* matches = nullptr;  // as in PlanSceneInput, as are the next two
  const Colouring* colouring = nullptr;        // the legend then lists its classes instead of kinds
  bool hatched = false;
  const StepMarks* marks = nullptr;  // of a partial plan: what its step is about; may be null
  // Of the problem in that space, where they are known already: an animation draws many pictures of one problem.
  const ChartIndex* index = nullptr;
  const ProblemMetrics* metrics = nullptr;
  std::optional<Viewport> view;  // the visible part; everything when absent (its area is ignored)
  ByteUnit unit = ByteUnit::kAuto;
  AddressStyle address_style = AddressStyle::kUnits;
};
Scene make_figure(const FigureInput& input, const Theme& theme, const TextMeasure& measure);

/// Bars of makespan / load: one group for each row (a file), one bar for each column (an allocator).
struct BarsInput {
  std::string title;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> ratios;  // [row][column]; NaN: no result
  float width = 1600;
  float height = 1000;
};
Scene make_bars(const BarsInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
