#pragma once

#include "ui/state.h"

namespace stowage {

/// A dialog in the middle of the window with a title and a close button; draws nothing unless it is the shown popup.
/// When it returns true, end_dialog() must follow. The size is logical and shrinks to the window's.
bool begin_dialog(Workbench::State& state, Popup popup, const char* title, ImVec2 size);
void end_dialog();

}  // namespace stowage
