#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "core/transforms/encodings.h"
#include "tests/core/transforms/training_graphs.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// conv, relu, max pool, conv, and the way back; values of 1000 floats, 250 behind the pool.
GraphInput conv_net() {
  GraphInput graph;
  graph.name = "conv net";
  const auto tensor = [&](const std::string& id, std::int64_t values, TensorKind kind = TensorKind::kActivation) {
    Tensor t;
    t.id = id;
    t.shape = std::vector<std::int64_t>{values};
    t.kind = kind;
    return graph.add(std::move(t));
  };
  const TensorIndex x = tensor("x", 1000, TensorKind::kInput);
  const TensorIndex w1 = tensor("w1", 9, TensorKind::kWeight);
  const TensorIndex w2 = tensor("w2", 9, TensorKind::kWeight);
  const TensorIndex c = tensor("c", 1000);
  const TensorIndex r = tensor("r", 1000);
  const TensorIndex p = tensor("p", 250);
  const TensorIndex y = tensor("y", 250);
  const TensorIndex dy = tensor("dy", 250, TensorKind::kGradient);
  const TensorIndex dp = tensor("dp", 250, TensorKind::kGradient);
  const TensorIndex dr = tensor("dr", 1000, TensorKind::kGradient);
  const TensorIndex dc = tensor("dc", 1000, TensorKind::kGradient);
  const TensorIndex dw1 = tensor("dw1", 9, TensorKind::kWeightGradient);
  add_op(graph, "conv1", {x, w1}, {c});
  add_op(graph, "relu", {c}, {r});
  add_op(graph, "pool", {r}, {p});
  add_op(graph, "conv2", {p, w2}, {y});
  add_op(graph, "loss", {y}, {dy}, true);
  add_op(graph, "conv2.grad", {dy, w2, p}, {dp}, true);
  add_op(graph, "pool.grad", {dp, r, p}, {dr}, true);
  add_op(graph, "relu.grad", {dr, r}, {dc}, true);
  add_op(graph, "conv1.grad", {dc, x}, {dw1}, true);
  const char* const types[] = {"Conv",     "Relu",        "MaxPool",  "Conv",    "Loss",
                               "ConvGrad", "MaxPoolGrad", "ReluGrad", "ConvGrad"};
  for (std::size_t n = 0; n < graph.ops.size(); ++n) graph.ops[n].type = types[n];
  return graph;
}

std::int64_t bytes_of(const Graph& graph, const std::string& id) {
  const TensorIndex t = graph.find_tensor(id);
  REQUIRE_MESSAGE(t != kNoTensor, id);
  return graph.tensor(t).bytes.value_or(-1);
}

}  // namespace

TEST_CASE("compression: sizes of the encodings") {
  CHECK(packed_bits_bytes(262144, 1) == 32768);
  CHECK(packed_bits_bytes(9, 1) == 2);
  CHECK(pool_map_bytes(5) == 3);
  CHECK(sparse_bytes(1000, 4, 0.8, 1) == 1000);
  CHECK(sparse_bytes(1000, 4, 0.8, 4) == 1600);
  CHECK(sparse_ratio(4, 0.8, 1) == doctest::Approx(4.0));
  CHECK(sparse_ratio(4, 0.8, 4) == doctest::Approx(2.5));
  CHECK(break_even_sparsity(4, 1) == doctest::Approx(0.2));
  CHECK(break_even_sparsity(4, 4) == doctest::Approx(0.5));
  CHECK(reduced_bytes(12, Encoding::kFloat16) == 24);
  CHECK(reduced_bytes(12, Encoding::kFloat10) == 16);
  CHECK(reduced_bytes(13, Encoding::kFloat10) == 20);
  CHECK(reduced_bytes(12, Encoding::kFloat8) == 12);
  CHECK(encoding(name_of(Encoding::kFloat10)) == Encoding::kFloat10);
}

TEST_CASE("compression: a ReLU before a max pooling leaves its signs, the pooling where its maxima lay") {
  const Staged before = staged(conv_net());
  const auto after = transformed("compression", before, {{"encoding", "binarize"}});
  REQUIRE(after.has_value());
  const Graph& graph = after->staged.graph;
  CHECK(bytes_of(graph, "r.binarize") == 125);
  CHECK(bytes_of(graph, "p.map") == 125);
  const Op& relu = graph.op(graph.find_op("relu.grad"));
  CHECK(graph.tensor(relu.in[1]).id == "r.binarize");
  const Op& pool = graph.op(graph.find_op("pool.grad"));
  CHECK(graph.tensor(pool.in[1]).id == "p.map");
  CHECK(graph.tensor(pool.in[2]).id == "p.map");
  // The convolution reads what it read.
  CHECK(graph.tensor(graph.op(graph.find_op("conv2.grad")).in[2]).id == "p");
  CHECK(after->report.extra_ops == 2);
  CHECK(load_of(after->staged) < load_of(before));
}

