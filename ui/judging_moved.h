#pragma once

#include <span>

#include "core/model/plan.h"
#include "ui/loading.h"

namespace stowage {

/// As judge(), for a plan that differs from one which has been judged in the offsets of some buffers: only they and
/// who lies where they were and are is checked again. The count of issues is exact; of more than CheckReport::kListed
/// the list may lack some that there would now be room for.
PlanFacts judge_moved(const Problem& problem, const Analysis& analysis, const Plan& before, const PlanFacts& known,
                      const Plan& plan, std::span<const BufferIndex> moved);

}  // namespace stowage
