#pragma once

#include <cstdint>

#include "core/graph/graph.h"

namespace stowage {

/// Sums over an operator graph. Sums of elements and flops outside int64 stay at its end.
struct GraphSummary {
  std::int64_t ops = 0;
  std::int64_t backward_ops = 0;  // among them
  std::int64_t tensors = 0;
  std::int64_t parameters = 0;    // elements of all weights
  std::int64_t flops = 0;         // of all ops
  std::int64_t weight_bytes = 0;  // of weights, constants and state
  std::int64_t made_bytes = 0;    // of what ops make and what is no view: the memory that is planned, without reuse
};
GraphSummary summarize(const Graph& graph);

}  // namespace stowage
