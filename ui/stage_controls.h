#pragma once

#include <cstddef>
#include <string>

#include "ui/workbench.h"

namespace stowage {

/// What can be done with the result of a stage of the pipeline: opened, compared with the present, exported. Buttons
/// NAME.open, NAME.compare and NAME.export for the point behind so many stages, or behind liveness.
void stage_controls(Workbench::State& state, const std::string& name, std::size_t stages, bool buffers = false);

}  // namespace stowage
