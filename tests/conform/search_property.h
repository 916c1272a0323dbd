#pragma once

#include "core/base/result.h"
#include "tests/conform/outcome.h"

namespace stowage::conform {

/// The buffers left when one after the other, in the order of rows, is dropped as long as the rest still cannot fit.
Result<json> infeasible_subset(const json& expected, const Outcome& outcome);

/// A sentence about the search, found again word for word when it is true. Understood: "enabling any one of A, B, ...
/// alone strictly reduces backtracks vs all disabled (heuristic H)".
Result<json> search_property(const json& expected, const Outcome& outcome);

}  // namespace stowage::conform
