#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/render/gif_palette.h"
#include "core/render/gif_writer.h"
#include "core/render/png_pixels.h"

namespace stowage {
namespace {

int squared(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (const unsigned shift : {0U, 8U, 16U}) {
    const int difference = static_cast<int>(a >> shift & 0xFFU) - static_cast<int>(b >> shift & 0xFFU);
    sum += difference * difference;
  }
  return sum;
}

TEST_CASE("gif palette: up to 256 colours stay as they are, the most frequent first") {
  std::vector<std::uint32_t> colours(1'000, 0x102030);
  for (std::uint32_t k = 0; k < 255; ++k) colours.push_back(0x800000 + k * 257);
  colours.push_back(0x800000);
  const IndexedPixels indexed = index_colours(colours);
  REQUIRE(indexed.palette.size() == 256);
  CHECK(indexed.palette[0] == 0x102030);
  CHECK(indexed.palette[1] == 0x800000);
  REQUIRE(indexed.pixels.size() == colours.size());
  std::size_t same = 0;
  for (std::size_t k = 0; k < colours.size(); ++k) same += indexed.palette[indexed.pixels[k]] == colours[k];
  CHECK(same == colours.size());
}

TEST_CASE("gif palette: of more colours the rare ones become the nearest of the frequent ones") {
  std::vector<std::uint32_t> colours;
  for (std::uint32_t k = 0; k < 256; ++k) colours.insert(colours.end(), 2, k << 8U);
  for (std::uint32_t k = 0; k < 256; ++k) colours.push_back((k << 8U) + 0x030005);
  const IndexedPixels indexed = index_colours(colours);
  REQUIRE(indexed.palette.size() == 256);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < colours.size(); ++k) {
    int least = std::numeric_limits<int>::max();
    for (const std::uint32_t one : indexed.palette) least = std::min(least, squared(one, colours[k]));
    wrong += squared(indexed.palette[indexed.pixels[k]], colours[k]) != least;
    if (k < 512) wrong += least != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("gif palette: a picture without pixels has no colours") {
  CHECK(index_colours({}).palette.empty());
}

TEST_CASE("png pixels: what is no whole PNG is an error") {
  CHECK_FALSE(pixels_of_png("").has_value());
  CHECK_FALSE(pixels_of_png("\x89PNG\r\n\x1a\n and nothing more").has_value());
}

}  // namespace
}  // namespace stowage
