#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "ui/editing.h"

namespace stowage {

/// The engine's plan after an edit, changed as little as the edit allows (core/search/replan.h) instead of made anew.
struct ChangedPlan {
  Plan plan;
  bool wants_new_plan = false;  // the engine may find a lower one
};

/// Nothing where the shown plan is not the engine's, was not sound before, or the problem needs what replan() does not
/// know: then everything is planned again. `carried`: the plans of before for the new problem; `becomes`: by buffer
/// before, the one it is now.
std::optional<ChangedPlan> changed_plan(const Snapshot& before, std::span<const Plan> carried, const Problem& problem,
                                        std::span<const BufferIndex> becomes, const std::stop_token& stop);

}  // namespace stowage
