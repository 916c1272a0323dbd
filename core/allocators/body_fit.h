#pragma once

#include <span>

#include "core/allocators/fit.h"

namespace stowage {

/// place_in_order for problems in which lifetimes alone do not decide: conflict edges, clocks, tied buffers, a choice
/// of spaces. Tied buffers are placed together when the first of them is reached. A buffer with a choice goes to the
/// first of its candidate spaces below whose capacity it fits. Memory and time are linear in the conflicts. Errors:
/// cancelled; refused when a buffer fits into none of its candidates, with the missing bytes, or would pass 2^63-1.
Result<RunResult> place_bodies_in_order(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                                        RunContext& context);

}  // namespace stowage
