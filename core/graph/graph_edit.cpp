#include "core/graph/graph_edit.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

Result<Graph> admitted(GraphInput input) {
  auto graph = make_graph(std::move(input));
  if (graph) return std::move(*graph);
  const GraphFault& fault = graph.error().front();
  return input_error(fault.where.empty() ? fault.message : fmt::format("{}: {}", fault.where, fault.message));
}

/// Ops and tensors under new numbers; kNoOp and kNoTensor: gone.
void renumber_ops(GraphInput& input, const std::vector<OpIndex>& becomes) {
  std::vector<Op> ops(
      static_cast<std::size_t>(std::count_if(becomes.begin(), becomes.end(), [](OpIndex n) { return n != kNoOp; })));
  for (OpIndex n = 0; n < becomes.size(); ++n) {
    if (becomes[n] != kNoOp) ops[becomes[n]] = std::move(input.ops[n]);
  }
  input.ops = std::move(ops);
  for (Event& event : input.events) event = {becomes[event.after], becomes[event.before]};
  std::erase_if(input.events, [](const Event& event) { return event.after == kNoOp || event.before == kNoOp; });
  for (Loop& loop : input.loops) {
    for (OpIndex& n : loop.ops) n = becomes[n];
    std::erase(loop.ops, kNoOp);
  }
}

void remove_tensors(GraphInput& input, const std::vector<bool>& gone) {
  std::vector<TensorIndex> becomes(gone.size(), kNoTensor);
  std::vector<Tensor> left;
  for (TensorIndex t = 0; t < gone.size(); ++t) {
    if (gone[t]) continue;
    becomes[t] = static_cast<TensorIndex>(left.size());
    left.push_back(std::move(input.tensors[t]));
  }
  input.tensors = std::move(left);
  for (Tensor& tensor : input.tensors) {
    if (tensor.view_of != kNoTensor) tensor.view_of = becomes[tensor.view_of];
  }
  const auto follow = [&](std::vector<TensorIndex>& list) {
    for (TensorIndex& t : list) t = becomes[t];
    std::erase(list, kNoTensor);
  };
  for (Op& op : input.ops) {
    follow(op.in);
    follow(op.out);
  }
  follow(input.inputs);
  follow(input.outputs);
  for (TensorGroup& group : input.groups) follow(group.members);
  std::erase_if(input.groups, [](const TensorGroup& group) { return group.members.empty(); });
}

/// The given order must still be one that can be run.
Result<Graph> runnable(Result<Graph> graph) {
  if (!graph) return graph;
  for (OpIndex n = 0; n < graph->ops().size(); ++n) {
    const auto waits = graph->waits_for(n);
    if (!waits.empty() && waits.back() > n) {
      return input_error(
          fmt::format("{} waits for {} and cannot run before it", graph->op(n).id, graph->op(waits.back()).id));
    }
  }
  return graph;
}

}  // namespace

Result<Graph> move_op(const Graph& graph, OpIndex op, std::size_t position) {
  const std::size_t to = std::min(position, graph.ops().size() - 1);
  std::vector<OpIndex> order(graph.ops().size());
  std::iota(order.begin(), order.end(), OpIndex{0});
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(op));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), op);
  std::vector<OpIndex> becomes(order.size());
  for (OpIndex place = 0; place < order.size(); ++place) becomes[order[place]] = place;
  GraphInput input = graph.input();
  renumber_ops(input, becomes);
  return runnable(admitted(std::move(input)));
}

Result<Graph> add_event(const Graph& graph, OpIndex after, OpIndex before) {
  if (after == before) return input_error(fmt::format("{} cannot wait for itself", graph.op(after).id));
  const Event event{after, before};
  if (std::find(graph.events().begin(), graph.events().end(), event) != graph.events().end())
    return input_error(fmt::format("{} waits for {} already", graph.op(before).id, graph.op(after).id));
  GraphInput input = graph.input();
  input.events.push_back(event);
  return runnable(admitted(std::move(input)));
}

