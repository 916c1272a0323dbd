#pragma once

#include <cstdint>

#include "core/model/problem.h"

namespace stowage {

/// The load of a space: bytes that every plan needs at once. With lifetimes the largest sum of live sizes. In partially
/// ordered time the heaviest antichain (a minimum flow, up to 2,000 buffers; above that the best of the components'
/// sweeps, which may be lower). In a conflict graph the weight of a clique found greedily, which may be lower than that
/// of the heaviest.
std::int64_t load(const Problem& problem, std::uint16_t space);

/// What a plan needs at the least where it is free in more than offsets: of the buffers that cannot lie elsewhere, and
/// of a sliced one only the slices that have begun. Sliced buffers that others are tied to, or whose lifetimes are not
/// intervals or have gaps, do not count.
std::int64_t least_load(const Problem& problem, std::uint16_t space);

}  // namespace stowage
