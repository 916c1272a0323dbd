#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// A GIF knows so many colours in one picture.
inline constexpr std::size_t kMostGifColours = 256;

/// A picture as numbers of colours.
struct IndexedPixels {
  std::vector<std::uint32_t> palette;  // 0xRRGGBB, the most frequent first
  std::vector<unsigned char> pixels;
};

/// Charts have few flat colours, which stay as they are, and many at the soft edges between them: those that are too
/// many become the nearest of the others.
IndexedPixels index_colours(const std::vector<std::uint32_t>& colours);

}  // namespace stowage
