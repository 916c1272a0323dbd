#pragma once

#include <cstdint>
#include <vector>

#include "core/model/problem.h"
#include "ui/loading.h"

namespace stowage {

/// As conflicts_of: everyone in conflict with a buffer, ascending. Where lifetimes decide only those are looked at that
/// the index of the chart has during its lifetime.
std::vector<BufferIndex> conflicts_near(const Problem& problem, const Analysis& analysis, BufferIndex buffer);

/// Everyone that a buffer might collide with at an offset, ascending: live at the same time and with bytes in common.
/// Where edges, clocks or ties decide, everyone in conflict.
std::vector<BufferIndex> lying_there(const Problem& problem, const Analysis& analysis,
                                     const std::vector<std::int64_t>& offsets, BufferIndex buffer, std::int64_t offset);

}  // namespace stowage
