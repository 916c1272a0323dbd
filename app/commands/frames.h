#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "core/chart/boxes_layout.h"
#include "core/chart/chart_index.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/render/cairo_painter.h"
#include "core/steps/step_index.h"
#include "core/steps/step_player.h"

namespace stowage {

/// Adds --size, --scale, --theme and --labels for pictures that are no single file.
void add_frame_options(CLI::App& command, PictureFlags& flags);

/// From `first` to `last`, both included; at most `most` of them, as evenly as whole numbers allow.
std::vector<std::size_t> spread_evenly(std::size_t first, std::size_t last, std::size_t most);

struct FrameLook {
  bool boxes = false;  // the nested boxes instead of the plan so far
  std::string title;
  float width = 1280;  // logical pixels
  float height = 800;
  float scale = 1;
  bool labels = true;
};

/// Draws a run after any of its steps, always with the same scale of times and addresses.
class FrameArtist {
 public:
  /// Everything must outlive it.
  FrameArtist(const Problem& problem, const Candidate& run, const StepLog& steps, FrameLook look, const Theme& theme);

  /// Refused when boxes are wanted and the run has made none.
  Result<Scene> frame(std::size_t position);

 private:
  Scene map(std::size_t position);
  Result<Scene> boxes(std::size_t position);
  std::string subtitle(std::size_t position) const;
  std::int64_t highest() const;

  const Problem& problem_;
  const Candidate& run_;
  const std::vector<Step>& steps_;
  FrameLook look_;
  const Theme& theme_;
  CairoTextMeasure measure_;
  std::uint16_t space_ = 0;  // the one that reaches highest
  StepPlayer player_;
  StepIndex index_;
  ChartIndex chart_;
  ProblemMetrics metrics_;
  std::int64_t highest_ = 0;
  const BoxingReport* report_ = nullptr;
  std::optional<BoxesStory> story_;  // where the run has made boxes
};

}  // namespace stowage
