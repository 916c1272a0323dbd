#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace stowage {

// Changes that a person makes to a graph: each gives the graph after it and leaves the one before as it is. Errors say
// what stands against it, with the names of what it concerns.

/// The op stands at another position of the given order; those between move up. Error: it would run before something
/// that it waits for, or behind something that waits for it.
Result<Graph> move_op(const Graph& graph, OpIndex op, std::size_t position);
/// `before` waits for `after`. Errors: the same op, a circle, it does so already.
Result<Graph> add_event(const Graph& graph, OpIndex after, OpIndex before);
/// Error: there is no such event.
Result<Graph> remove_event(const Graph& graph, OpIndex after, OpIndex before);
/// Declares that the output may take the memory of the input, or no longer. Positions in Op::in and Op::out.
Result<Graph> toggle_in_place(const Graph& graph, OpIndex op, std::uint32_t in, std::uint32_t out);
/// The size follows from shape and type; a size that was given before is forgotten.
Result<Graph> set_shape(const Graph& graph, TensorIndex tensor, std::vector<std::int64_t> shape, DataType type);
/// Error: an op that nobody can run there, a tensor that is made twice.
Result<Graph> add_op(const Graph& graph, Op op, std::size_t position);
Result<Graph> add_tensor(const Graph& graph, Tensor tensor);
/// With the tensors that it makes. Error: another op reads one of them.
Result<Graph> remove_op(const Graph& graph, OpIndex op);
/// Error: an op makes or reads it, another tensor is a view of it.
Result<Graph> remove_tensor(const Graph& graph, TensorIndex tensor);

}  // namespace stowage
