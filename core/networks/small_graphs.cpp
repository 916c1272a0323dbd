#include "core/base/integers.h"
#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

/// exp(a * b + 3): what an executor without a plan, with a pool and with a plan makes of three ops.
Result<GraphInput> build_exp(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t elements = params.count("elements", 1, kMaxInt64);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("exp(a*b+3)", options);
  const TensorIndex a = net.input("a", {elements});
  const TensorIndex b = net.input("b", {elements});
  net.differentiate(a);
  net.differentiate(b);
  net.output(net.exp("exp", net.add_constant("add3", net.mul("mul", a, b))));
  return net.finish();
}

/// The lecture's example of tags: elementwise B = f(A), C = f(B), G = E * F; pooling F and E keep the size but cannot
/// run in place.
Result<GraphInput> build_lecture(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t elements = params.count("elements", 1, kMaxInt64);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  const bool pool_first = params.choice("order") == "BFCEG";
  NetBuilder net("lecture", options);
  const PoolSpec same_size{.kernel = 1, .stride = 1};
  const TensorIndex a = net.input("A", {1, 1, 1, elements});
  const TensorIndex b = net.activate("B", a, Activation::kSigmoid);
  TensorIndex f = kNoTensor;
  if (pool_first) f = net.average_pool("F", b, same_size);
  const TensorIndex c = net.activate("C", b, Activation::kSigmoid);
  if (!pool_first) f = net.average_pool("F", b, same_size);
  const TensorIndex e = net.average_pool("E", c, same_size);
  net.output(net.mul("G", e, f));
  return net.finish();
}

ParamSpec elements_param() {
  return count_param("elements", "elements of each value", 1, {"1", "1024", "1048576"});
}

}  // namespace

std::vector<Network> small_graphs_networks() {
  return {{"exp",
           "exp(a*b+3)",
           "Three elementwise ops in a row",
           "lecture on executors of dataflow graphs",
           {elements_param(), training_param(), type_param()},
           build_exp},
          {"lecture",
           "Lecture graph A to G",
           "Five ops whose plan depends on their order; the example of tags",
           "lecture on memory planning by tags",
           {elements_param(), {"order", "which of C and F runs first", "BCFEG", {"BCFEG", "BFCEG"}}, type_param()},
           build_lecture}};
}

}  // namespace stowage
