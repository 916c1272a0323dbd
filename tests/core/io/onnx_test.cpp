#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/graph/graph.h"
#include "core/io/contained.h"
#include "core/io/onnx_infer.h"
#include "tests/core/io/onnx_messages.h"
#include "tests/core/io/reading.h"
#include "tests/support/graph_document.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;
using namespace stowage::testing::onnx_messages;

namespace {

constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kInt64 = 7;
constexpr std::uint64_t kText = 8;

}  // namespace

TEST_CASE("ONNX: inputs, weights, outputs and what nobody reads live as the graph says") {
  const std::string graph = input("x", kFloat, {"2", "4"}) + input("w", kFloat, {"2", "4"}) +
                            weight("w", kFloat, {2, 4}) + node("Add", {"x", "w"}, {"a"}) + node("Relu", {"a"}, {"b"}) +
                            node("Abs", {"a"}, {"lost"}) + node("Neg", {"b"}, {"y"}) + output("y", kFloat, {"2", "4"}) +
                            inside("a", kFloat, {"2", "4"}) + inside("b", kFloat, {"2", "4"}) +
                            inside("lost", kFloat, {"2", "4"});
  const Document document = read_good(model(graph));
  CHECK(document.facts.format == "onnx");
  CHECK(document.graph->name() == "g");
  CHECK(tensor_of(document, "w").kind == TensorKind::kWeight);  // an initializer, though it is an input as well
  CHECK(document.graph->input().inputs.size() == 1);
  CHECK(document.problem->size() == 5);
  CHECK(life_of(document, "x") == std::pair<std::int64_t, std::int64_t>(0, 1));
  CHECK(life_of(document, "a") == std::pair<std::int64_t, std::int64_t>(0, 3));
  CHECK(life_of(document, "lost") == std::pair<std::int64_t, std::int64_t>(2, 3));
  CHECK(life_of(document, "y") == std::pair<std::int64_t, std::int64_t>(3, 4));
  CHECK(load_of(document) == 96);
  CHECK(read_good(model(graph), choose("include", "none")).problem->size() == 3);
  CHECK(read_good(model(graph), choose("include", "inputs,weights,outputs")).problem->size() == 6);
  // Those that may work in place do when the transform is switched on, and not before.
  CHECK(document.recipe.pipeline == std::vector<PipelineStage>{{"in-place", false, {}}});
}

TEST_CASE("ONNX: element types, packed types, texts and scalars") {
  const auto bytes = [](std::uint64_t type, const std::vector<std::string>& shape) {
    const Document document =
        read_good(model(node("F", {"x"}, {"y"}) + input("x", type, shape)), choose("shapes", "file"));
    return tensor_of(document, "x").bytes.value_or(-1);
  };
  const std::pair<std::uint64_t, std::int64_t> of_nine[] = {
      {1, 36},  {2, 9},   {3, 9},   {4, 18},   {5, 18},  {6, 36}, {7, 72}, {8, -1}, {9, 9},  {10, 18}, {11, 72},
      {12, 36}, {13, 72}, {14, 72}, {15, 144}, {16, 18}, {17, 9}, {21, 5}, {22, 5}, {23, 5}, {99, -1}};
  for (const auto& row : of_nine) {
    const auto [type, expected] = row;
    CAPTURE(row.first);
    CHECK(bytes(type, {"3", "3"}) == expected);
  }
  CHECK(bytes(kFloat, {}) == 4);
  CHECK(bytes(kFloat, {"0", "7"}) == 0);
  CHECK(bytes(kFloat, {"9223372036854775807", "8"}) == -1);
  CHECK(bytes(kText, {"1"}) == -1);
}

TEST_CASE("ONNX: dimensions without a value are asked for and never guessed") {
  const std::string graph =
      input("x", kFloat, {"batch", "?", "4"}) + node("Relu", {"x"}, {"y"}) + output("y", kFloat, {"batch", "?", "4"});
  const Document open = read_good(model(graph));
  CHECK(open.problem->size() == 0);
  CAPTURE(open.facts.warnings.at(0));
  CHECK(has_warning(open, "--dims '?=NUMBER,batch=NUMBER'"));  // for a shell, as it stands
  CHECK(has_warning(open, "x [batch, ?, 4]: size unknown, left out"));
  CHECK(open.facts.left_out == 2);
  CHECK(open.facts.open == std::vector<OpenSize>{{"dims", "?"}, {"dims", "batch"}});
  for (const char* dims : {"batch=2,?=3", "batch=2,x.1=3,y.1=3"}) {
    const Document document = read_good(model(graph), choose("dims", dims));
    CHECK(load_of(document) == 2 * 96);
    CHECK_FALSE(has_warning(document, "--dims"));
  }
  CHECK(has_warning(read_good(model(graph), choose("dims", "batch=2,?=3,depth=7")), "no dimension is called depth"));
}

