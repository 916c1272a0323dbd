#pragma once

#include "core/transforms/transform.h"

namespace stowage {

// Each file of transforms.def defines NAME_transform().
#define STOWAGE_TRANSFORM(name) Transform name##_transform();
#include "core/transforms/transforms.def"
#undef STOWAGE_TRANSFORM

}  // namespace stowage
