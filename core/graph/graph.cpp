#include "core/graph/graph.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/graph/graph_faults.h"

namespace stowage {
namespace {

constexpr std::array<std::string_view, 9> kKinds = {"activation",      "input", "weight",    "constant", "gradient",
                                                    "weight_gradient", "state", "workspace", "output"};

/// begin[i] .. begin[i + 1] of the values: those with key i, in the order in which they are given.
struct Grouped {
  std::vector<std::size_t> begin;
  std::vector<OpIndex> values;
};

Grouped group_by_key(std::size_t keys, const std::vector<std::pair<std::uint32_t, OpIndex>>& pairs) {
  Grouped grouped;
  grouped.begin.assign(keys + 1, 0);
  for (const auto& [key, value] : pairs) ++grouped.begin[key + 1];
  for (std::size_t key = 0; key < keys; ++key) grouped.begin[key + 1] += grouped.begin[key];
  std::vector<std::size_t> next(grouped.begin.begin(), grouped.begin.end() - 1);
  grouped.values.resize(pairs.size());
  for (const auto& [key, value] : pairs) grouped.values[next[key]++] = value;
  return grouped;
}

/// A tensor of no declared size takes what its shape and type need; a declared input is one.
void complete(GraphInput& input) {
  for (Tensor& tensor : input.tensors) {
    if (!tensor.bytes && tensor.shape) tensor.bytes = packed_bytes(*tensor.shape, tensor.type);
  }
  for (const TensorIndex t : input.inputs) {
    if (input.tensors[t].kind == TensorKind::kActivation) input.tensors[t].kind = TensorKind::kInput;
  }
}

}  // namespace

std::string_view name_of(TensorKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::optional<TensorKind> tensor_kind(std::string_view name) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), name);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<TensorKind>(found - kKinds.begin());
}

TensorIndex GraphInput::add(Tensor tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<TensorIndex>(tensors.size() - 1);
}

OpIndex GraphInput::add(Op op) {
  ops.push_back(std::move(op));
  return static_cast<OpIndex>(ops.size() - 1);
}

std::span<const OpIndex> Graph::readers(TensorIndex t) const {
  return {readers_.data() + reader_begin_[t], reader_begin_[t + 1] - reader_begin_[t]};
}

std::span<const OpIndex> Graph::waits_for(OpIndex n) const {
  return {waits_.data() + wait_begin_[n], wait_begin_[n + 1] - wait_begin_[n]};
}

TensorIndex Graph::find_tensor(std::string_view id) const {
  const auto found =
      std::find_if(input_.tensors.begin(), input_.tensors.end(), [&](const Tensor& tensor) { return tensor.id == id; });
  return found == input_.tensors.end() ? kNoTensor : static_cast<TensorIndex>(found - input_.tensors.begin());
}

OpIndex Graph::find_op(std::string_view id) const {
  const auto found = std::find_if(input_.ops.begin(), input_.ops.end(), [&](const Op& op) { return op.id == id; });
  return found == input_.ops.end() ? kNoOp : static_cast<OpIndex>(found - input_.ops.begin());
}

void Graph::find_bases() {
  const std::vector<TensorIndex> parents = view_parents(input_);
  bases_.assign(parents.size(), kNoTensor);
  base_offsets_.assign(parents.size(), 0);
  // Parents may come after their views, so each chain is followed to its end or to where one was followed before; the
  // gate has made sure that it has an end.
  std::vector<TensorIndex> chain;
  for (TensorIndex t = 0; t < parents.size(); ++t) {
    TensorIndex base = t;
    for (; bases_[base] == kNoTensor && parents[base] != base; base = parents[base]) chain.push_back(base);
    if (bases_[base] == kNoTensor) bases_[base] = base;
    for (; !chain.empty(); chain.pop_back()) {
      const TensorIndex at = chain.back();
      const Tensor& tensor = input_.tensors[at];
      bases_[at] = bases_[parents[at]];
      base_offsets_[at] = base_offsets_[parents[at]] + (tensor.view_of != kNoTensor ? tensor.view_offset : 0);
    }
  }
}

void Graph::find_readers() {
  producers_.assign(input_.tensors.size(), kNoOp);
  std::vector<std::pair<std::uint32_t, OpIndex>> reads;
  for (OpIndex n = 0; n < input_.ops.size(); ++n) {
    const Op& op = input_.ops[n];
    for (const TensorIndex t : op.out) producers_[t] = n;
    for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
      const bool ignored =
          std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) != op.ignored_inputs.end();
      if (!ignored) reads.emplace_back(op.in[slot], n);
    }
  }
  Grouped grouped = group_by_key(input_.tensors.size(), reads);
  reader_begin_ = std::move(grouped.begin);
  readers_ = std::move(grouped.values);
}

void Graph::find_outputs() {
  is_output_.assign(input_.tensors.size(), 0);
  for (const TensorIndex t : input_.outputs) is_output_[t] = 1;
  bool any = !input_.outputs.empty();
  for (TensorIndex t = 0; t < input_.tensors.size(); ++t) {
    if (input_.tensors[t].kind != TensorKind::kOutput) continue;
    is_output_[t] = 1;
    any = true;
  }
  for (TensorIndex t = 0; t < input_.tensors.size(); ++t) {
    if (!any && producers_[t] != kNoOp && readers(t).empty()) is_output_[t] = 1;
    if (is_output_[t] != 0) outputs_.push_back(t);
  }
}

void Graph::find_waits() {
  std::vector<std::pair<std::uint32_t, OpIndex>> waits = order_edges(input_);
  std::sort(waits.begin(), waits.end());
  waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  Grouped grouped = group_by_key(input_.ops.size(), waits);
  wait_begin_ = std::move(grouped.begin);
  waits_ = std::move(grouped.values);
}

tl::expected<Graph, std::vector<GraphFault>> make_graph(GraphInput input) {
  std::vector<GraphFault> faults = find_faults(input);
  if (!faults.empty()) return tl::unexpected(std::move(faults));
  complete(input);
  Graph graph;
  graph.input_ = std::move(input);
  graph.find_bases();
  graph.find_readers();
  graph.find_outputs();
  graph.find_waits();
  return graph;
}

}  // namespace stowage