TEST_CASE("ONNX: a domain that the model forgets to import keeps no other op from its shape") {
  const std::string graph = input("x", kFloat, {"4"}) + node("Relu", {"x"}, {"a"}) +
                            node("Own", {"a"}, {"m"}, text_field(7, "com.example")) + node("Abs", {"a"}, {"b"}) +
                            output("b", kFloat, {"4"});
  const Document document = read_good(model(graph));
  CHECK(has_warning(document, "m: size unknown"));
  if (onnx::can_infer()) CHECK(tensor_of(document, "a").bytes == 16);
  CHECK_FALSE(has_warning(document, "inference of the onnx library failed"));
}

TEST_CASE("ONNX: what only a run knows is asked for when nothing else is") {
  const std::string graph = input("x", kFloat, {"n", "4"}) + node("NonZero", {"x"}, {"found"}) +
                            inside("found", 7, {"2", "?"}) + node("Relu", {"x"}, {"y"}) +
                            output("found", 7, {"2", "?"}) + output("y", kFloat, {"n", "4"});
  const Document open = read_good(model(graph));
  CHECK(open.facts.open == std::vector<OpenSize>{{"dims", "n"}});
  const Document given = read_good(model(graph), choose("dims", "n=3"));
  REQUIRE(given.facts.open.size() == 1);
  CHECK(given.facts.open.front().name == "found.1");
  CHECK(given.facts.left_out == 1);
  CHECK(has_warning(given, "1 of its dimensions has a value only while the model runs"));
  CHECK(has_warning(given, "--dims found.1=NUMBER"));
  const Document all = read_good(model(graph), choose("dims", "n=3,found.1=5"));
  CHECK(all.facts.open.empty());
  CHECK(all.facts.left_out == 0);
}

TEST_CASE("ONNX: absent optional inputs, names that nobody makes, names made twice and odd orders") {
  const std::string graph = input("x", kFloat, {"4"}) + node("Clip", {"x", "", "ghost"}, {"a"}) +
                            node("Relu", {"a"}, {"a"}) + node("Abs", {"a"}, {"y", ""}) + output("y", kFloat, {"4"}) +
                            output("phantom", kFloat, {"4"});
  const Document document = read_good(model(graph));
  CHECK(document.graph->op(0).in.size() == 1);
  CHECK(document.graph->op(2).out.size() == 1);
  CHECK(has_warning(document, "reads ghost, which nothing before it makes"));
  CHECK(has_warning(document, "a is made more than once"));
  CHECK(has_warning(document, "nothing makes the output phantom"));
  CHECK(document.graph->find_tensor("a (2)") != kNoTensor);
}

TEST_CASE("ONNX: bodies of If, Loop and Scan read from outside, however deep") {
  const std::string innermost = node("Add", {"v", "from_far"}, {"w"}) + output("w", kFloat, {"4"});
  const std::string then = node("Relu", {"captured"}, {"v"}) +
                           node("If", {"c"}, {"u"}, body("then_branch", innermost)) + output("u", kFloat, {"4"});
  const std::string other = output("handed_on", kFloat, {"4"});
  const std::string graph =
      input("x", kFloat, {"4"}) + input("c", 9, {}) + node("Relu", {"x"}, {"captured"}) +
      node("Abs", {"x"}, {"from_far"}) + node("Neg", {"x"}, {"handed_on"}) + node("Exp", {"x"}, {"early"}) +
      node("If", {"c"}, {"y"}, body("then_branch", then) + body("else_branch", other)) + output("y", kFloat, {"4"});
  const Document document = read_good(model(graph));
  REQUIRE(document.graph->ops().size() == 5);
  std::vector<std::string> read;
  for (const TensorIndex t : document.graph->op(4).in) read.push_back(document.graph->tensor(t).id);
  CHECK(read == std::vector<std::string>{"c", "captured", "from_far", "handed_on"});
  CHECK(has_warning(document, "1 of the nodes have bodies"));
  std::string deep = output("x", kFloat, {"4"});
  for (int level = 0; level < 40; ++level) deep = node("If", {"c"}, {"x"}, body("then_branch", deep));
  CHECK(read_error(model(input("c", 9, {}) + deep)).find("nested more than 32 deep") != std::string::npos);
}

