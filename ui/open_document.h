#pragma once

#include "ui/loading.h"
#include "ui/workbench.h"

namespace stowage {

/// The document becomes the open one: its history begins, allocators run as far as they do so unasked. Selection, view
/// and filter stay when it was read again (`State::loading_again`).
void take_file(Workbench::State& state, LoadedFile loaded);

}  // namespace stowage
