// Parameters of networks: what they change, and which make no sense.
#include <set>

#include "tests/core/networks/network_facts.h"

using namespace stowage;
using testing::error_of;
using testing::generated;

TEST_CASE("ids of networks, ops and tensors are unique, and every network generates as it stands") {
  std::set<std::string> ids;
  for (const Network& network : networks()) {
    CAPTURE(network.id);
    CHECK(ids.insert(network.id).second);
    CHECK_FALSE(network.title.empty());
    CHECK_FALSE(network.summary.empty());
    CHECK_FALSE(network.source.empty());
    const Graph graph = generated(network.id);
    std::set<std::string_view> tensors;
    for (const Tensor& tensor : graph.tensors()) CHECK_MESSAGE(tensors.insert(tensor.id).second, tensor.id);
    std::set<std::string_view> ops;
    for (const Op& op : graph.ops()) CHECK_MESSAGE(ops.insert(op.id).second, op.id);
    CHECK_FALSE(graph.outputs().empty());
    for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
      const bool used = graph.producer(t) != kNoOp || !graph.readers(t).empty() || network.id == "dtr-chain";
      CHECK_MESSAGE(used, graph.tensor(t).id);
    }
  }
}

TEST_CASE("every listed value of every closed parameter generates") {
  for (const Network& network : networks()) {
    if (network.id == "resnet1001" || network.id == "resnet200") continue;  // the same code as the others
    for (const ParamSpec& spec : network.params) {
      if (!spec.closed) continue;
      for (const std::string& value : spec.choices) {
        ParamValues params = {{spec.key, value}};
        if (network.id == "lstm") params["seq"] = "2";
        CAPTURE(network.id);
        CAPTURE(spec.key);
        CAPTURE(value);
        CHECK(generated(network.id, params).ops().size() > 0);
        if (spec.key == "training" || network.id == "lecture" || network.id == "exp") continue;
        params["training"] = "yes";
        CHECK(generated(network.id, params).ops().size() > 0);
      }
    }
  }
}

TEST_CASE("activations grow with the batch, weights do not") {
  for (const char* id : {"resnet18", "mobilenet-v1", "transformer-encoder", "lenet5"}) {
    CAPTURE(id);
    const Graph one = generated(id);
    const Graph eight = generated(id, {{"batch", "8"}});
    CHECK(testing::feature_map_bytes(eight) == 8 * testing::feature_map_bytes(one));
    CHECK(testing::multiply_accumulates(eight) == 8 * testing::multiply_accumulates(one));
    CHECK(testing::parameters(eight) == testing::parameters(one));
  }
}

TEST_CASE("half the bits are half the bytes") {
  const Graph single = generated("resnet50");
  const Graph half = generated("resnet50", {{"dtype", "float16"}});
  CHECK(2 * testing::feature_map_bytes(half) == testing::feature_map_bytes(single));
}

TEST_CASE("parameters that make no sense are usage errors that name network, parameter and reason") {
  CHECK(error_of("resnet50", {{"batch", "0"}}) ==
        "resnet50: batch is '0'; it is a whole number from 1 to 9223372036854775807");
  CHECK(error_of("resnet50", {{"batch", "many"}}).find("batch is 'many'") != std::string::npos);
  CHECK(error_of("resnet50", {{"depth", "3"}}).find("no parameter 'depth'") != std::string::npos);
  CHECK(error_of("resnet50", {{"training", "maybe"}}).find("'maybe' is not a value of training") != std::string::npos);
  CHECK(error_of("alexnet", {{"image", "30"}}) ==
        "alexnet: the input is too small: at pool2 a window of 3 has to fit into 2");
  CHECK(error_of("lenet5", {{"image", "4"}}).find("at C1") != std::string::npos);
  CHECK(error_of("inception-v3", {{"image", "2"}}).find("at 1a") != std::string::npos);
  CHECK(error_of("transformer-encoder", {{"heads", "7"}}).find("7 heads do not divide") != std::string::npos);
  CHECK(error_of("gpt2-small", {{"seq", "1025"}}).find("from 1 to 1024") != std::string::npos);
  CHECK(error_of("lstm", {{"seq", "0"}}).find("seq is '0'") != std::string::npos);
}

