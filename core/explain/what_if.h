#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/base/result.h"
#include "core/model/plan.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// The input of the same problem in which one buffer has another size. What no longer fits a smaller buffer is cut or
/// forgotten: windows of gaps, slices, the size that was asked for. A buffer of size 0 also loses its fixed offset: it
/// is as if it were not there, and every other buffer keeps its index.
ProblemInput with_size(const Problem& problem, BufferIndex buffer, std::int64_t size);

/// How many buffers of a space that a plan places lie wholly below a capacity.
std::int64_t count_below(const Problem& problem, const Plan& plan, std::uint16_t space, std::int64_t capacity);

/// What an allocator makes of the problem when every alignment is at least this one.
struct AlignmentOutcome {
  std::int64_t alignment = 1;
  bool planned = false;       // false: the allocator refused it, or the sizes no longer fit in 63 bits
  std::int64_t makespan = 0;  // of the space
  std::int64_t load = 0;
  bool operator==(const AlignmentOutcome&) const = default;
};

/// Runs the allocator once for each alignment, in their order. Error: cancelled.
Result<std::vector<AlignmentOutcome>> try_alignments(const Problem& problem, const Allocator& allocator,
                                                     std::uint16_t space, std::span<const std::int64_t> alignments,
                                                     const RunContext& context);

}  // namespace stowage
