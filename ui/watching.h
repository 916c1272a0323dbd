#pragma once

#include "core/io/file_stamp.h"
#include "ui/workbench.h"

namespace stowage {

/// The open file is read again when it changes on disk, while this is on.
struct Watching {
  static constexpr double kPause = 0.5;  // seconds between two looks

  bool on = false;
  FileWatch watch;
  double looked_at = -1e9;
};

void toggle_watching(Workbench::State& state);
/// What the file is now is what the window shows: it was just read or written.
void note_file(Workbench::State& state);

}  // namespace stowage
