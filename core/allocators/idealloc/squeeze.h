#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/allocators/fit.h"
#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage::idealloc {

/// A placement of the buffers of one space, and its makespan.
struct Squeezed {
  std::vector<std::int64_t> offsets;  // by buffer of the problem; kNoOffset in other spaces
  std::int64_t makespan = 0;
};

/// Places the buffers, one after the other in this order, at the lowest place that is large enough, or the tightest.
/// `loose` (by buffer; may be empty) says where they come from, for the steps. Errors as place_in_order; `limit` as
/// there.
Result<Squeezed> squeeze(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                         std::span<const std::int64_t> loose, const RunContext& context,
                         std::int64_t limit = kMaxInt64);

/// Jobs' buffers by rising loose offset, then by row.
std::vector<BufferIndex> loose_order(std::span<const BufferIndex> buffers, std::span<const std::int64_t> loose);

}  // namespace stowage::idealloc
