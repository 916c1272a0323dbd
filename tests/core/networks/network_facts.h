#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/graph/lower.h"
#include "core/networks/network.h"

namespace stowage::testing {

/// The network with these parameters; the test fails when there is an error.
inline Graph generated(std::string_view id, const ParamValues& params = {}) {
  const Network* network = find_network(id);
  REQUIRE_MESSAGE(network != nullptr, std::string(id));
  auto graph = generate_network(*network, params);
  REQUIRE_MESSAGE(graph, graph.error().message);
  return std::move(*graph);
}

inline std::string error_of(std::string_view id, const ParamValues& params) {
  const auto graph = generate_network(*find_network(id), params);
  if (graph) return "";
  CHECK(graph.error().kind == Error::Kind::kUsage);
  return graph.error().message;
}

inline std::int64_t elements(const Tensor& tensor) {
  return element_count(*tensor.shape).value();
}

/// Elements of all weights whose id begins with the prefix.
inline std::int64_t parameters(const Graph& graph, std::string_view prefix = "") {
  std::int64_t sum = 0;
  for (const Tensor& tensor : graph.tensors()) {
    if (tensor.kind == TensorKind::kWeight && tensor.id.starts_with(prefix)) sum += elements(tensor);
  }
  return sum;
}

inline std::int64_t multiply_accumulates(const Graph& graph) {
  std::int64_t flops = 0;
  for (const Op& op : graph.ops()) flops += op.flops;
  return flops / 2;
}

/// Bytes of all tensors that ops make, but for gradients of weights.
inline std::int64_t feature_map_bytes(const Graph& graph) {
  std::int64_t sum = 0;
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
    const bool counts = graph.producer(t) != kNoOp && graph.tensor(t).kind != TensorKind::kWeightGradient;
    if (counts) sum += *graph.tensor(t).bytes;
  }
  return sum;
}

inline std::size_t forward_ops(const Graph& graph) {
  std::size_t count = 0;
  for (const Op& op : graph.ops()) count += op.backward ? 0 : 1;
  return count;
}

/// The buffers of a graph in its order, nothing decided.
inline Problem problem_of(const Graph& graph) {
  const auto staged = stage(graph);
  REQUIRE_MESSAGE(staged, staged.error().message);
  auto lowered = lower(*staged, LowerOptions{});
  REQUIRE_MESSAGE(lowered, lowered.error().message);
  return std::move(lowered->problem);
}

}  // namespace stowage::testing
