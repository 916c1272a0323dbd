#include "core/networks/summary.h"

#include "core/base/integers.h"

namespace stowage {
namespace {

void add_up_to_the_end(std::int64_t& sum, std::int64_t more) {
  sum = checked_add(sum, more).value_or(kMaxInt64);
}

bool stays(TensorKind kind) {
  return kind == TensorKind::kWeight || kind == TensorKind::kConstant || kind == TensorKind::kState;
}

}  // namespace

GraphSummary summarize(const Graph& graph) {
  GraphSummary summary;
  summary.ops = static_cast<std::int64_t>(graph.ops().size());
  summary.tensors = static_cast<std::int64_t>(graph.tensors().size());
  for (const Op& op : graph.ops()) {
    summary.backward_ops += op.backward ? 1 : 0;
    add_up_to_the_end(summary.flops, op.flops);
  }
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
    const Tensor& tensor = graph.tensor(t);
    if (tensor.kind == TensorKind::kWeight && tensor.shape) {
      add_up_to_the_end(summary.parameters, element_count(*tensor.shape).value_or(kMaxInt64));
    }
    // The gate has made sure that all sizes together fit.
    if (stays(tensor.kind)) summary.weight_bytes += tensor.bytes.value_or(0);
    const bool made = graph.producer(t) != kNoOp && !graph.is_view(t);
    if (made) summary.made_bytes += tensor.bytes.value_or(0);
  }
  return summary;
}

}  // namespace stowage
