#pragma once

#include <cstdint>
#include <vector>

#include "core/model/metrics.h"

namespace stowage {

/// What measure() says of each space by itself, over the time of the whole problem: a chart shows one space, whose
/// load, bound and makespan are its own. One entry a space.
std::vector<ProblemMetrics> measure_spaces(const Problem& problem);

/// The same of a plan; `facts` as measure_spaces(problem) returned them.
std::vector<PlanMetrics> measure_spaces(const Problem& problem, const std::vector<ProblemMetrics>& facts,
                                        const Plan& plan);

}  // namespace stowage
