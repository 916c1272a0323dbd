#pragma once

#include "core/graph/schedule.h"

namespace stowage {

// Each file of schedulers.def defines NAME_scheduler().
#define STOWAGE_SCHEDULER(name) Scheduler name##_scheduler();
#include "core/graph/schedulers.def"
#undef STOWAGE_SCHEDULER

}  // namespace stowage
