#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/allocators/tela_space.h"

namespace stowage {

/// One attempt to place a component under a capacity. Fixed buffers are placed already; true when all others are too.
struct TelaAttempt {
  const Problem& problem;
  const TelaComponent& component;
  TelaSpace& space;
  std::int64_t capacity = 0;
  std::int64_t backtracks = 0;  // gives up after so many
  const std::function<bool()>& stop;
};

/// By backtracking.
///
/// From the paper (Maas et al., ASPLOS 2023, as far as its abstract and summaries tell): buffers are chosen one at a
/// time by heuristics while a solver keeps track of what is still possible and tells contradictions at once; the most
/// contended part comes first; on a dead end the search jumps back to a placement that has to do with it.
/// Our reading: a buffer goes to the lowest place between the others; a contradiction is a waiting buffer in conflict
/// with the newcomer that has no place left; candidates are the buffers that failed here before, then the one of the
/// phase that lives longest, the largest, and that of the largest area; a dead end returns to the latest placement in
/// conflict with what had no place, and twice as far each time it comes back to the same point.
bool place_by_backtracking(const TelaAttempt& attempt);

/// By eviction (fpedd/omnimalloc telamalloc.cpp): buffers come by (most often evicted, order); where none
/// of the gaps is large enough the cheapest place is cleared, with probability 1/4 a random one; after 4 evictions a
/// buffer everything is taken out again and only the counts stay.
bool place_by_eviction(const TelaAttempt& attempt, std::span<const std::uint32_t> rank, std::uint64_t seed);

}  // namespace stowage
