#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "ui/workbench.h"

namespace stowage {

/// The op of the open graph that is looked at and edited. By name: the graph with transforms applied, which is drawn,
/// and the document's own, which is edited, number their ops differently.
struct OpPanel {
  std::string op;
  std::uint64_t selection_revision = 0;
  std::string shape_of;    // id of the tensor whose shape is being typed
  std::string shape_text;  // as it stands in the field
};

/// Looks at an op of the drawn graph.
void look_at_op(Workbench::State& state, std::string id);
/// A newly selected buffer brings up the op that makes it.
void follow_op(Workbench::State& state);
/// In the document's own graph; kNoOp when a transform has added it, or there is none.
OpIndex op_to_edit(const Workbench::State& state);

/// "1x64x56x56"; "scalar" without dimensions, "?" when unknown.
std::string shape_text(const std::optional<std::vector<std::int64_t>>& shape);
/// Reads what shape_text writes, and commas or spaces between the numbers. Error: what can be written instead.
Result<std::vector<std::int64_t>> parse_shape(std::string_view text);

/// An op behind the given one that reads its first output and makes a value of the same shape and type.
Result<Graph> with_op_behind(const Graph& graph, OpIndex op);

}  // namespace stowage
