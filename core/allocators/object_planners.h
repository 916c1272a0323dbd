#pragma once

#include <span>

#include "core/allocators/shared_objects.h"

namespace stowage {

/// The tasks with the most live bytes first, and of each the largest buffers: see tflite-greedy-by-breadth.
void bind_by_breadth(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects);

/// Priorities by size and by distance in time: see tflite-greedy-by-size-objects.
void bind_by_size_and_distance(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects);

}  // namespace stowage
