#pragma once

#include "core/chart/scene.h"

namespace stowage {

/// Everything of `part`, moved by `by`, at the end of `to`: pictures that are made of pictures.
void append_scene(Scene& to, Scene part, Point by);

}  // namespace stowage
