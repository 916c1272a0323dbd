#pragma once

#include <optional>
#include <string>

namespace stowage {

/// How the window is opened. The defaults are what a person at a desk gets.
struct WindowOptions {
  /// Where settings live; empty: nothing is read or written.
  std::string config_folder;

  /// Draws into memory instead of a window on the screen, waits until all work has settled, writes a PNG and ends.
  struct Picture {
    std::string path;
    int width = 1600;  // logical pixels; the file has width x scale
    int height = 1000;
    float scale = 1;
    std::string theme;  // "dark", "light"; empty: as in the settings
  };
  std::optional<Picture> picture;

  /// Above 0: ends after so many frames that show the file. For measuring cold starts.
  int frames = 0;
};

/// Opens the window on `file` (empty: on nothing) and returns when the user closes it. The exit code of the program: 0,
/// or 3 when there is no display or the picture cannot be written, with a message on standard error. This is the only
/// way to GLFW: no other command touches it.
int run_window(const std::string& file, const WindowOptions& options);

}  // namespace stowage