TEST_CASE("ONNX: functions of the file are one step; data elsewhere is never looked at") {
  const std::string function = text_field(25, text_field(1, "F") + text_field(10, "mine") + text_field(4, "p") +
                                                  text_field(5, "q") + node("Relu", {"p"}, {"q"}));
  const std::string elsewhere =
      text_field(13, text_field(1, "location") + text_field(2, "/etc/passwd")) + number_field(14, 1);
  const std::string graph = input("x", kFloat, {"4"}) + weight("w", kFloat, {1000, 1000}, elsewhere) +
                            node("F", {"x", "w"}, {"y"}, text_field(7, "mine")) + output("y", kFloat, {"4"});
  const Document document = read_good(model(graph, function), choose("include", "inputs,weights,outputs"));
  CHECK(document.graph->op(0).type == "mine.F");
  CHECK(has_warning(document, "defines 1 functions"));
  CHECK(load_of(document) == 4'000'000 + 32);
}

TEST_CASE("ONNX: constants made by steps are folded when asked") {
  const std::string graph = input("x", kFloat, {"2", "3"}) + weight("shape", kInt64, {2}, raw({2, 3})) +
                            node("ConstantOfShape", {"shape"}, {"w"}) + node("ConstantOfShape", {"x"}, {"v"}) +
                            node("Add", {"x", "w"}, {"y"}) + inside("w", kFloat, {"2", "3"}) +
                            output("y", kFloat, {"2", "3"});
  CHECK(read_good(model(graph)).graph->ops().size() == 3);
  const Document folded = read_good(model(graph), choose("constants", "fold"));
  CHECK(folded.graph->ops().size() == 2);  // what depends on the input stays a step
  CHECK(tensor_of(folded, "w").kind == TensorKind::kWeight);
}

TEST_CASE("ONNX: shapes are inferred where the library is there, and said to be missing where it is not") {
  const std::string graph = input("x", kFloat, {"N", "3", "8", "8"}) + weight("w", kFloat, {5, 3, 3, 3}) +
                            node("Conv", {"x", "w"}, {"a"}) + node("Shape", {"a"}, {"s"}) + node("Relu", {"a"}, {"y"}) +
                            output("y", kFloat, {"N", "5", "6", "6"});
  const Document document = read_good(model(graph), choose("dims", "N=2"));
  CHECK(tensor_of(document, "y").bytes == 1440);
  if (onnx::can_infer()) {
    CHECK(tensor_of(document, "a").bytes == 1440);
    CHECK(tensor_of(document, "s").bytes == 32);
  } else {
    CHECK(has_warning(document, "this build has no onnx library"));
  }
  CHECK_FALSE(tensor_of(read_good(model(graph), choose("shapes", "file")), "a").bytes.has_value());
}

TEST_CASE("ONNX: shapes that a model computes from shapes are followed") {
  if (!onnx::can_infer()) return;
  const auto axes = [](std::uint64_t axis) {
    return integers("axes", {axis});
  };
  const std::string zero =
      text_field(5, text_field(1, "value") + number_field(20, 4) + text_field(5, number_field(2, kInt64) + raw({0})));
  const std::string graph =
      input("x", kFloat, {"N", "3", "8"}) + weight("rest", kInt64, {1}, raw({~std::uint64_t{0}})) +
      weight("two", kInt64, {}, raw({2})) + node("Shape", {"x"}, {"s"}) + node("Constant", {}, {"i"}, zero) +
      node("Gather", {"s", "i"}, {"n"}) + node("Mul", {"n", "two"}, {"m"}) + node("Unsqueeze", {"m"}, {"u"}, axes(0)) +
      node("Concat", {"u", "rest"}, {"t"},
           text_field(5, text_field(1, "axis") + number_field(3, 0) + number_field(20, 2))) +
      node("Reshape", {"x", "t"}, {"y"}) + node("Shape", {"y"}, {"again"}) + node("Reshape", {"y", "again"}, {"z"}) +
      output("z", kFloat, {"a", "b"});
  for (const std::uint64_t opset : {9U, 11U}) {
    const std::string bytes =
        number_field(1, 8) + text_field(7, graph) + text_field(8, text_field(1, "") + number_field(2, opset));
    const Document document = read_good(bytes, choose("dims", "N=5"));
    CAPTURE(opset);
    CHECK(tensor_of(document, "y").shape == std::vector<std::int64_t>{10, 12});
    CHECK(tensor_of(document, "z").shape == std::vector<std::int64_t>{10, 12});
  }
}

