#include "core/networks/gradients.h"

#include <algorithm>

#include "core/networks/gradient_graph.h"
#include "core/networks/gradient_rules.h"

namespace stowage {

Result<void> add_gradients(GraphInput& graph, const GradientOptions& options) {
  const std::size_t tensors = graph.tensors.size();
  GradientGraph gradients(graph, options);
  std::vector<const Loss*> loss_of(tensors, nullptr);
  for (const Loss& loss : options.losses) loss_of[loss.value] = &loss;

  for (std::size_t n = graph.ops.size(); n-- > 0;) {
    const Op op = graph.ops[n];  // a copy: the list grows
    bool begun = false;
    for (const TensorIndex t : op.out) {
      if (loss_of[t] == nullptr || !gradients.wants(t)) continue;
      begun = differentiate_loss(gradients, op, *loss_of[t]);
      if (!begun) gradients.arrive_from_outside(t);
    }
    const bool reached =
        std::any_of(op.out.begin(), op.out.end(), [&](TensorIndex t) { return gradients.arrived(t) != kNoTensor; });
    if (begun || !reached) continue;
    if (const Result<void> added = differentiate(gradients, op); !added) return added;
  }

  for (TensorIndex t = 0; t < tensors; ++t) {
    const bool asked = graph.tensors[t].kind == TensorKind::kWeight ||
                       std::find(options.inputs.begin(), options.inputs.end(), t) != options.inputs.end();
    if (asked && gradients.arrived(t) != kNoTensor) graph.outputs.push_back(gradients.arrived(t));
  }
  return {};
}

}  // namespace stowage
