#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/search/instance.h"

namespace stowage {

/// A buffer that is live through all sections of an instance may as well lie at the bottom: it meets everything, so all
/// else lies wholly below or wholly above it, and what lies below can move up by its size instead.
///
///      | +--+ +-----+                 | +--+ +-----+
///      | +--+ | b   |                 | +--+ | b   |         what is left lies above it, and without it time may
///      | +----------------+   and     |------+-----+----     fall into parts
///      | +-------- a -----+ becomes   |---- a ----------
///      +---------+-----+--            +-----------------
///
/// Taken out one after the other, down to the parts. Nothing that is a whole number of everybody's alignment apart
/// changes whether offsets are allowed; where that does not hold, or something is fixed, the buffer stays.
struct Presolved {
  /// A part that is left.
  struct Piece {
    Instance instance;
    std::int64_t base = 0;           // bytes: it lies on top of `below`
    std::vector<BufferIndex> below;  // live through all of it
  };
  std::vector<Piece> pieces;                                  // at least one, in order of time
  std::vector<std::pair<BufferIndex, std::int64_t>> settled;  // buffers that have their offsets already, bytes
};
Presolved presolve(Instance instance);

}  // namespace stowage
