#pragma once

#include "ui/state.h"

namespace stowage {

/// Edits that add buffers, as one entry of the history. Where the shown plan is no allocator's (by hand, of the file)
/// nobody would place them: they go to the lowest free places of it.
void add_buffers(Workbench::State& state, EditRequest request);
/// A new buffer beside the chosen one, or in the middle of what is seen.
void add_buffer(Workbench::State& state);
/// The buffers of a text in any format that is read, as one entry; says what is wrong with it otherwise.
void paste_buffers(Workbench::State& state, const std::string& text);

}  // namespace stowage
