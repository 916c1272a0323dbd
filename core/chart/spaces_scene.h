#pragma once

#include <vector>

#include "core/chart/lanes.h"
#include "core/chart/plan_scene.h"

namespace stowage {

/// All spaces of a plan in camera.area: each lane with its name, its capacity, and a chart of its own; the times below
/// them are everybody's. inputs[k] is what is drawn of lanes[k]; `space` and `time_labels` are set here.
void add_spaces(Scene& scene, const std::vector<SpaceLane>& lanes, std::vector<PlanSceneInput> inputs,
                const Viewport& camera, const Theme& theme, const TextMeasure& measure, SceneStats* stats = nullptr);

}  // namespace stowage
