#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/core/transforms/training_graphs.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Two layers forwards and backwards; gradients of 40 bytes, everything else of 8.
Graph two_layers() {
  GraphInput graph;
  const TensorIndex x = add_tensor(graph, "x", 8, TensorKind::kInput);
  const TensorIndex w1 = add_tensor(graph, "W1", 40, TensorKind::kWeight);
  const TensorIndex w2 = add_tensor(graph, "W2", 40, TensorKind::kWeight);
  const TensorIndex a = add_tensor(graph, "a", 8);
  const TensorIndex loss = add_tensor(graph, "loss", 8);
  const TensorIndex dw2 = add_tensor(graph, "dW2", 40, TensorKind::kWeightGradient);
  const TensorIndex da = add_tensor(graph, "d_a", 8, TensorKind::kGradient);
  const TensorIndex dw1 = add_tensor(graph, "dW1", 40, TensorKind::kWeightGradient);
  add_op(graph, "f1", {x, w1}, {a});
  add_op(graph, "f2", {a, w2}, {loss});
  add_op(graph, "b2", {loss, a, w2}, {dw2, da}, true);
  add_op(graph, "b1", {da, x}, {dw1}, true);
  graph.inputs = {x};
  graph.outputs = {dw2, dw1};
  return make_graph(std::move(graph)).value();
}

Transformed optimized(const ParamValues& params) {
  RunContext context;
  return run_transform(*find_transform("optimizer"), stage(two_layers()).value(), params, context).value();
}

std::vector<std::string> op_ids(const Staged& staged) {
  std::vector<std::string> ids;
  for (const OpIndex n : staged.schedule.order) ids.push_back(staged.graph.op(n).id);
  return ids;
}

std::int64_t load_with_state(const Staged& staged) {
  LowerOptions options;
  options.state = true;
  return load(lower(staged, options).value().problem, 0);
}

}  // namespace

TEST_CASE("optimizer: with fused updates a gradient dies right after it is made") {
  const Transformed done = optimized({{"rule", "sgd"}});
  CHECK(op_ids(done.staged) == std::vector<std::string>{"f1", "f2", "b2", "update_dW2", "b1", "update_dW1"});
  CHECK(load_of(stage(two_layers()).value()) == 40 + 8 + 40);
  CHECK(load_of(done.staged) == 8 + 8 + 40 + 8);
  CHECK(done.report.extra_ops == 2);
  CHECK(done.report.remarks.size() == 2);
}

TEST_CASE("optimizer: updates at the end keep all gradients until then") {
  const Transformed done = optimized({{"rule", "sgd"}, {"fused", "no"}});
  CHECK(op_ids(done.staged) == std::vector<std::string>{"f1", "f2", "b2", "b1", "update_dW2", "update_dW1"});
  CHECK(load_of(done.staged) == 40 + 8 + 40);
}

TEST_CASE("optimizer: momentum keeps one tensor a weight, Adam two, and the state counts only where it is asked for") {
  for (const auto& row : {std::pair("sgd", 0), std::pair("momentum", 1), std::pair("adam", 2)}) {
    const auto [rule, states] = row;
    CAPTURE(row.first);
    const Transformed done = optimized({{"rule", rule}});
    std::int64_t bytes = 0;
    for (const Tensor& tensor : done.staged.graph.tensors()) {
      if (tensor.kind == TensorKind::kState) bytes += *tensor.bytes;
    }
    CHECK(bytes == 2 * states * 40);
    CHECK(load_of(done.staged) == 64);
    CHECK(load_with_state(done.staged) == 64 + bytes);
  }
}
