#pragma once

#include <memory>
#include <stop_token>

#include "core/base/result.h"
#include "ui/editing.h"
#include "ui/replanning.h"

namespace stowage {

/// Everything of a document but the plans and how the file was read.
Document without_plans(const Document& document);

/// The snapshot after an edit, with its analysis and the plans that are worth keeping or quick to make: pure, so that
/// it runs on any thread. `kept` is nobody else's meanwhile; the outcome gives it back. Errors: the edit makes no sound
/// problem; it was cancelled.
Result<EditOutcome> rework(const Snapshot& before, EditRequest request, std::shared_ptr<KeptPlan> kept,
                           const std::stop_token& stop);

}  // namespace stowage
