#pragma once

#include "core/pools/pool.h"

namespace stowage {

// Each file of pools.def defines NAME_pool().
#define STOWAGE_POOL(name) Pool name##_pool();
#include "core/pools/pools.def"
#undef STOWAGE_POOL

}  // namespace stowage
