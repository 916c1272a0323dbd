#pragma once

#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/steps/step.h"

namespace stowage {

/// A run as one sheet: what there is after some of its steps, spread evenly, row by row; for each wanted file.
Result<void> add_steps_pictures(const PictureFlags& pictures, const Document& document, const Candidate& run,
                                const StepLog& steps, Outputs& outputs);

}  // namespace stowage
