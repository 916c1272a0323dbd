#pragma once

#include <cstdint>

#include "ui/state.h"

namespace stowage {

/// By keys: the selected buffers begin or end so many steps later, or earlier when it is negative. Presses that follow
/// each other, also of the other end, are one entry of the history.
void move_starts(Workbench::State& state, std::int64_t by);
void move_ends(Workbench::State& state, std::int64_t by);
/// Why there are no lifetimes to change by keys; "" when there are.
const char* why_lifetimes_stay(const Workbench::State& state);

}  // namespace stowage
