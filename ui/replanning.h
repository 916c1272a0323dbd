#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "core/search/live_plan.h"
#include "ui/editing.h"

namespace stowage {

/// The engine's plan with what is needed to change it, and whose it is.
struct KeptPlan {
  std::shared_ptr<const Problem> problem;
  std::unique_ptr<LivePlan> plan;
};

/// The engine's plan after an edit, changed as little as the edit allows (core/search/live_plan.h) instead of made
/// anew.
struct ChangedPlan {
  Plan plan;
  bool wants_new_plan = false;  // the engine may find a lower one
};

/// Nothing where the shown plan is not the engine's, was not sound before, or the problem needs what a LivePlan does
/// not know: then everything is planned again. `carried`: the plans of before for the new problem; `becomes`: by buffer
/// before, the one it is now. `kept` is used when it is the plan of before, and then follows: to the new problem, or,
/// for a frame of a drag, back to the one before, with which the next frame begins.
std::optional<ChangedPlan> changed_plan(const Snapshot& before, std::span<const Plan> carried,
                                        const std::shared_ptr<const Problem>& problem,
                                        std::span<const BufferIndex> becomes, bool drag, KeptPlan& kept,
                                        const std::stop_token& stop);

}  // namespace stowage
