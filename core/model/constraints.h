#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

/// Two buffers that may not share memory, whatever their lifetimes say. The list keeps its order, and the order of each
/// pair: planners that work on conflict lists take buffer `a`'s list to be the edges that begin with it.
struct ConflictEdge {
  BufferIndex a = kNoBuffer;
  BufferIndex b = kNoBuffer;
  bool operator==(const ConflictEdge&) const = default;
};

/// `child` lies inside `parent`, `offset` bytes above its start: a view, an in-place result.
struct Alias {
  BufferIndex child = kNoBuffer;
  BufferIndex parent = kNoBuffer;
  std::int64_t offset = 0;
  bool operator==(const Alias&) const = default;
};

/// Members lie one right above the other in this order, each after `pad` bytes and at its alignment.
struct Group {
  std::vector<BufferIndex> members;
  std::int64_t pad = 0;
  bool operator==(const Group&) const = default;
};

/// What ties buffers to each other beyond their lifetimes.
struct Constraints {
  bool conflicts_only = false;  // a conflict graph: lifetimes are unknown, only the edges are conflicts
  std::vector<ConflictEdge> conflicts;
  std::vector<std::vector<BufferIndex>> colocations;  // the buffers of each list share one offset
  std::vector<Alias> aliases;
  std::vector<Group> groups;

  bool ties_offsets() const { return !colocations.empty() || !aliases.empty() || !groups.empty(); }
  bool empty() const { return !conflicts_only && conflicts.empty() && !ties_offsets(); }
  bool operator==(const Constraints&) const = default;
};

}  // namespace stowage
