#pragma once

#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage::idealloc {

using PlanProblem = std::function<Result<RunResult>(const Problem&, RunContext&)>;

/// Plans with nothing below the address `start`: what planning is given begins there, and alignment counts from the
/// true addresses. Steps and results are in terms of the given problem. Errors: refused when a fixed buffer lies lower,
/// or when nothing can lie so high.
Result<RunResult> above(const Problem& problem, std::int64_t start, RunContext& context, const PlanProblem& plan);

}  // namespace stowage::idealloc
