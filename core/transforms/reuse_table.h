#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/staged.h"

namespace stowage {

/// What the reuse matrix says of a pair of storages.
enum class ReuseCell : std::uint8_t {
  kSame,   // the diagonal
  kShare,  // they may share memory
  kLive,   // both are needed at some step
  kOrder,  // their steps are disjoint, but no order of the streams guarantees it
};

/// The reuse matrix as a picture needs it: storages in the order in which they are made, a cell for each pair.
struct ReuseTable {
  std::vector<TensorIndex> roots;  // those that take memory and do not live for ever
  std::vector<ReuseCell> cells;    // row by row
  std::size_t left_out = 0;        // storages beyond the limit
  std::size_t pairs_to_share = 0;  // unordered
  std::size_t pairs_short_of_an_order = 0;

  ReuseCell at(std::size_t row, std::size_t column) const { return cells[row * roots.size() + column]; }
};

/// Of the first `most` storages; the work and the memory grow with its square.
ReuseTable reuse_table(const Staged& staged, std::size_t most = 1'000);

}  // namespace stowage
