#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/schedule.h"

namespace stowage {

/// For every op, the ops that have certainly ended before it starts, whatever the streams do: its ancestors through
/// data, events and the order inside a stream. On one stream that is the schedule itself; on several it takes one bit a
/// pair, n * n / 8 bytes (5,000 ops: 3 MB).
class Ancestors {
 public:
  Ancestors(const Graph& graph, const Schedule& schedule);

  /// Has `a` ended before `n` starts?
  bool before(OpIndex a, OpIndex n) const {
    if (words_ == 0) return steps_[a] < steps_[n];
    return ((bits_[n * words_ + a / 64] >> (a % 64)) & 1U) != 0;
  }
  bool one_stream() const { return words_ == 0; }

 private:
  std::vector<std::size_t> steps_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace stowage