TEST_CASE("compression: what feeds a convolution is stored in sparse rows and made whole again") {
  const Staged before = staged(conv_net());
  const auto after = transformed("compression", before, {});
  REQUIRE(after.has_value());
  const Graph& graph = after->staged.graph;
  CHECK(bytes_of(graph, "p.sparse") == 250);
  const TensorIndex decoded = graph.find_tensor("p.decoded");
  REQUIRE(decoded != kNoTensor);
  CHECK(graph.tensor(decoded).bytes == 1000);
  CHECK(graph.op(graph.find_op("conv2.grad")).in[2] == decoded);
  // Both forms are there while one is made of the other.
  CHECK(graph.op(graph.producer(decoded)).in[0] == graph.find_tensor("p.sparse"));
  CHECK(graph.op(graph.producer(graph.find_tensor("p.sparse"))).in[0] == graph.find_tensor("p"));
}

TEST_CASE("compression: an encoding that is not smaller, or has no time to pay, changes nothing") {
  const Staged before = staged(conv_net());
  const auto dense = transformed("compression", before, {{"encoding", "sparse"}, {"sparsity", "0.1"}});
  REQUIRE(dense.has_value());
  CHECK(dense->staged.graph.input().ops == before.graph.input().ops);
  // y is read by the way back at once.
  const auto reduced = transformed("compression", before, {{"encoding", "fp16"}});
  REQUIRE(reduced.has_value());
  CHECK(reduced->staged.graph.find_tensor("y.fp16") == kNoTensor);
  CHECK(bytes_of(reduced->staged.graph, "r.fp16") == 2000);
}

TEST_CASE("compression: on random graphs every encoding leaves a sound graph") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 15));
    for (const std::string name : {"auto", "binarize", "sparse", "fp16", "fp10", "fp8"}) {
      const auto after = transformed("compression", before, {{"encoding", name}, {"reduced", "fp8"}});
      REQUIRE(after.has_value());
      CHECK(check_schedule(after->staged.graph, after->staged.schedule).has_value());
      CHECK(static_cast<std::int64_t>(after->staged.graph.ops().size() - before.graph.ops().size()) ==
            after->report.extra_ops);
    }
  }
}

TEST_CASE("compression: an encoding as large as the value is none, whatever the graph; a smaller one stashes values") {
  std::int64_t stashed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    GraphInput input = random_training(seed, 15);
    bool relu = false;
    for (Op& op : input.ops) op.type = op.backward ? "Grad" : (relu = !relu) ? "Relu" : "Conv";
    for (Tensor& tensor : input.tensors) *tensor.bytes *= 20;  // so that a fifth of its values is a whole number
    const Staged before = staged(std::move(input));
    const auto same = transformed("compression", before, {{"encoding", "sparse"}, {"sparsity", "0.2"}});
    REQUIRE(same.has_value());
    CHECK(same->staged.graph.input().ops == before.graph.input().ops);
    CHECK(same->report.bytes_moved == 0);
    const auto smaller = transformed("compression", before, {{"encoding", "sparse"}, {"sparsity", "0.8"}});
    REQUIRE(smaller.has_value());
    CHECK(load_of(smaller->staged) > 0);
    stashed += smaller->report.extra_ops;
  }
  CHECK(stashed > 100);
}

TEST_CASE("compression: what is read back at once has no gap to be small in") {
  // A chain of one: the way back begins where the forward part ends.
  for (std::uint32_t n = 1; n <= 3; ++n) {
    GraphInput input = unit_chain(n);
    for (Tensor& tensor : input.tensors) tensor.bytes = 64;
    const Staged before = staged(std::move(input));
    const auto after = transformed("compression", before, {{"encoding", "fp8"}});
    REQUIRE(after.has_value());
    CHECK((after->staged.graph.find_tensor("v0.fp8") != kNoTensor) == (n > 1));
    for (const Tensor& tensor : after->staged.graph.tensors()) {
      CHECK(tensor.id != "v" + std::to_string(n) + ".fp8");
      CHECK(tensor.id != "v" + std::to_string(n - 1) + ".fp8");
    }
  }
}

TEST_CASE("compression: a value smaller than its type still counts as one") {
  const auto after = transformed("compression", staged(unit_chain(4)), {{"encoding", "fp8"}});
  REQUIRE(after.has_value());
  CHECK(after->report.extra_ops == 0);
}

TEST_CASE("compression: wrong settings are usage errors") {
  const Staged before = staged(conv_net());
  CHECK_FALSE(transformed("compression", before, {{"sparsity", "1.5"}}).has_value());
  CHECK_FALSE(transformed("compression", before, {{"bandwidth", "0"}}).has_value());
  CHECK_FALSE(transformed("compression", before, {{"index", "2"}}).has_value());
}
