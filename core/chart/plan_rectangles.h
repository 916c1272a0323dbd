#pragma once

#include "core/chart/plan_picture.h"
#include "core/chart/scene.h"

namespace stowage {

/// The rectangles of a plan in layers, the lowest first: hatched padding and gaps, the image of the crowd, the large
/// rectangles with their labels, and on top what an asked capacity leaves no room for, collisions and the selection.
/// The view's area lies on device pixels.
void add_rectangles(Scene& scene, const PlanSceneInput& input, const PlanPicture& picture, const Viewport& view,
                    const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
