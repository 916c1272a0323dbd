#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/chart/plan_scene.h"
#include "core/chart/plan_shapes.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// The rectangles of a plan in one view: a few large ones, and the crowd as an image. Of a million buffers this is
/// nearly all the work of a scene, so it can be made apart from it: by another thread, and of an edit only what has
/// changed. It refers to nothing that it was made of.
struct PlanPicture {
  Viewport view;               // that it was made for, its area on device pixels
  std::vector<Shape> vectors;  // as in PlanShapes
  draw::Image image;           // no pixels where there is no crowd
  SceneStats stats;
  std::size_t faint = 0;     // of the crowd
  bool large_crowd = false;  // as in PlanShapes
};

/// `view` lies on device pixels. When `stop` is set it ends early, with a picture that is not finished.
PlanPicture paint_plan(const PlanSceneInput& input, const Viewport& view, const Theme& theme,
                       const std::stop_token& stop = {});

/// A picture of an earlier moment as it is shown until the next one is there: the image moved and stretched to where it
/// lies in another view, the large rectangles sharp where they lie now.
PlanPicture seen_from(const PlanPicture& picture, const PlanSceneInput& input, const Viewport& view);

/// The picture after some buffers have moved, to the same bits as one that is made anew: only where they were and where
/// they are now is painted again. Nothing when more would change than that, or nearly everything. `before` is what the
/// picture was made of, `input` the same but for the offsets of `moved`.
std::optional<PlanPicture> repainted(const PlanPicture& picture, const PlanSceneInput& before,
                                     const PlanSceneInput& input, const Theme& theme,
                                     std::span<const BufferIndex> moved);

}  // namespace stowage
