#pragma once

#include <cstdint>

#include "core/model/sections.h"

namespace stowage {

/// A buffer that has its place, as the search for the next place needs it.
struct Placed {
  SectionRange range;
  std::int64_t offset = 0;
  std::int64_t end = 0;  // offset + size
  BufferIndex buffer = kNoBuffer;
};

/// The same in half the memory, addresses in units of a number that divides them all. It does not know its name, so a
/// run that records its steps cannot use it. At a million buffers memory, not arithmetic, decides the speed.
struct NarrowPlaced {
  SectionRange range;
  std::uint32_t offset = 0;
  std::uint32_t end = 0;
};

}  // namespace stowage
