#pragma once

#include "core/base/result.h"
#include "tests/conform/outcome.h"

namespace stowage::conform {

/// Adds the parameters of a case under the allocator's own words. Error: refused, for one that the allocator does not
/// have or a value that it does not know.
Result<void> apply_params(const Case& of, const Allocator& allocator, ParamValues& params);

}  // namespace stowage::conform
