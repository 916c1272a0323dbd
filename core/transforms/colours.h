#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/staged.h"

namespace stowage {

/// Colours of ops by longest paths.
struct Colours {
  std::vector<std::uint32_t> of;  // by op
  std::uint32_t used = 1;         // how many there are; what no path took, and all that no op makes, has the last one
};

/// Colours the ops along the longest path of the graph, those that are left along the longest of theirs, and so on,
/// with at most `most` colours (at least 1: then all have the same). Ops of one colour lie on one path, so they never
/// run at the same time, and memory that only they pass on needs no waiting. NNVM's graph_algorithm.h, with one point
/// for each op.
Colours longest_path_colours(const Staged& staged, std::uint32_t most);

}  // namespace stowage
