#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/io/json_fields.h"

namespace stowage {

/// Values of symbolic dimensions by name: "batch" -> 32.
using Dimensions = std::map<std::string, std::int64_t, std::less<>>;

/// Reads a graph object (`tensors`, `ops`, `inputs`, `outputs`, `events`, `loops`, `groups`); shorthand is taken as
/// well: `size` for bytes, `op` for the type, ops without ids, one in-place pair that is not nested. Nothing after
/// complaints; those of the gate are among them. A symbolic dimension without a value is a complaint that asks for it.
std::optional<Graph> read_graph(json::Source& source, json::Value object, const json::Path& path,
                                const Dimensions& dimensions);

/// The same of a text that tells loops over buffers: `steps`, `loops` of {"begin","end"}, `buffers` with `def` (the
/// step that makes one), `uses` (the steps that read it) and `size`.
std::optional<Graph> read_loop_buffers(json::Source& source, json::Value object, const json::Path& path);

/// Appends the graph as an object that read_graph takes.
void append_graph(std::string& out, const Graph& graph);

}  // namespace stowage
