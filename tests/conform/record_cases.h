#pragma once

#include <optional>

#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Of a case whose `trace` is a list of records [size, first op, last op] and that expects shared objects: `naive`,
/// `greedy` (in order) and `min_cost_flow`, each with the object of every record (`ids`) and the size of every object.
/// Nothing for other cases.
std::optional<Verdict> judge_records(const json& from);

}  // namespace stowage::conform
