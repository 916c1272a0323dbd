#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace stowage {

/// Everything that is wrong with an input. Part of the gate; call make_graph.
std::vector<GraphFault> find_faults(const GraphInput& input);

/// By tensor: the one it is directly a view or a must-alias of, else itself. Needs sound indices.
std::vector<TensorIndex> view_parents(const GraphInput& input);
/// (op, op that must have ended before), through data and events, with repeats. Needs sound indices and views.
std::vector<std::pair<std::uint32_t, OpIndex>> order_edges(const GraphInput& input);

}  // namespace stowage
