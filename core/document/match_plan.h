#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace stowage {

/// A plan of another document for the buffers of this problem.
struct MatchedPlan {
  Plan plan;
  std::size_t by_id = 0;                        // matched by their ids
  std::size_t by_shape = 0;                     // by lifetime and size, in the order of rows
  std::vector<std::string> unmatched;           // ids there that have no partner here
  std::vector<std::int64_t> unmatched_offsets;  // of the same buffers, there
  std::size_t unplaced = 0;                     // buffers here that have none there
};

/// Buffers are matched by id where lifetime and size agree or the id occurs once on both sides, else by lifetime and
/// size; the n-th there is the n-th here. What has no partner is not placed.
MatchedPlan match_plan(const Problem& problem, const Problem& other, const Plan& plan);

}  // namespace stowage
