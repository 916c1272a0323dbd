#pragma once

#include <string>

#include "ui/workbench.h"

namespace stowage {

/// The selected buffers as a CSV file has them: kind, space and gaps too, and their offsets in the shown plan when it
/// places all of them; pins stay behind, for two at one place would collide. Error: what a CSV file cannot hold.
Result<std::string> copied_csv(const Workbench::State& state);

}  // namespace stowage
