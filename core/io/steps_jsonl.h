#pragma once

#include <string>

#include "core/base/names.h"
#include "core/steps/step.h"

namespace stowage {

/// The step log as JSON Lines: {"n":7,"op":"place","buffer":"b1","offset":64,"phase":2,"why":"..."}. `ids` are those of
/// the buffers (of a graph: of the tensors).
std::string steps_to_jsonl(const StepLog& log, const Names& ids);

}  // namespace stowage
