#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// The free slots of Triton's first pass: stretches of time in which everything above an offset is free. They may
/// overlap in time. A buffer may take the lowest slot when its lifetime meets this slot and no other one.
class FreeSlots {
 public:
  struct Slot {
    std::int64_t offset = 0;
    std::int32_t start = 0;  // ranks on the axis of all lifetimes' ends
    std::int32_t end = 0;
  };

  /// `order`: the buffers that want a place, the first served first; all of them take memory.
  FreeSlots(const Problem& problem, std::span<const BufferIndex> order);

  /// The lowest slot, the oldest of equals, taken out; nothing when there is none.
  std::optional<Slot> pop();
  /// The first of the order, as its rank there, that meets a popped slot and no other.
  std::optional<std::uint32_t> first_fitting(const Slot& slot) const;
  /// The buffer of this rank took the slot and ends at `end`. Free from now on: above it while it lives, and the slot
  /// beside it.
  void take(const Slot& slot, std::uint32_t rank, std::int64_t end);
  /// A popped slot again, from a higher offset on.
  void put_back(const Slot& slot);

 private:
  struct Life {
    std::int32_t start = 0;
    std::int32_t end = 0;
    std::uint32_t rank = 0;  // in the order
    bool waits = true;
  };
  /// Lives below a node of the tree that still wait.
  struct Node {
    std::int32_t least_end = 0;
    std::int32_t greatest_end = 0;
    std::uint32_t least_rank = 0;
  };
  /// How many slots cover a stretch of time; counts of a node are relative to the nodes above it.
  struct Cover {
    std::int32_t least = 0;
    std::int32_t most = 0;
    std::int32_t own = 0;
  };

  void insert(const Slot& slot);
  void cover(std::int32_t start, std::int32_t end, std::int32_t change, std::size_t node, std::int32_t begin,
             std::int32_t limit);
  std::int32_t next(bool covered, std::int32_t from, std::int32_t above, std::size_t node, std::int32_t begin,
                    std::int32_t limit) const;
  std::int32_t previous_covered(std::int32_t before, std::int32_t above, std::size_t node, std::int32_t begin,
                                std::int32_t limit) const;
  void search(std::size_t first, std::size_t last, std::int32_t after, std::int32_t latest, std::size_t node,
              std::size_t begin, std::size_t end, std::uint32_t& best) const;
  void set_leaf(std::size_t at);
  std::size_t first_from(std::int32_t start) const;

  std::multimap<std::int64_t, Slot> slots_;
  std::vector<Life> lives_;                // by start
  std::vector<std::size_t> life_of_rank_;  // index into lives_
  std::size_t leaves_ = 1;
  std::vector<Node> nodes_;
  std::int32_t axis_ = 1;  // a power of two, at least the number of stretches between times
  std::vector<Cover> covers_;
};

}  // namespace stowage
