#pragma once

#include "core/io/saved_view.h"
#include "ui/workbench.h"

namespace stowage {

/// How the document is looked at now, for its file.
SavedView look_of(const Workbench::State& state);
/// Looks at the open document as its file says.
void restore_look(Workbench::State& state);

}  // namespace stowage
