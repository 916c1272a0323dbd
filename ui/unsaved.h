#pragma once

#include <functional>
#include <string>

#include "ui/command.h"
#include "ui/workbench.h"

namespace stowage {

/// There are changes that no file has.
bool is_dirty(const Workbench::State& state);

/// Does it now when nothing would be lost; else asks whether to save first, and does it after that. `what` finishes
/// "Save the changes before ...?".
void when_saved(Workbench::State& state, const std::string& what, std::function<void(Workbench::State&)> then);

/// Commands that would lose unsaved changes ask first: true when it has asked, or has done the command after asking.
bool asks_first(Workbench::State& state, CommandId id);

/// Asks whether the file on disk or the changes here are wanted.
void ask_about_reload(Workbench::State& state);

/// True when the window may close at once; else the question is shown.
bool may_close(Workbench::State& state);

/// What waits until the document is saved.
struct AfterSaving {
  std::function<void(Workbench::State&)> then;
  bool close_allowed = false;
};

}  // namespace stowage
