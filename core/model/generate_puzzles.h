#pragma once

#include <cstddef>
#include <cstdint>

#include "core/model/problem.h"

namespace stowage {

/// About `buffers` rectangles (up to four more) that fill a time x address rectangle exactly, in shuffled rows: the
/// lowest plan is as high as the load, and that is known. Made by random cuts and, one in four, pinwheels:
///
///   +---+-----+    no straight cut goes through, so an order that looks at one
///   |   +--+--+    rectangle at a time finds it by luck only
///   +---+  |  |
///   |   +--+  |
///   +------+--+
ProblemInput tiling_family(std::size_t buffers, std::int64_t width, std::int64_t height, std::uint64_t seed);

/// Buffers that begin one after the other and live about equally long, with sizes that do not divide each other: there
/// is always somebody who ends just before somebody else's place is needed.
ProblemInput staircase_family(std::size_t buffers, std::uint64_t seed);

/// Starts, lifetimes and sizes all uniform: about a quarter of all buffers live at once.
ProblemInput uniform_family(std::size_t buffers, std::uint64_t seed);

}  // namespace stowage
