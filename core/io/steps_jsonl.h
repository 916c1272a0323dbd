#pragma once

#include <string>

#include "core/model/problem.h"
#include "core/steps/step.h"

namespace stowage {

/// The step log as JSON Lines: {"n":7,"op":"place","buffer":"b1","offset":64,"phase":2,"why":"..."}.
std::string steps_to_jsonl(const StepLog& log, const Problem& problem);

}  // namespace stowage
