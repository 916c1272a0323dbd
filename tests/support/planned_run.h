#pragma once

#include <cstdint>
#include <string_view>

#include "core/allocators/allocator.h"

namespace stowage::testing {

/// What the allocator of this id makes of the problem; nobody watches it.
inline Result<PlannedRun> run(std::string_view id, const Problem& problem, const ParamValues& params = {},
                              std::uint64_t seed = 0) {
  RunContext context;
  context.seed = seed;
  return run_allocator(*find_allocator(id), problem, params, context);
}

}  // namespace stowage::testing
