#include "core/graph/storages.h"

#include <algorithm>

namespace stowage {

Storages find_storages(const Staged& staged) {
  const Graph& graph = staged.graph;
  const std::size_t count = graph.tensors().size();
  std::vector<TensorIndex> taken(count, kNoTensor);  // by base: the tensor whose memory it took over
  for (const InPlace& merge : staged.in_place) taken[graph.base(merge.child)] = merge.parent;

  Storages storages;
  storages.root.assign(count, kNoTensor);
  storages.offset.assign(count, 0);
  storages.members.resize(count);
  // Chains may be as long as the graph, so each is followed only to where one was followed before.
  std::vector<TensorIndex> chain;
  const auto settle = [&](TensorIndex base) {
    TensorIndex oldest = base;
    for (; storages.root[oldest] == kNoTensor && taken[oldest] != kNoTensor; oldest = graph.base(taken[oldest])) {
      chain.push_back(oldest);
    }
    if (taken[oldest] == kNoTensor) storages.root[oldest] = oldest;
    for (; !chain.empty(); chain.pop_back()) {
      const TensorIndex at = chain.back();
      const TensorIndex below = graph.base(taken[at]);
      storages.root[at] = storages.root[below];
      storages.offset[at] = graph.base_offset(taken[at]) + storages.offset[below];
    }
  };
  for (TensorIndex t = 0; t < count; ++t) {
    const TensorIndex base = graph.base(t);
    settle(base);
    storages.root[t] = storages.root[base];
    storages.offset[t] = graph.base_offset(t) + storages.offset[base];
    storages.members[storages.root[t]].push_back(t);
  }
  return storages;
}

std::vector<StepSpan> tensor_spans(const Graph& graph, const Schedule& schedule) {
  const std::vector<std::size_t> steps = schedule.steps();
  const auto step_of = [&](OpIndex n) {
    return static_cast<std::int64_t>(steps[n]);
  };
  const auto horizon = static_cast<std::int64_t>(schedule.order.size());
  std::vector<StepSpan> spans(graph.tensors().size());
  for (TensorIndex t = 0; t < spans.size(); ++t) {
    StepSpan& span = spans[t];
    const OpIndex maker = graph.producer(t);
    if (maker != kNoOp) span = {step_of(maker), step_of(maker) + 1};
    for (const OpIndex reader : graph.readers(t)) span.end = std::max(span.end, step_of(reader) + 1);
    if (graph.is_output(t)) span.end = horizon;
  }
  for (const Loop& loop : graph.loops()) {
    if (loop.ops.empty()) continue;
    std::vector<bool> inside(graph.ops().size(), false);
    StepSpan whole{horizon, 0};
    for (const OpIndex n : loop.ops) {
      inside[n] = true;
      whole.start = std::min(whole.start, step_of(n));
      whole.end = std::max(whole.end, step_of(n) + 1);
    }
    for (const OpIndex n : loop.ops) {
      for (const TensorIndex t : graph.op(n).in) {
        // The next round reads it again.
        const bool from_outside = graph.producer(t) == kNoOp || !inside[graph.producer(t)];
        if (from_outside) spans[t].end = std::max(spans[t].end, whole.end);
      }
    }
  }
  return spans;
}

}  // namespace stowage
