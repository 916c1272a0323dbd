#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// The same problem with all buffers in one space: conflicts whatever the choice of spaces will be.
Problem in_one_space(const Problem& problem);

/// A problem as TVM's memory planner sees it: each buffer with an ordered list of those it conflicts with, and with
/// pools in which it may lie, best first.
class ConflictLists {
 public:
  /// In a conflict graph the list of a buffer is that of the edges that begin with it, in their order. Otherwise it is
  /// everything it meets, by name. Pools play no role: buffers of different pools conflict too.
  explicit ConflictLists(const Problem& problem);

  /// As given: may be one-sided, name a buffer twice, or itself.
  std::span<const BufferIndex> given(BufferIndex i) const { return lists_[i].given; }
  /// Completed: after those given come the buffers whose lists have this one.
  std::span<const BufferIndex> complete(BufferIndex i) const { return lists_[i].complete; }

  /// Largest first, ties by the longer list, or the other way round; then the greater name, then the row.
  enum class First { kSize, kConflicts };
  std::vector<BufferIndex> in_order(First first) const;

 private:
  struct Lists {
    std::vector<BufferIndex> given;
    std::vector<BufferIndex> complete;
  };
  const Problem& problem_;
  std::vector<Lists> lists_;
};

/// The pools of a buffer, best first: its candidates, else its own space.
std::vector<std::uint16_t> pools_of(const Problem& problem, BufferIndex i);

/// The offsets in a pool that a buffer's alignment and the pool's base allow.
Grid grid_in(const Problem& problem, BufferIndex i, std::uint16_t pool);

}  // namespace stowage
