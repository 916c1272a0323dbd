#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/run/run.h"
#include "core/search/live_space.h"

namespace stowage {

/// A plan of everything in a space as if there were none yet.
struct WholePlan {
  std::vector<std::pair<BufferIndex, std::int64_t>> offsets;
  std::int64_t height = 0;
};

/// The first of a few greedy plans (large_fit.h) that is no higher than the capacity, else the lowest of them. Nothing
/// for a space of more buffers than a few milliseconds are enough for, or without the time for one.
std::optional<WholePlan> plan_whole(const LiveSpace& space, std::int64_t capacity, std::uint64_t seed,
                                    const RunContext& context);

}  // namespace stowage
