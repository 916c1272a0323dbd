#pragma once

#include <vector>

#include "core/allocators/allocator.h"

namespace stowage {

// Each file of allocators.def defines NAME_allocators(): the allocator and its presets.
#define STOWAGE_ALLOCATOR(name) std::vector<Allocator> name##_allocators();
#include "core/allocators/allocators.def"
#undef STOWAGE_ALLOCATOR

}  // namespace stowage
