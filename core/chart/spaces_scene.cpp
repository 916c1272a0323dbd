#include "core/chart/spaces_scene.h"

#include <string>

#include "core/chart/axis.h"
#include "core/chart/label.h"

namespace stowage {

namespace {

constexpr float kNameSize = 12.5F;
constexpr float kFactSize = 11.5F;
constexpr float kBetween = 10;

/// "device  makespan 6 MiB, capacity 8 MiB" above the lane's area.
void add_title(Scene& scene, const PlanSceneInput& input, const Rect& area, const Theme& theme,
               const TextMeasure& measure) {
  const float top = area.top - kLaneTitle + 2;
  const std::string name = shortened(one_line(input.problem->spaces()[input.space].id), area.width() / 2, kNameSize,
                                     FontFace::kSemibold, measure);
  scene.add(
      draw::Text{{area.left, top}, name, theme.text, kNameSize, FontFace::kSemibold, TextAlign::kLeft, {}, false});
  std::string facts;
  if (input.makespan > 0) facts = "makespan " + format_bytes(input.makespan, input.unit);
  if (const auto capacity = input.problem->capacity(input.space)) {
    facts += (facts.empty() ? "capacity " : ", capacity ") + format_bytes(*capacity, input.unit);
  }
  if (facts.empty() && input.facts != nullptr && input.facts->load == 0) facts = "nothing lies here";
  const float left = area.left + measure.width(name, kNameSize, FontFace::kSemibold) + kBetween;
  if (left + measure.width(facts, kFactSize, FontFace::kText) > area.right) return;
  scene.add(draw::Text{{left, top + 1}, facts, theme.dim, kFactSize, FontFace::kText, TextAlign::kLeft, {}, false});
}

}  // namespace

void add_spaces(Scene& scene, const std::vector<SpaceLane>& lanes, std::vector<PlanSceneInput> inputs,
                const Viewport& camera, const Theme& theme, const TextMeasure& measure, SceneStats* stats) {
  SceneStats all;
  for (std::size_t k = 0; k < lanes.size() && k < inputs.size(); ++k) {
    const Viewport view = lane_view(camera, lanes[k], inputs[k].bare ? 0 : kLaneTitle);
    if (view.area.height() < 2) continue;
    PlanSceneInput& input = inputs[k];
    input.space = lanes[k].space;
    input.time_labels = false;
    SceneStats one;
    add_plan(scene, input, view, theme, measure, &one);
    if (!input.bare) add_title(scene, input, view.area, theme, measure);
    all.visited += one.visited;
    all.vectors += one.vectors;
    all.raster += one.raster;
  }
  if (stats != nullptr) *stats = all;
  if (inputs.empty() || inputs.front().bare) return;
  const Axis times = time_axis(camera, inputs.front().problem->time_unit(), inputs.front().scale, measure);
  add_axes(scene, times, Axis{}, camera.area, theme, measure);
}

}  // namespace stowage
