#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ui/state.h"

namespace stowage {

/// Where a hand puts buffers.
using Places = std::vector<std::pair<BufferIndex, std::int64_t>>;

/// The first of those that a hand has put somewhere that collides there, and with whom. It is found in the time that a
/// frame has for it; what is left is looked at in the next ones.
struct MovedCollision {
  BufferIndex moved = kNoBuffer;  // kNoBuffer: none is known
  std::int64_t at = 0;            // its offset
  std::vector<BufferIndex> with;  // ascending
  std::size_t next = 0;           // places before this one have been looked at

  bool found() const { return moved != kNoBuffer; }
};

/// Seconds of a frame that go into collisions: with the rest of it they stay below 8 ms.
inline constexpr double kCollisionSeconds = 0.003;

/// By buffer: is it one of these?
std::vector<bool> buffers_in(const Places& places, std::size_t buffers);
/// Looks on from `search.next` until one collides or the time is over, at one place at least. Those marked in `along`
/// move by the same difference and do not count; empty: all count.
void look_for_collision(const Workbench::State& state, const Places& places, const std::vector<bool>& along,
                        double seconds, MovedCollision& search);
/// "b1 collides with b3", "... with b3 and b7", "... with b3, b7 and 4 more".
std::string collision_words(const Problem& problem, const MovedCollision& collision);

}  // namespace stowage
