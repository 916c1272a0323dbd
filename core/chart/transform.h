#pragma once

#include "core/chart/scene.h"

namespace stowage {

/// The scene with every length multiplied, so that large pictures get larger letters and lines too.
Scene zoomed(Scene scene, float factor);

}  // namespace stowage
