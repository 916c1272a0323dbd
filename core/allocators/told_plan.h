#pragma once

#include <cstdint>
#include <span>

#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// Tells a finished plan from below: by rising offset each buffer with what it rests on. For searches whose way to the
/// plan is no story. A buffer is placed where it is, wherever earlier steps have put it.
void tell_plan(const Problem& problem, std::span<const std::int64_t> offsets, const RunContext& context);

}  // namespace stowage
