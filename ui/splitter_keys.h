#pragma once

#include <string>
#include <vector>

#include "ui/workbench.h"

namespace stowage {

/// The splitters between panels for keys: one of them is chosen, and moved.
struct SplitterKeys {
  static constexpr float kStep = 16;  // logical pixels a press

  std::vector<std::string> names;  // that were drawn last, in their order
  std::string chosen;              // empty: none
  float pending = 0;               // how far keys have moved it since it was drawn
};

/// The next one, after the last one none.
void choose_next_splitter(Workbench::State& state);
void move_splitter(Workbench::State& state, float logical_pixels);

}  // namespace stowage
