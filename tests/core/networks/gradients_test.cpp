#include <algorithm>
#include <functional>
#include <set>

#include "core/model/metrics.h"
#include "core/networks/builder.h"
#include "tests/core/networks/network_facts.h"

using namespace stowage;
using testing::generated;

namespace {

using Ids = std::vector<std::string>;

Ids ids_of(const Graph& graph, std::span<const TensorIndex> tensors) {
  Ids names;
  for (const TensorIndex t : tensors) names.push_back(graph.tensor(t).id);
  return names;
}

/// Forward results that backward ops read: what is kept.
std::set<std::string> kept(const Graph& graph) {
  std::set<std::string> names;
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
    const OpIndex maker = graph.producer(t);
    if (maker == kNoOp || graph.op(maker).backward) continue;
    for (const OpIndex reader : graph.readers(t)) {
      if (graph.op(reader).backward) names.insert(graph.tensor(t).id);
    }
  }
  return names;
}

/// A training graph of one layer between two that keep nothing, so that what is kept is kept by it alone.
Graph one_layer(const std::function<TensorIndex(NetBuilder&, TensorIndex)>& layer, bool fused = false) {
  NetworkOptions options;
  options.training = true;
  options.fused = fused;
  NetBuilder net("layer", options);
  const TensorIndex in = net.input("in", {2, 3, 8, 8});
  net.differentiate(in);
  const TensorIndex x = net.add_constant("x", in);
  net.output(net.add_constant("out", layer(net, x)));
  auto input = net.finish();
  REQUIRE_MESSAGE(input, input.error().message);
  auto graph = make_graph(std::move(*input));
  REQUIRE(graph);
  return std::move(*graph);
}

}  // namespace

TEST_CASE("the perceptron's training graph is the one of the conformance case") {
  const Graph graph = generated("mlp");
  struct Expected {
    const char* id;
    Ids in;
    bool in_place;
  };
  const Expected ops[] = {{"fc1", {"x", "W1", "b1"}, false},
                          {"sig", {"fc1"}, true},
                          {"fc2", {"sig", "W2", "b2"}, false},
                          {"prob", {"fc2"}, true},
                          {"d_fc2", {"prob", "label"}, true},
                          {"dW2", {"d_fc2", "sig"}, false},
                          {"db2", {"d_fc2"}, false},
                          {"d_sig", {"d_fc2", "W2"}, false},
                          {"d_fc1", {"d_sig", "sig"}, true},
                          {"dW1", {"d_fc1", "x"}, false},
                          {"db1", {"d_fc1"}, false}};
  REQUIRE(graph.ops().size() == std::size(ops));
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    const Op& op = graph.op(n);
    CAPTURE(op.id);
    CHECK(op.id == ops[n].id);
    CHECK(ids_of(graph, op.in) == ops[n].in);
    CHECK(op.inplace == (ops[n].in_place ? std::vector<SlotPair>{{0, 0}} : std::vector<SlotPair>()));
    CHECK(op.backward == (n >= 4));
  }
  CHECK(ids_of(graph, graph.outputs()) == Ids{"dW2", "db2", "dW1", "db1"});
  const ProblemMetrics facts = measure(testing::problem_of(graph));
  CHECK(facts.load == 879'656);
  CHECK(facts.naive == 1'083'944);
}

TEST_CASE("each op keeps for backward what its derivative is written in, and nothing else") {
  using Set = std::set<std::string>;
  const auto activation = [](Activation which) {
    return [which](NetBuilder& net, TensorIndex x) {
      return net.activate("y", x, which);
    };
  };
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.conv("y", x, {.channels = 4}); })) == Set{"x"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.dense("y", x, 4); })) == Set{"x"});
  for (const Activation which : {Activation::kRelu, Activation::kRelu6, Activation::kSigmoid, Activation::kTanh}) {
    CHECK(kept(one_layer(activation(which))) == Set{"y"});
  }
  CHECK(kept(one_layer(activation(Activation::kGelu))) == Set{"x"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.exp("y", x); })) == Set{"y"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.softmax("y", x); })) == Set{"y"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.layer_norm("y", x); })) ==
        Set{"x", "y.mean", "y.rstd"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.max_pool("y", x, {}); })) == Set{"x", "y"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.average_pool("y", x, {}); })).empty());
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.global_pool("y", x); })).empty());
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.add("y", x, x); })).empty());
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.mul("y", x, x); })) == Set{"x"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.dropout("y", x); })) == Set{"y.mask"});
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) {
          const TensorIndex both[] = {x, x};
          return net.concat("y", both);
        })).empty());
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) { return net.split("y", x, {"a", "b"})[1]; })).empty());
  CHECK(kept(one_layer([](NetBuilder& net, TensorIndex x) {
          return net.matmul("y", x, x, {2, 3, 8, 8}, 8);
        })) == Set{"x"});
  const ConvSpec fused{.channels = 4, .batch_norm = true, .activation = Activation::kRelu};
  const auto conv = [&](NetBuilder& net, TensorIndex x) {
    return net.conv("y", x, fused);
  };
  CHECK(kept(one_layer(conv, true)) == Set{"x", "y"});
  CHECK(kept(one_layer(conv, false)) == Set{"x", "y", "y.bn.mean", "y.bn.rstd", "y.act"});
}

