#include "ui/splitter_keys.h"

#include <algorithm>

#include "ui/state.h"

namespace stowage {

void choose_next_splitter(Workbench::State& state) {
  SplitterKeys& keys = state.part<SplitterKeys>();
  const auto now = std::find(keys.names.begin(), keys.names.end(), keys.chosen);
  const auto next = now == keys.names.end() ? keys.names.begin() : std::next(now);
  keys.chosen = next == keys.names.end() ? std::string() : *next;
  keys.pending = 0;
  state.settle_frames = std::max(state.settle_frames, 2);
}

void move_splitter(Workbench::State& state, float logical_pixels) {
  state.part<SplitterKeys>().pending += logical_pixels;
  state.settle_frames = std::max(state.settle_frames, 3);
}

}  // namespace stowage
