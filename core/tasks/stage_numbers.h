#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/document/graph_recipe.h"

namespace stowage {

/// What a graph needs at one point of its pipeline. Bytes.
struct StageNumbers {
  std::int64_t load = 0;
  std::int64_t naive = 0;     // without any reuse
  std::int64_t makespan = 0;  // of the allocator's plan
  std::int64_t padding = 0;
  std::size_t ops = 0;
  std::size_t buffers = 0;
};

/// Before the pipeline, and after each of its stages: one more than there are stages. Every point is lowered and
/// planned by the allocator; a stage that is off costs nothing. Errors: the allocator's, cancelled.
Result<std::vector<StageNumbers>> stage_numbers(const Prepared& prepared, const LowerOptions& options,
                                                const Allocator& allocator, RunContext& context);

}  // namespace stowage
