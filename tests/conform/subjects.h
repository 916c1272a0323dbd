#pragma once

#include "core/base/result.h"
#include "tests/conform/outcome.h"

namespace stowage::conform {

/// Runs what a case is about. Most subjects are allocators of the registry under their own id; some have another name
/// in the files, and some are functions of the core. Errors: refused, when a parameter of the case means nothing here
/// (not expressible); usage, when there is no such allocator.
Result<Outcome> run_subject(const Case& of);

}  // namespace stowage::conform
