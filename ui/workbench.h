#pragma once

#include <memory>
#include <string>

#include <imgui.h>

#include "core/document/document.h"
#include "core/io/settings.h"
#include "ui/fonts.h"
#include "ui/host.h"

namespace stowage {

/// The whole window, one frame at a time. Views push commands while they draw; they are applied after drawing, in one
/// place. All state of the interface lives in here; nothing is global.
class Workbench {
 public:
  /// `config_folder` holds settings; empty: nothing is read or written.
  Workbench(Host& host, std::string config_folder);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  /// Reads a file on a background thread; the open document stays until it is there, and on an error.
  void open(const std::string& path);

  /// The user wants to close the window: true when it may close at once; else unsaved changes are asked about, and the
  /// host is closed when the answer allows it.
  bool ask_to_close();

  /// Gives Dear ImGui the clicks that the workbench makes itself, for controls reached by keys; before each NewFrame.
  void before_frame();
  /// Draws everything into the current Dear ImGui frame (between NewFrame and Render) and applies its commands.
  void frame(const Fonts& fonts);

  /// Something changes without an event (a running task, an easing): draw again soon. False: sleep until an event.
  bool animating() const;
  /// Device pixels per logical pixel that fonts should be loaded with: display scale x the user's UI scale.
  float font_scale() const;
  const Settings& settings() const;

  const Document& document() const;

  struct State;
  State& state() { return *state_; }  // for the headless tests

 private:
  std::unique_ptr<State> state_;
};

}  // namespace stowage
