#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/schedule.h"

namespace stowage {

/// What a column of the picture is: a step of the schedule, so that ops stand below the same times as in the chart, or
/// a layer: as many ops as can run side by side.
enum class GraphColumns { kSteps, kLayers };

/// Where the ops of a graph stand, in units of columns (to the right) and lanes (downwards).
///
///     lane 0   conv - relu - conv - add - ...      an op goes on in the lane of what it is the next to read
///     lane 1        \- conv -------/              branches get lanes of their own as long as they last
struct GraphLayout {
  struct Node {
    std::int32_t column = 0;
    std::int32_t lane = 0;
  };
  /// One tensor from its maker to one of its readers.
  struct Edge {
    OpIndex from = kNoOp;
    OpIndex to = kNoOp;
    TensorIndex tensor = kNoTensor;
  };

  std::vector<Node> nodes;         // by op
  std::vector<Edge> edges;         // by maker, then tensor, then reader; a reader that reads twice comes once
  std::vector<OpIndex> by_column;  // ops of column c: by_column[column_begin[c]] .. [column_begin[c + 1]]
  std::vector<std::size_t> column_begin;
  std::int32_t columns = 0;
  std::int32_t lanes = 0;
};

/// O((ops + tensors + reads) log). Deterministic.
GraphLayout layout_graph(const Graph& graph, const Schedule& schedule, GraphColumns columns);

}  // namespace stowage
