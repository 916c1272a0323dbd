#include "ui/op_panel.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "ui/graph_view.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

template <typename Taken>
std::string free_name(std::string_view wish, const Taken& taken) {
  std::string name(wish);
  for (int k = 2; taken(name); ++k) name = fmt::format("{}_{}", wish, k);
  return name;
}

}  // namespace

void look_at_op(State& state, std::string id) {
  auto& panel = state.part<OpPanel>();
  panel.op = std::move(id);
  panel.shape_of.clear();
  panel.selection_revision = state.selection_revision;
}

void follow_op(State& state) {
  auto& panel = state.part<OpPanel>();
  if (panel.selection_revision == state.selection_revision) return;
  panel.selection_revision = state.selection_revision;
  const auto& view = state.part<GraphView>();
  if (view.staged == nullptr || state.selection.empty()) return;
  const BufferIndex first = state.selection.front();
  if (first >= view.op_of.size() || view.op_of[first] == kNoOp) return;
  panel.op = shown_graph(view).graph.op(view.op_of[first]).id;
  panel.shape_of.clear();
}

OpIndex op_to_edit(const State& state) {
  if (state.document.graph == nullptr) return kNoOp;
  return state.document.graph->find_op(state.part<OpPanel>().op);
}

std::string shape_text(const std::optional<std::vector<std::int64_t>>& shape) {
  if (!shape) return "?";
  return shape->empty() ? std::string("scalar") : fmt::format("{}", fmt::join(*shape, "x"));
}

Result<std::vector<std::int64_t>> parse_shape(std::string_view text) {
  std::vector<std::int64_t> shape;
  if (trim(text) == "scalar") return shape;
  std::string_view rest = text;
  const std::string_view between = "xX\u00D7, ";
  while (true) {
    const std::size_t from = rest.find_first_not_of(between);
    if (from == std::string_view::npos) break;
    rest.remove_prefix(from);
    const std::size_t length = std::min(rest.find_first_of(between), rest.size());
    const std::optional<std::int64_t> side = parse_int(rest.substr(0, length));
    if (!side || *side < 0) {
      return input_error(
          fmt::format("{}: a shape is written as 1x64x56x56, or 'scalar'", printable_utf8(rest.substr(0, length))));
    }
    shape.push_back(*side);
    rest.remove_prefix(length);
  }
  if (shape.empty()) return input_error("a shape is written as 1x64x56x56, or 'scalar'");
  return shape;
}

Result<Graph> with_op_behind(const Graph& graph, OpIndex op) {
  const Op& before = graph.op(op);
  if (before.out.empty()) return input_error(fmt::format("{} makes nothing that an op could read", before.id));
  const Tensor& read = graph.tensor(before.out.front());
  Tensor made;
  made.shape = read.shape;
  made.type = read.type;
  if (!read.shape) made.bytes = read.bytes;
  Op added;
  added.id = free_name(before.id + "_next", [&](const std::string& id) { return graph.find_op(id) != kNoOp; });
  added.type = "Op";
  added.stream = before.stream;
  added.in = {before.out.front()};
  made.id = free_name(added.id + "_out", [&](const std::string& id) { return graph.find_tensor(id) != kNoTensor; });
  const auto with_tensor = add_tensor(graph, std::move(made));
  if (!with_tensor) return with_tensor;
  added.out = {static_cast<TensorIndex>(with_tensor->tensors().size() - 1)};
  return add_op(*with_tensor, std::move(added), op + std::size_t{1});
}

}  // namespace stowage
