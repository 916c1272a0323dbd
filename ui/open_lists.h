#pragma once

#include "ui/workbench.h"

namespace stowage {

/// Closes the innermost list or menu that is open over the window or its dialog. False when there is none.
bool close_list(const Workbench::State& state);

}  // namespace stowage