TEST_CASE("the inputs of an add share one gradient, and gradients of several readers are summed in place") {
  const Graph graph = one_layer([](NetBuilder& net, TensorIndex x) {
    const TensorIndex a = net.activate("a", x, Activation::kRelu);
    const TensorIndex b = net.activate("b", x, Activation::kTanh);
    return net.add("y", a, b);
  });
  Ids backward;
  for (const Op& op : graph.ops()) {
    if (op.backward) backward.push_back(op.id);
  }
  CHECK(backward == Ids{"d_x", "d_x.part2", "d_x.sum2"});
  const Op& last = graph.op(graph.find_op("d_x.sum2"));
  CHECK(ids_of(graph, last.in) == Ids{"d_x", "d_x.part2"});
  CHECK(last.inplace == std::vector<SlotPair>{{0, 0}, {1, 0}});
  CHECK(ids_of(graph, graph.op(graph.find_op("d_x")).in) == Ids{"d_out", "b"});
}

TEST_CASE("training graphs give every weight a gradient of its size, made behind all forward ops") {
  for (const Network& network : networks()) {
    const bool trains = std::any_of(network.params.begin(), network.params.end(),
                                    [](const ParamSpec& spec) { return spec.key == "training"; });
    if (!trains || network.id == "resnet1001") continue;
    CAPTURE(network.id);
    ParamValues params = {{"training", "yes"}};
    if (network.id == "lstm") params["seq"] = "3";
    const Graph graph = generated(network.id, params);
    std::int64_t gradients = 0;
    for (const TensorIndex t : graph.outputs()) {
      if (graph.tensor(t).kind == TensorKind::kWeightGradient) gradients += testing::elements(graph.tensor(t));
    }
    CHECK(gradients == testing::parameters(graph));
    bool backward = false;
    for (const Op& op : graph.ops()) {
      CHECK_MESSAGE(!(backward && !op.backward), op.id);
      backward = backward || op.backward;
      CHECK_MESSAGE(op.duration >= 1, op.id);
      for (const SlotPair& pair : op.inplace) {
        CHECK_MESSAGE(*graph.tensor(op.in[pair.in]).bytes == *graph.tensor(op.out[pair.out]).bytes, op.id);
      }
    }
  }
}

TEST_CASE("one training step takes three times the products of inference, but for the input's gradient") {
  const Graph inference = generated("vgg16");
  const Graph training = generated("vgg16", {{"training", "yes"}});
  const std::int64_t first = inference.op(0).flops / 2;
  CHECK(testing::multiply_accumulates(training) == 3 * testing::multiply_accumulates(inference) - first);
  const Graph split = generated("vgg16", {{"training", "yes"}, {"gradients", "split"}});
  CHECK(testing::multiply_accumulates(split) == testing::multiply_accumulates(training));
}

TEST_CASE("what a transformer layer keeps is the published sum of activations") {
  struct Model {
    std::int64_t steps;
    std::int64_t width;
    std::int64_t heads;
    std::int64_t bytes;  // per layer, 16 bits an element, batch 1
  };
  const Model models[] = {
      {1024, 768, 12, 89'653'248}, {2048, 12288, 96, 2'868'903'936}, {2048, 20480, 128, 4'110'417'920}};
  for (const Model& model : models) {
    for (const char* norm : {"first", "last"}) {
      CAPTURE(model.width);
      CAPTURE(norm);
      const Graph graph = generated("transformer-encoder", {{"seq", std::to_string(model.steps)},
                                                            {"width", std::to_string(model.width)},
                                                            {"heads", std::to_string(model.heads)},
                                                            {"inner", std::to_string(4 * model.width)},
                                                            {"layers", "2"},
                                                            {"activation", "gelu"},
                                                            {"norm", norm},
                                                            {"dtype", "float16"},
                                                            {"training", "yes"}});
      // The second layer: what it makes, and its input in place of its result. Row statistics are not in the formula.
      std::int64_t sum = model.steps * model.width * 2;
      for (const std::string& id : kept(graph)) {
        const bool statistics = id.ends_with(".mean") || id.ends_with(".rstd");
        if (id.starts_with("layer1.") && !statistics) sum += *graph.tensor(graph.find_tensor(id)).bytes;
      }
      CHECK(sum == model.bytes);
    }
  }
}

TEST_CASE("feature maps of training add up to the published comparison, node by node") {
  struct Row {
    const char* id;
    std::size_t forward;
    double mebibytes;
  };
  // Statistics of batch norms are not in these sums: up to 0.01 %.
  const Row rows[] = {{"resnet50", 179, 9'413},
                      {"resnet101", 349, 13'994},
                      {"resnet152", 519, 19'654},
                      {"resnet200", 679, 28'278},
                      {"resnet1001", 3'349, 120'716}};
  for (const Row& row : rows) {
    CAPTURE(row.id);
    const Graph graph = generated(row.id, {{"batch", "32"}, {"training", "yes"}});
    CHECK(testing::forward_ops(graph) == row.forward);
    const double sum = static_cast<double>(testing::feature_map_bytes(graph)) / (1 << 20);
    CHECK(sum == doctest::Approx(row.mebibytes).epsilon(0.0002));
  }
  for (const auto& [steps, mebibytes] : std::vector<std::pair<int, double>>{{64, 3'000}, {128, 6'005}, {256, 12'013}}) {
    const Graph graph = generated("lstm", {{"seq", std::to_string(steps)}, {"training", "yes"}});
    const double sum = static_cast<double>(testing::feature_map_bytes(graph)) / (1 << 20);
    CHECK(sum == doctest::Approx(mebibytes).epsilon(0.0002));
  }
}
