#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/json_fields.h"
#include "core/transforms/transform.h"

namespace stowage {

/// Values of symbolic dimensions by name: "batch" -> 32.
using Dimensions = std::map<std::string, std::int64_t, std::less<>>;

/// The symbolic dimensions of a graph. One without a value is a complaint that asks for it, or where it may stay open
/// the size of what has it is unknown.
struct Symbols {
  bool may_stay_open = false;
  std::set<std::string> names;
  std::set<std::string> open;  // those without a value, where they may
};

inline constexpr std::string_view kGraphFormat = "stowage-graph";
inline constexpr std::int64_t kGraphVersion = 1;

/// Reads a graph object (`format`, `version`, `name`, `tensors`, `ops`, `inputs`, `outputs`, `events`, `loops`,
/// `groups`); shorthand is taken as well: `size` for bytes, `op` for the type, ops without ids, one in-place pair that
/// is not nested. Nothing after complaints; those of the gate are among them. `pipeline`, unless null, receives the
/// member of that name: a file of its own may have it among the members of the graph. Without `symbols` none may stay
/// open.
std::optional<Graph> read_graph(json::Source& source, json::Value object, const json::Path& path,
                                const Dimensions& dimensions, std::optional<json::Value>* pipeline = nullptr,
                                Symbols* symbols = nullptr);

/// The same of a text that tells loops over buffers: `steps`, `loops` of {"begin","end"}, `buffers` with `def` (the
/// step that makes one), `uses` (the steps that read it) and `size`.
std::optional<Graph> read_loop_buffers(json::Source& source, json::Value object, const json::Path& path);

/// Appends the graph as an object that read_graph takes.
void append_graph(std::string& out, const Graph& graph);
/// The same as a file of its own: with format, version and name, and with the pipeline unless it is null.
void append_graph_file(std::string& out, const Graph& graph, const std::vector<PipelineStage>* pipeline);

}  // namespace stowage
