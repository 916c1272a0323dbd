#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/pools/pool_run.h"

namespace stowage {

/// An offline plan played as if it were a pool: one arena as high as the plan, each allocation at its offset. So plans
/// and pools stand in one table and on one chart. `offsets` are by allocation; those at kNoOffset are failures. Refused
/// when two allocations would lie on each other, or one below 0.
Result<PoolRun> play_plan(const std::string& name, const Trace& trace, const std::vector<std::int64_t>& offsets);

/// An offset for each allocation of a trace that was made from a problem (or made into one), from one for each buffer.
std::vector<std::int64_t> offsets_by_allocation(const Trace& trace, const std::vector<std::int64_t>& offsets);

}  // namespace stowage
