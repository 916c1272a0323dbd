#pragma once

#include "core/base/result.h"
#include "core/networks/gradient_graph.h"

namespace stowage {

/// Adds the backward ops of one forward op, the gradient of at least one of whose results has arrived. Error: its type
/// has no rule.
Result<void> differentiate(GradientGraph& gradients, const Op& op);

/// The beginning of backward: the gradient of a loss with respect to what its op reads. False when that op is no loss
/// by itself, so that the gradient of its result has to be given.
bool differentiate_loss(GradientGraph& gradients, const Op& op, const Loss& loss);

}  // namespace stowage
