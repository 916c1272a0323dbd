#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/chart/colouring.h"
#include "core/chart/plan_picture.h"
#include "core/tasks/background.h"
#include "ui/chart/canvas.h"

namespace stowage {

/// What a picture of a crowd is made of. It holds on to all of it, so that another thread may paint.
struct CrowdRequest {
  MapKey key;                // without what changes nothing in the picture
  std::uint64_t opened = 0;  // which document
  std::shared_ptr<const Problem> problem;
  std::shared_ptr<const ChartIndex> index;
  std::vector<std::int64_t> offsets;
  std::optional<std::vector<bool>> matches;
  std::optional<std::vector<std::uint8_t>> classes;  // of a colouring
  std::uint16_t space = 0;
  std::size_t crowd = 0;
  Viewport view;
  Theme theme;
  float scale = 1;
};

/// The picture of one chart, the one that is on its way, and the one that is wanted.
struct CrowdPicture {
  std::shared_ptr<CrowdRequest> made_of;  // null: there is none yet
  PlanPicture picture;
  std::shared_ptr<CrowdRequest> running;
  Background<PlanPicture> work;
  MapKey wanted;
  PlanPicture seen;     // of an earlier moment, as it is shown until then
  bool coarse = false;  // that is what is shown
  bool in_use = false;
};

/// Pictures of crowds that take too long for one frame. While one is painted in the background the last one is shown
/// where it lies in the view of the moment; a hand that goes on gets the next one when the last is finished, one that
/// rests gets the exact one at once. Where only some buffers have moved, only their places are painted again, in the
/// same frame.
struct CrowdPictures {
  /// Up to so many buffers a view is painted in its frame.
  static constexpr std::size_t kAtOnce = 100'000;
  /// Up to so many moved ones are painted into the picture that is there.
  static constexpr std::size_t kMostMoved = 64;

  std::map<std::string, std::map<std::uint16_t, CrowdPicture>, std::less<>> charts;  // by name and space
  std::size_t repainted = 0;  // how often only what had moved was painted; tests count it
};

/// Sees to the picture of a chart's space, which is given in `input`; `view` is that of the space.
void attach_picture(Workbench::State& state, std::string_view chart, MapKey key,
                    const std::shared_ptr<const Problem>& problem, const std::shared_ptr<const ChartIndex>& index,
                    const Viewport& view, const Theme& theme, PlanSceneInput& input);
/// Before the pictures of a chart are attached, and after.
void begin_pictures(Workbench::State& state, std::string_view chart);
void end_pictures(Workbench::State& state, std::string_view chart);
/// Some space of a chart is shown as it was before.
bool shows_coarse_picture(const Workbench::State& state, std::string_view chart);

}  // namespace stowage
