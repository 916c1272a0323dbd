#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/graph/ancestors.h"
#include "core/graph/storages.h"

namespace stowage {

/// A piece of memory beside others where ops run on several streams.
struct StreamLife {
  StepSpan span;              // by the schedule, which is one order of several
  OpIndex maker = kNoOp;      // kNoOp: it is there from the start
  std::vector<OpIndex> last;  // the latest op of each stream that makes or reads it
  bool to_the_end = false;    // whatever reads it
};

/// Pairs of lives that the schedule shows one after the other, but that may meet: not everything that touches the first
/// has certainly ended before the second is made (the rule of SOMAS' reuse matrix). Ascending, the smaller index first.
/// Takes time for what it finds, not for all pairs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_that_may_meet(const Graph& graph, const Schedule& schedule,
                                                                         const Ancestors& ancestors,
                                                                         const std::vector<StreamLife>& lives);

}  // namespace stowage