Result<Graph> remove_event(const Graph& graph, OpIndex after, OpIndex before) {
  GraphInput input = graph.input();
  if (std::erase(input.events, Event{after, before}) == 0)
    return input_error(fmt::format("there is no event from {} to {}", graph.op(after).id, graph.op(before).id));
  return admitted(std::move(input));
}

Result<Graph> toggle_in_place(const Graph& graph, OpIndex op, std::uint32_t in, std::uint32_t out) {
  GraphInput input = graph.input();
  std::vector<SlotPair>& pairs = input.ops[op].inplace;
  const auto removed = std::erase_if(pairs, [&](const SlotPair& pair) { return pair.in == in && pair.out == out; });
  if (removed == 0) pairs.push_back(SlotPair{in, out, false});
  return admitted(std::move(input));
}

Result<Graph> set_shape(const Graph& graph, TensorIndex tensor, std::vector<std::int64_t> shape, DataType type) {
  GraphInput input = graph.input();
  Tensor& changed = input.tensors[tensor];
  changed.shape = std::move(shape);
  changed.type = type;
  changed.bytes.reset();
  return admitted(std::move(input));
}

Result<Graph> add_op(const Graph& graph, Op op, std::size_t position) {
  GraphInput input = graph.input();
  const auto at = static_cast<OpIndex>(std::min(position, input.ops.size()));
  std::vector<OpIndex> becomes(input.ops.size() + 1);
  for (OpIndex n = 0; n < input.ops.size(); ++n) becomes[n] = n < at ? n : n + 1;
  becomes.back() = at;
  input.ops.push_back(std::move(op));
  renumber_ops(input, becomes);
  return runnable(admitted(std::move(input)));
}

Result<Graph> add_tensor(const Graph& graph, Tensor tensor) {
  GraphInput input = graph.input();
  input.add(std::move(tensor));
  return admitted(std::move(input));
}

Result<Graph> remove_op(const Graph& graph, OpIndex op) {
  GraphInput input = graph.input();
  std::vector<bool> gone(input.tensors.size(), false);
  for (const TensorIndex t : graph.op(op).out) {
    for (const OpIndex reader : graph.readers(t)) {
      if (reader != op)
        return input_error(
            fmt::format("{} reads {}, which {} makes", graph.op(reader).id, graph.tensor(t).id, graph.op(op).id));
    }
    gone[t] = true;
  }
  for (TensorIndex t = 0; t < input.tensors.size(); ++t) {
    const TensorIndex of = input.tensors[t].view_of;
    if (of != kNoTensor && gone[of] && !gone[t])
      return input_error(fmt::format("{} is a view of {}", input.tensors[t].id, input.tensors[of].id));
  }
  std::vector<OpIndex> becomes(input.ops.size());
  for (OpIndex n = 0; n < becomes.size(); ++n) becomes[n] = n == op ? kNoOp : n > op ? n - 1 : n;
  renumber_ops(input, becomes);
  remove_tensors(input, gone);
  return admitted(std::move(input));
}

Result<Graph> remove_tensor(const Graph& graph, TensorIndex tensor) {
  const std::string& id = graph.tensor(tensor).id;
  if (graph.producer(tensor) != kNoOp)
    return input_error(fmt::format("{} makes {}", graph.op(graph.producer(tensor)).id, id));
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    const std::vector<TensorIndex>& in = graph.op(n).in;
    if (std::find(in.begin(), in.end(), tensor) != in.end())
      return input_error(fmt::format("{} reads {}", graph.op(n).id, id));
  }
  for (const Tensor& other : graph.tensors()) {
    if (other.view_of == tensor) return input_error(fmt::format("{} is a view of {}", other.id, id));
  }
  GraphInput input = graph.input();
  std::vector<bool> gone(input.tensors.size(), false);
  gone[tensor] = true;
  remove_tensors(input, gone);
  return admitted(std::move(input));
}

}  // namespace stowage
