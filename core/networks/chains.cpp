#include <fmt/format.h>

#include "core/networks/options.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

constexpr std::int64_t kLongest = 100'000;

/// Ops of one result each, all of one size and cost.
class Chain {
 public:
  Chain(std::string name, std::int64_t bytes) : bytes_(bytes) { graph_.name = std::move(name); }

  TensorIndex input(std::string id) {
    const TensorIndex t = tensor(std::move(id), TensorKind::kInput);
    graph_.inputs.push_back(t);
    return t;
  }
  TensorIndex op(const std::string& id, std::vector<TensorIndex> in, bool backward) {
    Op op;
    op.id = id;
    op.type = backward ? "Backward" : "Forward";
    op.in = std::move(in);
    op.out = {tensor(id, backward ? TensorKind::kGradient : TensorKind::kActivation)};
    op.flops = 1;
    op.backward = backward;
    const TensorIndex made = op.out.front();
    graph_.add(std::move(op));
    return made;
  }
  GraphInput take(TensorIndex output) {
    graph_.outputs = {output};
    return std::move(graph_);
  }

 private:
  TensorIndex tensor(std::string id, TensorKind kind) {
    Tensor tensor;
    tensor.id = std::move(id);
    tensor.bytes = bytes_;
    tensor.kind = kind;
    return graph_.add(std::move(tensor));
  }

  GraphInput graph_;
  std::int64_t bytes_;
};

/// 2n + 1 ops in a row; op 2n - i, of backward, also reads the result of op i, for i < n.
Result<GraphInput> build_unit_chain(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t n = params.count("n", 1, kLongest);
  const std::int64_t bytes = params.count("bytes", 1, 1LL << 40);
  if (params.error()) return tl::unexpected(*params.error());
  Chain chain("unit-chain", bytes);
  std::vector<TensorIndex> made;
  for (std::int64_t i = 0; i <= 2 * n; ++i) {
    std::vector<TensorIndex> in;
    if (i > 0) in.push_back(made.back());
    if (i > n) in.push_back(made[static_cast<std::size_t>(2 * n - i)]);
    made.push_back(chain.op(fmt::format("v{}", i), std::move(in), i > n));
  }
  return chain.take(made.back());
}

/// f1 .. fn, then bn .. b1: b_i reads f_{i-1} (the input for i = 1) and b_{i+1}. Nobody reads fn: the loss is no op
/// here, and backward begins by itself.
Result<GraphInput> build_dtr_chain(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t n = params.count("n", 1, kLongest);
  const std::int64_t bytes = params.count("bytes", 1, 1LL << 40);
  if (params.error()) return tl::unexpected(*params.error());
  Chain chain("dtr-chain", bytes);
  std::vector<TensorIndex> forward = {chain.input("x")};
  for (std::int64_t i = 1; i <= n; ++i) {
    forward.push_back(chain.op(fmt::format("f{}", i), {forward.back()}, false));
  }
  TensorIndex gradient = kNoTensor;
  for (std::int64_t i = n; i >= 1; --i) {
    std::vector<TensorIndex> in = {forward[static_cast<std::size_t>(i - 1)]};
    if (gradient != kNoTensor) in.push_back(gradient);
    gradient = chain.op(fmt::format("b{}", i), std::move(in), true);
  }
  return chain.take(gradient);
}

std::vector<ParamSpec> chain_params(std::int64_t n) {
  return {count_param("n", "length of the forward part", n, {"8", "16", "32", "64", "100"}),
          count_param("bytes", "bytes of each value", 1, {"1", "1048576"})};
}

}  // namespace

std::vector<Network> chains_networks() {
  return {{"unit-chain", "Chain with a backward half", "2n + 1 equal ops; what optimal recomputation is compared on",
           "the linear graph of Jain et al.: Checkmate, arXiv 1910.02653", chain_params(8), build_unit_chain},
          {"dtr-chain", "Chain of n forward and n backward ops", "What online eviction is compared on",
           "Kirisame et al.: Dynamic tensor rematerialization, arXiv 2006.09616", chain_params(16), build_dtr_chain}};
}

}  // namespace stowage
