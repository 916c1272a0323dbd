// Published totals: parameters, multiply-accumulates, footprints of inference at batch 1.
#include <map>

#include "core/model/metrics.h"
#include "core/networks/builder.h"
#include "tests/core/networks/network_facts.h"

using namespace stowage;
using testing::generated;
using testing::parameters;

TEST_CASE("weights add up to the published parameters") {
  struct Total {
    const char* id;
    ParamValues params;
    std::int64_t parameters;
  };
  const Total totals[] = {
      {"mlp", {}, 784 * 256 + 256 + 256 * 10 + 10},
      {"lenet5", {}, 61'706},
      {"alexnet", {}, 61'100'840},
      {"vgg16", {}, 138'357'544},
      {"inception-v3", {}, 23'834'568},
      {"inception-v3", {{"aux", "yes"}}, 27'161'264},
      {"resnet18", {}, 11'689'512},
      {"resnet34", {}, 21'797'672},
      {"resnet50", {}, 25'557'032},
      {"resnet101", {}, 44'549'160},
      {"resnet152", {}, 60'192'808},
      {"mobilenet-v1", {}, 4'231'976},
      {"mobilenet-v2", {}, 3'504'872},
      {"lstm", {{"seq", "1"}}, 38'763'400},
      {"lstm",
       {{"seq", "3"}, {"input", "10"}, {"hidden", "20"}, {"layers", "2"}, {"words", "0"}, {"classes", "0"}},
       5'920},
      {"transformer-encoder", {}, 3'152'384},
      {"gpt2-small", {}, 124'439'808},
  };
  for (const Total& total : totals) {
    CAPTURE(total.id);
    CHECK(parameters(generated(total.id, total.params)) == total.parameters);
  }
}

TEST_CASE("parameters depend neither on batch nor on training nor on granularity") {
  for (const char* id : {"resnet18", "mobilenet-v2", "inception-v3", "alexnet"}) {
    CAPTURE(id);
    const std::int64_t fused = parameters(generated(id));
    CHECK(parameters(generated(id, {{"training", "yes"}, {"batch", "7"}})) == fused);
    CHECK(parameters(generated(id, {{"granularity", "separate"}})) == fused);
    CHECK(parameters(generated(id, {{"granularity", "fused"}, {"training", "yes"}})) == fused);
  }
  CHECK(parameters(generated("lstm", {{"seq", "2"}})) ==
        parameters(generated("lstm", {{"seq", "9"}, {"training", "yes"}})));
}

TEST_CASE("inference at batch 1 has the computed ops, products and footprints") {
  struct Row {
    const char* id;
    std::int64_t macs;
    std::size_t ops;
    std::int64_t load;
    const char* peak;  // the op at which the load is reached first
  };
  const Row rows[] = {{"lenet5", 416'520, 7, 23'520, "S2"},
                      {"alexnet", 714'188'480, 11, 961'024, "pool1"},
                      {"vgg16", 15'470'264'320, 21, 25'690'112, "conv1_2"},
                      {"resnet50", 4'089'184'256, 72, 9'633'792, "layer1.0.add"},
                      {"mobilenet-v1", 568'740'352, 29, 4'816'896, "pw1"},
                      {"mobilenet-v2", 300'774'272, 64, 6'021'120, "b1.dw"},
                      {"inception-v3", 5'713'216'096, 124, 8'297'856, "2b"}};
  for (const Row& row : rows) {
    CAPTURE(row.id);
    const Graph graph = generated(row.id);
    CHECK(testing::multiply_accumulates(graph) == row.macs);
    CHECK(graph.ops().size() == row.ops);
    const ProblemMetrics facts = measure(testing::problem_of(graph));
    CHECK(facts.load == row.load);
    CHECK(facts.naive == testing::feature_map_bytes(graph));
    CHECK(graph.op(static_cast<OpIndex>(facts.peak_start)).id == row.peak);
  }
}

TEST_CASE("rows of the layer tables have the published sizes and parameters") {
  struct Layer {
    const char* result;
    Shape shape;
    std::int64_t parameters;  // of weights named so
  };
  const std::map<std::string, std::vector<Layer>> tables = {
      {"lenet5",
       {{"C1", {1, 6, 28, 28}, 156},
        {"S2", {1, 6, 14, 14}, 0},
        {"C3", {1, 16, 10, 10}, 2'416},
        {"S4", {1, 16, 5, 5}, 0},
        {"C5", {1, 120, 1, 1}, 48'120},
        {"F6", {1, 84}, 10'164},
        {"OUT", {1, 10}, 850}}},
      {"alexnet",
       {{"conv1", {1, 64, 55, 55}, 23'296},
        {"pool1", {1, 64, 27, 27}, 0},
        {"conv2", {1, 192, 27, 27}, 307'392},
        {"conv3", {1, 384, 13, 13}, 663'936},
        {"conv4", {1, 256, 13, 13}, 884'992},
        {"conv5", {1, 256, 13, 13}, 590'080},
        {"pool5", {1, 256, 6, 6}, 0},
        {"fc6", {1, 4096}, 37'752'832},
        {"fc7", {1, 4096}, 16'781'312},
        {"fc8", {1, 1000}, 4'097'000}}},
      {"vgg16",
       {{"conv1_1", {1, 64, 224, 224}, 1'792},
        {"conv1_2", {1, 64, 224, 224}, 36'928},
        {"conv3_1", {1, 256, 56, 56}, 295'168},
        {"conv5_3", {1, 512, 14, 14}, 2'359'808},
        {"pool5", {1, 512, 7, 7}, 0},
        {"fc6", {1, 4096}, 102'764'544}}},
      {"resnet50",
       {{"conv1", {1, 64, 112, 112}, 9'536},
        {"pool1", {1, 64, 56, 56}, 0},
        {"layer1.2.add", {1, 256, 56, 56}, 0},
        {"layer2.0.conv1", {1, 128, 56, 56}, 256 * 128 + 256},
        {"layer2.3.add", {1, 512, 28, 28}, 0},
        {"layer3.5.add", {1, 1024, 14, 14}, 0},
        {"layer4.2.add", {1, 2048, 7, 7}, 0},
        {"fc", {1, 1000}, 2'049'000}}},
      {"mobilenet-v1",
       {{"conv1", {1, 32, 112, 112}, 928},
        {"dw1", {1, 32, 112, 112}, 352},
        {"pw1", {1, 64, 112, 112}, 2'176},
        {"pw13", {1, 1024, 7, 7}, 1'050'624},
        {"fc", {1, 1000}, 1'025'000}}},
      {"mobilenet-v2",
       {{"conv1", {1, 32, 112, 112}, 928},
        {"b0.project", {1, 16, 112, 112}, 32 * 16 + 32},
        {"conv_last", {1, 1280, 7, 7}, 412'160},
        {"fc", {1, 1000}, 1'281'000}}},
      {"inception-v3",
       {{"5b.a", {1, 64, 35, 35}, 12'416},
        {"5b.b1", {1, 48, 35, 35}, 9'312},
        {"5b.b2", {1, 64, 35, 35}, 76'928},
        {"5b.c2", {1, 96, 35, 35}, 55'488},
        {"5b.c3", {1, 96, 35, 35}, 83'136},
        {"5b.d1", {1, 192, 35, 35}, 0},
        {"5b.d2", {1, 32, 35, 35}, 6'208},
        {"5b.concat", {1, 256, 35, 35}, 0},
        {"7c.concat", {1, 2048, 8, 8}, 0}}},
  };
  for (const auto& table : tables) {
    const std::string& id = table.first;
    const Graph graph = generated(id);
    for (const Layer& layer : table.second) {
      CAPTURE(id);
      CAPTURE(layer.result);
      const TensorIndex t = graph.find_tensor(layer.result);
      REQUIRE(t != kNoTensor);
      CHECK(*graph.tensor(t).shape == layer.shape);
      CHECK(parameters(graph, std::string(layer.result) + ".") == layer.parameters);
    }
  }
}

TEST_CASE("stages, blocks and modules have the published parameters") {
  struct Part {
    const char* id;
    const char* prefix;
    std::int64_t parameters;
  };
  const Part parts[] = {{"resnet50", "layer1.", 215'808},
                        {"resnet50", "layer2.", 1'219'584},
                        {"resnet50", "layer3.", 7'098'368},
                        {"resnet50", "layer4.", 14'964'736},
                        {"mobilenet-v2", "b0.", 896},
                        {"mobilenet-v2", "b1.", 5'136},
                        {"mobilenet-v2", "b2.", 8'832},
                        {"mobilenet-v2", "b3.", 10'000},
                        {"mobilenet-v2", "b4.", 14'848},
                        {"mobilenet-v2", "b6.", 21'056},
                        {"mobilenet-v2", "b7.", 54'272},
                        {"mobilenet-v2", "b10.", 66'624},
                        {"mobilenet-v2", "b11.", 118'272},
                        {"mobilenet-v2", "b13.", 155'264},
                        {"mobilenet-v2", "b14.", 320'000},
                        {"mobilenet-v2", "b16.", 473'920},
                        {"inception-v3", "5b.", 255'904},
                        {"inception-v3", "5c.", 277'472},
                        {"inception-v3", "5d.", 285'152},
                        {"inception-v3", "6a.", 1'153'280},
                        {"inception-v3", "6b.", 1'297'408},
                        {"inception-v3", "6c.", 1'691'008},
                        {"inception-v3", "6d.", 1'691'008},
                        {"inception-v3", "6e.", 2'141'952},
                        {"inception-v3", "7a.", 1'698'304},
                        {"inception-v3", "7b.", 5'044'608},
                        {"inception-v3", "7c.", 6'076'800},
                        {"gpt2-small", "h0.", 7'087'872},
                        {"gpt2-small", "wte", 38'597'376},
                        {"gpt2-small", "wpe", 786'432},
                        {"gpt2-small", "ln_f", 1'536},
                        {"transformer-encoder", "layer0.ff", 2'099'712},
                        {"transformer-encoder", "layer0.ln", 2'048}};
  for (const Part& part : parts) {
    CAPTURE(part.id);
    CAPTURE(part.prefix);
    CHECK(parameters(generated(part.id), part.prefix) == part.parameters);
  }
  CHECK(parameters(generated("inception-v3", {{"aux", "yes"}}), "aux.") == 3'326'696);
}

TEST_CASE("with running statistics the totals are those of Keras") {
  const auto with_statistics = [](const char* id) {
    std::int64_t sum = 0;
    const Graph graph = generated(id);
    for (const Tensor& tensor : graph.tensors()) {
      const bool counts = tensor.kind == TensorKind::kWeight || tensor.kind == TensorKind::kState;
      if (counts) sum += testing::elements(tensor);
    }
    return sum;
  };
  CHECK(with_statistics("vgg16") == 138'357'544);
  CHECK(with_statistics("mobilenet-v1") == 4'253'864);
  CHECK(with_statistics("mobilenet-v2") == 3'538'984);
  CHECK(with_statistics("resnet50") == 25'636'712 - 26'560);  // its convolutions have biases there
}
