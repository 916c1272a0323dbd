#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace stowage {

/// A value that training makes small.
struct Loss {
  TensorIndex value = kNoTensor;
  /// Softmax probabilities are compared with these; a CrossEntropy op has its labels itself. Without, the gradient of
  /// the value comes from outside: an input of the graph.
  TensorIndex labels = kNoTensor;
};

struct GradientOptions {
  std::vector<Loss> losses;
  std::vector<TensorIndex> inputs;  // besides weights, these inputs get a gradient that is an output
  bool joint = true;   // one backward op for all inputs of a layer with weights or of a product; else one for each
  bool given = false;  // memory for gradients of weights is the caller's: they are inputs that backward ops write into
};

/// Extends the graph by its gradients, in reverse order of the ops: what a forward op has made and a backward op reads
/// then lives until that one has run, as liveness finds by itself. What is kept for backward:
///   convolution, dense, product   the inputs, not the result
///   sigmoid, tanh, relu, exp      the result only; backward in place on the arriving gradient
///   gelu, layer and batch norm    the input (norms: also mean and rstd, two small results of their own)
///   softmax                       the result
///   softmax as a loss             probabilities and labels, backward in place on the probabilities
///   cross entropy                 logits and labels
///   max pool                      input and result
///   average pool, add, concat, split  nothing; the inputs of an add share the arriving gradient
///   mul                           both inputs
///   dropout                       the mask
///   embedding                     the indices
/// A fused op is differentiated as a whole: it keeps the input, and the result when its activation needs that.
/// Gradients of a tensor that several ops read are summed as they arrive; each sum may take the place of the first. The
/// gradient of a weight is not summed by itself: each further op adds to what the one before has made (a must-alias).
///
/// The gradient of x is called d_x, further parts of it d_x.part2, sums d_x.sum2; that of a weight W is dW, of kind
/// weight gradient (parts too), and an output. Updates of running statistics are not modelled. Error: an op type
/// without a rule.
Result<void> add_gradients(GraphInput& graph, const GradientOptions& options);

}  // namespace stowage
