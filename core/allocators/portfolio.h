#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/allocators/fit.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// One greedy plan: buffers in this order (make_order), each at the place that the rule says.
struct GreedyAttempt {
  const char* order = "size";
  FitRule rule = FitRule::kFirst;
};

/// Everything that is worth a try at once, the most promising first: no order is best everywhere.
std::span<const GreedyAttempt> greedy_attempts();

/// The lowest of some greedy plans.
struct GreedyPlan {
  RunResult result;
  std::int64_t makespan = 0;
  GreedyAttempt attempt;
  std::int64_t tried = 0;
};

/// Makes one plan after the other until one is as low as `bound`; says nothing but phases and incumbents. When stopped,
/// the best so far, with status kStopped. Errors: cancelled, when there is none yet; refused, when the first attempt
/// is.
Result<GreedyPlan> best_greedy_plan(const Problem& problem, std::span<const GreedyAttempt> attempts, std::int64_t bound,
                                    RunContext& context, double share);

/// No plan is lower: the loads of all spaces, of what cannot lie elsewhere, and the ends of their pins.
std::int64_t makespan_bound(const Problem& problem);

/// The highest address that offsets (and spaces, where there is a choice) come to in any space.
std::int64_t makespan_of(const Problem& problem, const RunResult& result);

}  // namespace stowage
