#pragma once

#include "core/io/settings.h"
#include "ui/workbench.h"

namespace stowage {

/// A lecture: large text, no panels, full screen.
struct Presentation {
  bool on = false;
  Settings before;  // what comes back afterwards
};

/// True when there was one.
bool end_presentation(Workbench::State& state);

}  // namespace stowage
