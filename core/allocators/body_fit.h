#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/allocators/conflict_bits.h"
#include "core/allocators/fit.h"
#include "core/base/lists.h"

namespace stowage {

/// Who is in conflict with a buffer, and how far the upper of the two must lie over the lower one.
struct Neighbour {
  BufferIndex other = kNoBuffer;
  std::int64_t below = 0;  // when the other one is the upper
  std::int64_t above = 0;  // when it is the lower
};

/// By buffer; of what the members of a body, and those of another one, have in common, only one of them knows. With a
/// choice of spaces as if there were only one: who may share an address depends on what is chosen.
/// Memory and time are linear in the conflicts.
Lists<Neighbour> neighbours_of(const Problem& problem);

/// How those are found that are in the way of a body.
enum class Blocking {
  kRectangles,  // bodies are all that is beyond lifetimes: by their place in time and address
  kBits,        // each buffer keeps its whole size from all that it conflicts with: by address, a bit for each pair
  kLists,       // how far two lie apart depends on both: by lists of neighbours
};
Blocking blocking_of(const Problem& problem);

/// What is to be known of a problem before its bodies are placed in any order.
struct BodyConflicts {
  BodyConflicts(const Problem& problem, Blocking blocking);

  Blocking blocking;
  Lists<Neighbour> neighbours;       // of kLists
  std::optional<ConflictBits> bits;  // of kBits
};

/// place_in_order for problems in which lifetimes alone do not decide: conflict edges, clocks, tied buffers, a choice
/// of spaces. Tied buffers are placed together when the first of them is reached. A buffer with a choice goes to the
/// first of its candidate spaces below whose capacity it fits. Errors: cancelled; refused when a buffer fits into none
/// of its candidates, with the missing bytes, or would pass 2^63-1.
Result<RunResult> place_bodies_in_order(const Problem& problem, const BodyConflicts& conflicts,
                                        std::span<const BufferIndex> order, FitRule rule, RunContext& context);

}  // namespace stowage