TEST_CASE("ONNX: what breaks the library leaves the program alone") {
  const std::string zero_stride = integers("kernel_shape", {2, 2}) + integers("strides", {0, 0});
  const std::string graph = input("x", kFloat, {"1", "1", "4", "4"}) + node("MaxPool", {"x"}, {"y"}, zero_stride) +
                            output("y", kFloat, {"1", "1", "2", "2"});
  CHECK(load_of(read_good(model(graph))) == 80);
  // Shapes that the file says and those that follow from the input contradict each other: the input counts.
  const std::string liar = input("x", kFloat, {"4"}) + node("Relu", {"x"}, {"a"}) + node("Relu", {"a"}, {"y"}) +
                           inside("a", kFloat, {"8"}) + output("y", kFloat, {"4"});
  const Document document = read_good(model(liar));
  if (onnx::can_infer()) CHECK(tensor_of(document, "a").bytes == 16);
}

TEST_CASE("contained work: answers, throws, crashes, hangs and takes all memory") {
  CHECK(*run_contained([] { return std::string("fine"); }, {}) == "fine");
  CHECK(run_contained([]() -> std::string { throw std::runtime_error("no"); }, {}).error().message == "no");
  CHECK(run_contained([]() -> std::string { std::abort(); }, {}).error().message == "broke off (signal 6)");
  ContainLimits limits;
  limits.seconds = 0.2;
  const auto forever = run_contained(
      []() -> std::string {
        for (volatile int turns = 0;;) turns = turns + 1;
      },
      limits);
  CHECK(forever.error().message.find("took more than") == 0);
  limits = {};
  limits.answer = 1000;
  CHECK(run_contained([] { return std::string(100'000, 'x'); }, limits).error().message == "answered with too much");
}

TEST_CASE("ONNX: cut off at any byte, or with another byte anywhere, it opens or says why not") {
  const std::string graph =
      input("x", kFloat, {"4", "N"}) + weight("w", kInt64, {2}, raw({4, 1})) + node("Reshape", {"x", "w"}, {"a"}) +
      node("If", {"x"}, {"y"}, body("then_branch", node("Abs", {"a"}, {"b"}) + output("b", 1, {}))) +
      output("y", kFloat, {"4"}) + inside("a", 22, {"4", "1"});
  const std::string whole = model(graph);
  ReadOptions options = choose("shapes", "file");
  options.format = "onnx";
  const auto safely = [&](std::string_view bytes) {
    const auto document = read_document(bytes, "m.onnx", options);
    if (!document) CHECK(document.error().message.find("m.onnx: ") == 0);
    return document.has_value();
  };
  for (std::size_t length = 1; length < whole.size(); ++length) (void)safely(std::string_view(whole).substr(0, length));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    for (const char other : {'\xFF', '\0', '\x7F', '\x0A'}) {
      bytes[at] = other;
      (void)safely(bytes);
    }
  }
  CHECK(safely(whole));
  CHECK(read_error(whole.substr(0, 40)).find("breaks off at byte 2") != std::string::npos);
}

TEST_CASE("ONNX: the models of the collection have the loads that were counted elsewhere") {
  STOWAGE_NEED_SHARED(shared);
  const auto open = [&](const std::string& name, const ReadOptions& options = {}) {
    auto document = open_document((shared / "data/onnx" / name).string(), options);
    REQUIRE_MESSAGE(document.has_value(), (document ? "" : document.error().message));
    return std::move(*document);
  };
  if (!onnx::can_infer()) return;
  const Document squeezenet = open("light_squeezenet.onnx");
  CHECK(squeezenet.graph->ops().size() == 105);
  CHECK(load_of(squeezenet) == 11240864);
  const Document folded = open("light_squeezenet.onnx", choose("constants", "fold"));
  CHECK(folded.graph->ops().size() == 66);
  CHECK(load_of(folded) < 11240864);
  const Document resnet = open("light_resnet50.onnx");
  CHECK(resnet.graph->ops().size() == 415);
  CHECK(load_of(resnet) == 111730592);
  const Document mnist = open("onnxmlir_mnist.onnx");
  CHECK(mnist.graph->ops().size() == 7);
  CHECK(load_of(mnist) == 3920);
  const Document faces = open("version-RFB-320.onnx");
  CHECK(faces.graph->ops().size() == 242);
  CHECK(load_of(faces) > 0);
}
