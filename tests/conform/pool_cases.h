#pragma once

#include <optional>

#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Of a case about a pool, or about how sizes are rounded (by its name: bfc_..., torch_..., align_..., buddy_...):
/// feeds the pool with the trace of the case, or rounds its sizes, and compares all that it expects. Plain numbers are
/// those before the first free when the case also has some for afterwards (..._after, after_free_all), else those at
/// the end. Nothing for other cases.
std::optional<Verdict> judge_pool(const json& from);

}  // namespace stowage::conform
