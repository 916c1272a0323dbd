#include "core/graph/order_load.h"

#include <algorithm>
#include <map>

namespace stowage {
namespace {

/// Kept by the caller or for the whole run, whatever the order.
bool counts(const Tensor& tensor) {
  switch (tensor.kind) {
    case TensorKind::kWeight:
    case TensorKind::kConstant:
    case TensorKind::kState:
      return false;
    case TensorKind::kInput:
      return tensor.donated;
    default:
      return true;
  }
}

}  // namespace

OrderLoad::OrderLoad(const Graph& graph) {
  const std::size_t tensors = graph.tensors().size();
  const std::size_t ops = graph.ops().size();
  bytes_.assign(tensors, 0);
  readers_left_.assign(tensors, 0);
  uses_.resize(ops);
  made_.assign(ops, 0);
  workspace_.assign(ops, 0);
  waiting_.assign(ops, 0);
  followers_.resize(ops);

  // A storage is named by its base; a view that is larger than what it lies in stretches it.
  for (TensorIndex t = 0; t < tensors; ++t) {
    const TensorIndex base = graph.base(t);
    if (!counts(graph.tensor(base))) continue;
    bytes_[base] = std::max(bytes_[base], graph.base_offset(t) + graph.tensor(t).bytes.value_or(0));
    if (graph.is_output(t)) readers_left_[base] = 1;
  }
  std::vector<bool> read(tensors, false);
  for (OpIndex n = 0; n < ops; ++n) {
    std::map<TensorIndex, std::uint32_t> used;
    for (const TensorIndex t : graph.op(n).in) ++used[graph.base(t)];
    for (const auto& [base, times] : used) {
      uses_[n].push_back(Use{base, times});
      readers_left_[base] += times;
      read[base] = true;
    }
    waiting_[n] = static_cast<std::uint32_t>(graph.waits_for(n).size());
    for (const OpIndex before : graph.waits_for(n)) followers_[before].push_back(n);
    workspace_[n] = graph.op(n).workspace;
  }
  for (TensorIndex t = 0; t < tensors; ++t) {
    if (graph.is_view(t)) continue;
    const OpIndex maker = graph.producer(t);
    if (maker == kNoOp) {
      if (read[t]) live_ += bytes_[t];
      continue;
    }
    made_[maker] += bytes_[t];
    if (readers_left_[t] == 0) {  // dies with its own step
      readers_left_[t] = 1;
      uses_[maker].push_back(Use{t, 1});
    }
  }
}

void OrderLoad::run(OpIndex n) {
  live_ += made_[n];
  for (const Use& use : uses_[n]) {
    readers_left_[use.storage] -= use.times;
    if (readers_left_[use.storage] == 0) live_ -= bytes_[use.storage];
  }
  for (const OpIndex follower : followers_[n]) --waiting_[follower];
}

void OrderLoad::take_back(OpIndex n) {
  for (const OpIndex follower : followers_[n]) ++waiting_[follower];
  for (const Use& use : uses_[n]) {
    if (readers_left_[use.storage] == 0) live_ += bytes_[use.storage];
    readers_left_[use.storage] += use.times;
  }
  live_ -= made_[n];
}

std::int64_t load_of_order(const Graph& graph, const std::vector<OpIndex>& order) {
  OrderLoad load(graph);
  std::int64_t most = load.live();
  for (const OpIndex n : order) {
    most = std::max(most, load.peak_of(n));
    load.run(n);
  }
  return most;
}

}  // namespace stowage
