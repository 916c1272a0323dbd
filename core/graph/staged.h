#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/schedule.h"

namespace stowage {

/// The output `child` of op `op` takes the memory of its input `parent`.
struct InPlace {
  OpIndex op = kNoOp;
  TensorIndex child = kNoTensor;
  TensorIndex parent = kNoTensor;
  bool operator==(const InPlace&) const = default;
};

/// Tensors bound to one storage: one offset, the size of the largest; each keeps its own life.
struct SharedStorage {
  std::vector<TensorIndex> members;  // in the order in which they came in
  std::int64_t bytes = 0;
  bool operator==(const SharedStorage&) const = default;
};

/// An address space that a transform brings in: host memory, the other end of the arena.
struct StagedSpace {
  std::string id;
  std::optional<std::int64_t> capacity;
  bool operator==(const StagedSpace&) const = default;
};

/// What flows through the pipeline of transforms: a graph in an order, and what has been decided about its memory so
/// far. Transforms return a new one; lower() makes a problem of it.
struct Staged {
  Graph graph;
  Schedule schedule;
  std::vector<InPlace> in_place;        // in the order they were decided; a chain may be several long
  std::vector<SharedStorage> storages;  // disjoint; tensors in none are on their own
  std::vector<TensorGroup> groups;      // contiguous, beside those of the graph itself
  std::vector<StagedSpace> spaces;      // beside the default one; tensors name theirs in Tensor::space
  std::vector<std::string>
      origin;  // by op: the id of the op of the first graph that it repeats or serves; may be empty
};

}  // namespace stowage
