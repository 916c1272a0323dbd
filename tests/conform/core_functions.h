#pragma once

#include <string_view>

#include "core/base/result.h"
#include "tests/conform/outcome.h"

namespace stowage::conform {

/// Names in conformance files that stand for a function of the core, not for an allocator.
bool is_core_function(std::string_view subject);

/// Runs it as far as it has a plan of its own; what it says about the problem alone, the expectations ask themselves.
/// Error: refused, when the case gives it a parameter that it has no use for.
Result<Outcome> run_core_function(const Case& of);

/// minimalloc's verdict about `params.solution` and `params.height`: "good", "bad-solution" (not one offset for each
/// buffer), "bad-fixed", "bad-offset", "bad-height", "bad-alignment", "bad-overlap". The first that applies, buffer by
/// buffer; then the height as a whole; then the pairs.
std::string validate(const Problem& problem, const json& solution, const json& height);

}  // namespace stowage::conform
