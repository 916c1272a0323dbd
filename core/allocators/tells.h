#pragma once

#include "core/run/run.h"

namespace stowage {

/// Whether a long search should say its next step: it records, and has not said so much that the plan itself would no
/// longer fit into the log.
inline bool tells(const RunContext& context) {
  return context.records() && context.steps->steps().size() < StepLog::kLimit / 2;
}

}  // namespace stowage
