#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/moved_collision.h"
#include "ui/state.h"

namespace stowage {

/// Presses of keys that edit the same buffers and follow each other: one entry of the history.
struct KeySeries {
  static constexpr double kSeconds = 1;  // between presses that belong together

  std::vector<BufferIndex> moved;
  std::uint64_t drag = 0;  // they are frames of this drag
  double last = -1e9;
  std::uint64_t notice = 0;  // what the last press had to say
};

/// A press: true when it goes on with the series, else it begins a new one.
bool go_on(Workbench::State& state, KeySeries& series, const std::vector<BufferIndex>& moved);
/// Says something in the place of what the press before has said; nothing when the words are empty.
void say_instead(Workbench::State& state, KeySeries& series, std::string words, bool error = false);
/// Says which of them collides with whom where it has been put, as a drag does, or why the change cannot be.
void say_what_came_of_it(Workbench::State& state, KeySeries& series, const Places& places,
                         const std::vector<bool>& along);

}  // namespace stowage
