#include "core/networks/gradient_graph.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

/// "d_relu1", but "dW" for a weight W.
std::string gradient_name(const Tensor& of) {
  return (of.kind == TensorKind::kWeight ? "d" : "d_") + of.id;
}

}  // namespace

GradientGraph::GradientGraph(GraphInput& graph, const GradientOptions& options)
    : graph_(graph),
      joint_(options.joint),
      given_(options.given),
      wants_(graph.tensors.size(), 0),
      arrived_(graph.tensors.size(), kNoTensor),
      counts_(graph.tensors.size()) {
  for (const TensorIndex t : options.inputs) wants_[t] = 1;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    if (graph.tensors[t].kind == TensorKind::kWeight) wants_[t] = 1;
  }
  for (const Op& op : graph.ops) {
    const bool depends = std::any_of(op.in.begin(), op.in.end(), [&](TensorIndex t) { return wants(t); });
    for (const TensorIndex t : op.out) wants_[t] = depends ? 1 : 0;
  }
}

TensorIndex GradientGraph::add_like(std::string id, TensorIndex t) {
  Tensor like;
  like.id = std::move(id);
  like.shape = graph_.tensors[t].shape;
  like.type = graph_.tensors[t].type;
  like.bytes = graph_.tensors[t].bytes;
  like.kind = graph_.tensors[t].kind == TensorKind::kWeight ? TensorKind::kWeightGradient : TensorKind::kGradient;
  return graph_.add(std::move(like));
}

TensorIndex GradientGraph::add_part(TensorIndex t) {
  const std::uint32_t part = ++counts_[t].parts;
  const std::string name = gradient_name(graph_.tensors[t]);
  return add_like(part == 1 ? name : fmt::format("{}.part{}", name, part), t);
}

Op& GradientGraph::append(const std::string& type, std::string id, std::vector<TensorIndex> reads,
                          std::vector<TensorIndex> makes, std::vector<SlotPair> inplace, std::int64_t flops) {
  Op op;
  op.type = type;
  op.id = std::move(id);
  op.in = std::move(reads);
  op.out = std::move(makes);
  op.inplace = std::move(inplace);
  op.flops = flops;
  op.backward = true;
  graph_.add(std::move(op));
  return graph_.ops.back();
}

void GradientGraph::arrive(TensorIndex t, TensorIndex part) {
  ++counts_[t].summed;
  if (arrived_[t] == kNoTensor) {
    arrived_[t] = part;
    return;
  }
  const std::string id = fmt::format("{}.sum{}", gradient_name(graph_.tensors[t]), counts_[t].summed);
  const TensorIndex sum = add_like(id, t);
  append("Add", id, {arrived_[t], part}, {sum}, {{0, 0}, {1, 0}}, 0);
  arrived_[t] = sum;
}

void GradientGraph::arrive_from_outside(TensorIndex t) {
  const TensorIndex given = add_part(t);
  graph_.inputs.push_back(given);
  arrive(t, given);
}

/// The first part of a weight's gradient, or the caller's memory for it, is what all others are added to.
void GradientGraph::add_onto(Made& made, TensorIndex t) {
  const std::string name = gradient_name(graph_.tensors[t]);
  TensorIndex before = arrived_[t];
  const bool fresh = before == kNoTensor;
  if (fresh && given_) {
    before = add_like(name + ".memory", t);
    graph_.inputs.push_back(before);
    made.ignored.push_back(static_cast<std::uint32_t>(made.reads.size()));
  }
  if (before != kNoTensor) {
    made.alias.push_back(
        {static_cast<std::uint32_t>(made.reads.size()), static_cast<std::uint32_t>(made.parts.size())});
    made.reads.push_back(before);
  }
  ++counts_[t].parts;
  arrived_[t] = add_like(fresh ? name : fmt::format("{}.sum{}", name, counts_[t].parts), t);
  made.parts.push_back(arrived_[t]);
}

void GradientGraph::emit(const std::string& type, const Op& forward, std::vector<TensorIndex> reads,
                         const std::vector<TensorIndex>& targets, std::vector<SlotPair> inplace, std::int64_t flops) {
  if (targets.empty()) return;
  Made made;
  made.reads = std::move(reads);
  for (const TensorIndex t : targets) {
    if (graph_.tensors[t].kind == TensorKind::kWeight) {
      add_onto(made, t);
    } else {
      made.parts.push_back(add_part(t));
    }
  }
  std::string id = made.parts.size() == 1 ? graph_.tensors[made.parts.front()].id : "grad_" + forward.id;
  Op& op = append(type, std::move(id), std::move(made.reads), made.parts, std::move(inplace), flops);
  op.alias = std::move(made.alias);
  op.ignored_inputs = std::move(made.ignored);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (graph_.tensors[targets[i]].kind != TensorKind::kWeight) arrive(targets[i], made.parts[i]);
  }
}

TensorIndex GradientGraph::emit_like(const std::string& type, const std::string& id, std::vector<TensorIndex> reads,
                                     TensorIndex t, std::vector<SlotPair> inplace) {
  const TensorIndex made = add_like(id, t);
  append(type, id, std::move(reads), {made}, std::move(inplace), 0);
  return made;
}

}  // namespace stowage
