#pragma once

#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// Everything that is wrong with an input, in the order of the buffers, except contradictions between tied buffers:
/// those are found when their bodies are made. Part of the gate; call make_problem.
std::vector<Fault> find_faults(const ProblemInput& input);

}  // namespace stowage
