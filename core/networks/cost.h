#pragma once

#include "core/graph/graph.h"

namespace stowage {

/// Gives every op a duration in microseconds by the roofline of a plausible accelerator: the longer of its flops at
/// 10 TFLOP/s and of the bytes that it reads and writes at 500 GB/s, but at least 1, a launch. No measurement: good for
/// telling cheap ops from dear ones when something is to be computed twice or moved meanwhile.
void set_durations(GraphInput& graph);

}  // namespace stowage
