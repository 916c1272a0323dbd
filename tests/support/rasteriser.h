#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imgui.h>

namespace stowage::testing {

/// Pixels with R in the lowest byte, rows from the top.
struct Bitmap {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;
};

/// Paints what Dear ImGui drew, on the CPU: triangles in order, textures sampled at the nearest texel, straight alpha.
/// Texture ids point to Bitmaps. Deterministic, so pictures can be compared.
Bitmap rasterise(const ImDrawData& data, std::uint32_t background);

void write_png(const Bitmap& bitmap, const std::string& path);

}  // namespace stowage::testing
