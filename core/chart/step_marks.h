#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/chart/chart_index.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/problem.h"
#include "core/steps/step_index.h"

namespace stowage {

/// What is drawn over a plan that is as far as some step: whom the run looks at and where, who is in its way, the floor
/// on which the next ones can lie, and the critical points of what is being boxed.
struct StepMarks {
  const Problem* problem = nullptr;
  const ChartIndex* index = nullptr;                   // of the space that is shown
  const std::vector<std::int64_t>* offsets = nullptr;  // placed so far; kNoOffset: not yet
  BufferIndex buffer = kNoBuffer;                      // the one the run is busy with: its lifetime is tinted
  std::optional<std::int64_t> place;                   // it has just been put there
  std::optional<step::Reject> failed;                  // it has just not fitted there
  std::vector<std::int64_t> points;                    // times
  std::vector<BufferIndex> outlined;                   // where they lie
  bool floor = true;
  float scale = 1;  // device pixels per logical pixel
};

/// Takes over what the step that was applied last says.
void mark_step(StepMarks& marks, const Step& step, const Moment& moment);

/// Draws them into viewport.area, over add_plan().
void add_step_marks(Scene& scene, const StepMarks& marks, const Viewport& view, const Theme& theme);

/// The highest end of what is placed in each of `columns` equal parts of the area's width, 0 where nothing is;
/// O(buffers in view + columns log columns).
std::vector<std::int64_t> floor_line(const StepMarks& marks, const Viewport& view, std::size_t columns);

}  // namespace stowage
