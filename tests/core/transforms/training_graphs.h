#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/graph/lower.h"
#include "core/model/load.h"
#include "core/transforms/transform.h"

namespace stowage::testing {

inline TensorIndex add_tensor(GraphInput& graph, std::string id, std::int64_t bytes,
                              TensorKind kind = TensorKind::kActivation) {
  Tensor tensor;
  tensor.id = std::move(id);
  tensor.bytes = bytes;
  tensor.kind = kind;
  return graph.add(std::move(tensor));
}

inline void add_op(GraphInput& graph, std::string id, std::vector<TensorIndex> in, std::vector<TensorIndex> out,
                   bool backward = false) {
  Op op;
  op.id = std::move(id);
  op.type = "Op";
  op.in = std::move(in);
  op.out = std::move(out);
  op.backward = backward;
  op.flops = 1;
  graph.add(std::move(op));
}

/// Values 0 .. 2n of one byte: i is made of i - 1, and above n also of 2n - i.
inline GraphInput unit_chain(std::uint32_t n) {
  GraphInput graph;
  graph.name = "unit chain";
  for (std::uint32_t i = 0; i <= 2 * n; ++i) {
    const TensorIndex t = add_tensor(graph, "v" + std::to_string(i), 1);
    std::vector<TensorIndex> in;
    if (i > 0) in.push_back(i - 1);
    if (i > n) in.push_back(2 * n - i);
    add_op(graph, "op" + std::to_string(i), in, {t}, i > n);
  }
  return graph;
}

/// A forward part of `n` ops with branches and weights, and the way back through all of it: each backward op reads the
/// gradient that arrives and what its forward op has read.
inline GraphInput random_training(std::uint64_t seed, std::uint32_t n) {
  Random random(seed);
  GraphInput graph;
  graph.name = "random training";
  const TensorIndex x = add_tensor(graph, "x", 8, TensorKind::kInput);
  graph.inputs.push_back(x);
  std::vector<std::vector<TensorIndex>> reads;
  std::vector<TensorIndex> values;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<TensorIndex> in = {values.empty() ? x : values.back()};
    if (i > 2 && random.uniform(0, 3) == 0)
      in.push_back(values[values.size() - static_cast<std::size_t>(random.uniform(2, 3))]);
    reads.push_back(in);
    if (random.uniform(0, 1) == 0) {
      in.push_back(add_tensor(graph, "w" + std::to_string(i), random.uniform(1, 50), TensorKind::kWeight));
    }
    values.push_back(add_tensor(graph, "v" + std::to_string(i), random.uniform(1, 100)));
    add_op(graph, "f" + std::to_string(i), in, {values.back()});
    graph.ops.back().duration = static_cast<double>(random.uniform(1, 9));
    graph.ops.back().workspace = random.uniform(0, 4) == 0 ? random.uniform(1, 30) : 0;
  }
  TensorIndex gradient = kNoTensor;
  for (std::uint32_t i = n; i > 0; --i) {
    std::vector<TensorIndex> in = reads[i - 1];
    in.push_back(gradient == kNoTensor ? values.back() : gradient);
    if (random.uniform(0, 2) == 0) in.push_back(values[i - 1]);
    gradient = add_tensor(graph, "g" + std::to_string(i - 1), graph.tensors[values[i - 1]].bytes.value_or(0),
                          TensorKind::kGradient);
    add_op(graph, "b" + std::to_string(i - 1), in, {gradient}, true);
  }
  return graph;
}

inline Staged staged(GraphInput input) {
  auto graph = make_graph(std::move(input));
  REQUIRE(graph.has_value());
  auto result = stage(std::move(*graph));
  REQUIRE(result.has_value());
  return std::move(*result);
}

inline std::int64_t load_of(const Staged& of) {
  const auto lowered = lower(of, {});
  REQUIRE(lowered.has_value());
  return load(lowered->problem, 0);
}

inline Result<Transformed> transformed(const std::string& id, const Staged& of, const ParamValues& params) {
  const Transform* transform = find_transform(id);
  REQUIRE(transform != nullptr);
  RunContext context;
  return run_transform(*transform, of, params, context);
}

}  // namespace stowage::testing
