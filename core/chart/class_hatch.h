#pragma once

#include <cstddef>
#include <vector>

#include "core/chart/scene.h"

namespace stowage {

/// Stripes by class for palettes in which colour is not the only sign: none, the four ways, crossed, and the slanted
/// ones twice as dense; each of eight classes has its own. `spacing` is that of the wide ones.
std::vector<draw::Hatch> class_hatches(std::size_t category, const Rect& rect, Color color, float spacing);

}  // namespace stowage
