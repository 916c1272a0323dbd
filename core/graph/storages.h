#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/staged.h"

namespace stowage {

/// Steps [start, end) during which something is needed.
struct StepSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool operator==(const StepSpan&) const = default;
};

/// Which tensors live in the same memory for sure: views and must-aliases in their base, in-place results in what they
/// took over. Named by the oldest of them, the root.
struct Storages {
  std::vector<TensorIndex> root;                  // by tensor
  std::vector<std::int64_t> offset;               // by tensor: bytes above the start of the storage
  std::vector<std::vector<TensorIndex>> members;  // by tensor: of the storage it is the root of; else empty
};
Storages find_storages(const Staged& staged);

/// When each tensor by itself is needed, by the schedule: from the step that makes it (0 when none does) to just after
/// its last reader; outputs and what is never given back to the end; with loops read conservatively. Unread ones have
/// their own step, those that are neither made nor read an empty span.
std::vector<StepSpan> tensor_spans(const Graph& graph, const Schedule& schedule);

}  // namespace stowage
