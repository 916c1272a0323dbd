#pragma once

#include <cstdint>
#include <vector>

#include "core/chart/scene.h"

namespace stowage {

/// The program's icon, a square of `size` logical pixels: buffers stowed side by side below a line. The files in
/// assets/ and the icon of the window are both made from it.
Scene icon_scene(float size);

/// The same as RGBA pixels (straight alpha, rows from the top), as window systems want it.
std::vector<std::uint32_t> icon_pixels(int size);

}  // namespace stowage
