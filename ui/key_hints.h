#pragma once

#include <string>
#include <vector>

#include <imgui.h>

#include "ui/workbench.h"

namespace stowage {

/// Everything that can be clicked, by keys: letters appear on each control, and typing them clicks it, with Shift held
/// for the last one by the right button. Esc or a click ends it.
struct KeyHints {
  struct Hint {
    std::string letters;
    std::string widget;  // its name in Ui::widgets
  };
  /// The pointer comes, presses and lets go, a frame each.
  struct Click {
    ImVec2 at;
    int button = 0;
    int frames_left = 0;
  };
  bool asked = false;  // they come with the next frame
  std::vector<Hint> hints;
  std::string typed;
  std::string chosen;  // the widget whose letters were typed in this frame
  Click click;

  bool on() const { return asked || !hints.empty(); }
};

void ask_for_key_hints(Workbench::State& state);
/// Takes the keys of this frame; true when they are for the hints and for nobody else.
bool read_key_hints(Workbench::State& state);
/// Moves and presses the pointer for a click that is due; before ImGui::NewFrame.
void feed_key_hints(Workbench::State& state);

}  // namespace stowage
