#pragma once

#include <cstdint>

#include "core/model/problem.h"

namespace stowage {

/// The largest number that divides every offset and end at which buffers of a space come to lie when each sits as low
/// as it can: the lowest makespan is a multiple of it. 1 when nothing takes memory.
std::int64_t offset_unit(const Problem& problem, std::uint16_t space);

}  // namespace stowage
