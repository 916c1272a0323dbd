#include "core/base/integers.h"
#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

Result<GraphInput> build_mlp(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t input = params.count("input", 1, kMaxInt64);
  const std::int64_t hidden = params.count("hidden", 1, kMaxInt64);
  const std::int64_t classes = params.count("classes", 1, kMaxInt64);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("mlp", options);
  TensorIndex x = net.input("x", {options.batch, input});
  x = net.dense("fc1", x, DenseWeights{net.weight("W1", {hidden, input}), net.weight("b1", {hidden})});
  x = net.activate("sig", x, Activation::kSigmoid);
  x = net.dense("fc2", x, DenseWeights{net.weight("W2", {classes, hidden}), net.weight("b2", {classes})});
  net.classify("prob", x);
  return net.finish();
}

}  // namespace

std::vector<Network> mlp_networks() {
  return {{"mlp", "Two-layer perceptron", "Two dense layers with a sigmoid between them, by default with training",
           "the smallest network whose gradient graph is worth planning",
           with_training({batch_param(64), count_param("input", "features of an example", 784, {"784"}),
                          count_param("hidden", "units of the hidden layer", 256, {"256"}),
                          count_param("classes", "classes to tell apart", 10, {"10"})},
                         true, false),
           build_mlp}};
}

}  // namespace stowage
