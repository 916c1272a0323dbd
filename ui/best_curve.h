#pragma once

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "core/steps/step_index.h"
#include "ui/state.h"

namespace stowage {

struct Recording;

/// What held after `position` steps; nothing before the first value.
std::optional<std::int64_t> value_at(const std::vector<StepValue>& values, std::size_t position);

/// Adds to a recording what the run said only with its result: the load below every plan, the plan that it ended with.
/// Runs that neither go back, improve a plan nor prove a bound get nothing: they have no curve.
void complete_curve(Recording& recording);
/// The recorded run has something to draw.
bool has_best_curve(const Recording& recording);
/// Best plan and bound against the steps of the shown recording, as stairs with the present step; what is to come is
/// pale. A click or a drag goes there.
void draw_best_curve(Workbench::State& state, const std::string& name, ImVec2 at, ImVec2 size);

}  // namespace stowage