TEST_CASE("sizes outside int64 and endless graphs are usage errors, not wrong numbers") {
  CHECK(error_of("resnet50", {{"batch", "9223372036854775807"}}).find("needs more than 2^63-1 bytes") !=
        std::string::npos);
  CHECK(error_of("mlp", {{"hidden", "4611686018427387904"}}).find("2^63-1") != std::string::npos);
  CHECK(error_of("exp", {{"elements", "2305843009213693951"}}).find("2^63-1") != std::string::npos);
  CHECK(error_of("resnet50", {{"batch", "100000000000"}}).find("more operations than can be counted") !=
        std::string::npos);
  CHECK(error_of("transformer-encoder", {{"seq", "1073741824"}, {"heads", "512"}}) != "");
  CHECK(error_of("lstm", {{"seq", "1000000"}, {"hidden", "1"}, {"input", "1"}}).find("more than 250000 ops") !=
        std::string::npos);
  CHECK(error_of("unit-chain", {{"n", "100001"}}).find("from 1 to 100000") != std::string::npos);
  CHECK(generated("unit-chain", {{"n", "100000"}}).ops().size() == 200'001);
}

TEST_CASE("chains are wired as their sources say") {
  const Graph unit = generated("unit-chain", {{"n", "3"}});
  REQUIRE(unit.ops().size() == 7);
  CHECK(unit.op(0).in.empty());
  const std::vector<std::vector<TensorIndex>> reads = {{}, {0}, {1}, {2}, {3, 2}, {4, 1}, {5, 0}};
  for (OpIndex n = 0; n < 7; ++n) CHECK(unit.op(n).in == reads[n]);

  const Graph dtr = generated("dtr-chain", {{"n", "3"}, {"bytes", "64"}});
  REQUIRE(dtr.ops().size() == 6);
  const auto ids = [&](OpIndex n) {
    std::vector<std::string> names;
    for (const TensorIndex t : dtr.op(n).in) names.push_back(dtr.tensor(t).id);
    return names;
  };
  CHECK(ids(3) == std::vector<std::string>{"f2"});
  CHECK(ids(4) == std::vector<std::string>{"f1", "b3"});
  CHECK(ids(5) == std::vector<std::string>{"x", "b2"});
  CHECK(dtr.tensor(0).bytes == 64);
}

TEST_CASE("the lecture graph keeps its five ops in both orders") {
  const auto order = [](const char* wanted) {
    std::string letters;
    const Graph graph = generated("lecture", {{"order", wanted}});
    for (const Op& op : graph.ops()) letters += op.id;
    return letters;
  };
  CHECK(order("BCFEG") == "BCFEG");
  CHECK(order("BFCEG") == "BFCEG");
}

TEST_CASE("gradients of weights that steps share are added to the first one, or to the caller's memory") {
  for (const char* whose : {"made", "given"}) {
    CAPTURE(whose);
    const Graph graph = generated("lstm", {{"seq", "3"}, {"training", "yes"}, {"weight-gradients", whose}});
    std::set<TensorIndex> memories;
    std::size_t parts = 0;
    for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
      if (graph.tensor(t).kind != TensorKind::kWeightGradient) continue;
      if (graph.producer(t) != kNoOp) ++parts;
      memories.insert(graph.base(t));
    }
    std::size_t weights = 0;
    for (const Tensor& tensor : graph.tensors()) weights += tensor.kind == TensorKind::kWeight ? 1 : 0;
    CHECK(memories.size() == weights);
    CHECK(parts == 3 * weights);
    for (const TensorIndex memory : memories) {
      CHECK((graph.producer(memory) == kNoOp) == (std::string(whose) == "given"));
    }
  }
}
