#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/commands/frames.h"
#include "core/base/result.h"
#include "core/chart/graph_layout.h"
#include "core/chart/graph_scene.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/document/document.h"
#include "core/render/cairo_painter.h"
#include "core/run/run.h"
#include "core/transforms/step_subjects.h"

namespace stowage {

/// A transform at work: what it said on its way from one graph to the next.
struct PlayedStage {
  std::string transform;
  Staged before;  // the steps speak of its tensors
  Staged after;
  StepLog steps;
  std::vector<StepSubject> subjects;  // by step
  std::vector<Event> implied;
};

/// Runs a document's pipeline and keeps the steps of its last stage that is on. Errors: usage, when there is none; else
/// as those of the pipeline.
Result<PlayedStage> play_last_stage(const Document& document, RunContext context);

/// Draws the graph before a transform after any of its steps, always at the same place.
class GraphFrameArtist {
 public:
  /// Both must outlive it.
  GraphFrameArtist(const PlayedStage& stage, FrameLook look, const Theme& theme);

  Scene frame(std::size_t position) const;

 private:
  const PlayedStage& stage_;
  FrameLook look_;
  const Theme& theme_;
  CairoTextMeasure measure_;
  GraphLayout layout_;
  GraphColour colour_;
  std::vector<std::uint32_t> colours_;
  bool gives_tags_;
};

}  // namespace stowage
