#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace stowage {

/// A picture as opaque colours 0xRRGGBB, rows from the top.
struct RgbPixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> colours;
};

/// What an opaque PNG of paint() shows.
Result<RgbPixels> pixels_of_png(std::string_view png);

}  // namespace stowage
