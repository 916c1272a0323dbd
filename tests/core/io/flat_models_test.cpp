#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/metrics.h"
#include "tests/core/io/document_buffers.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_models.h"
#include "tests/support/graph_document.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

Document read_tflite(const TfliteModel& model, const ReadOptions& options = {}) {
  return read_good(bytes_of(model), options, "m.tflite");
}

}  // namespace

TEST_CASE("TFLite: inputs live from the start, outputs and variables to the end, constants nowhere") {
  TfliteModel model;
  TfliteSubgraph graph;
  graph.tensors = {{"in", {8}},          {"state", {4}, 9, 0, true},
                   {"w", {100}, 9, 1},   {"mid", {2, 3}, 0},
                   {"out", {5}},         {"far", {7}, 9, 0, false, {}, {}, 77},
                   {"behind", {7}, 9, 2}};
  graph.ops = {{0, {0, 2, 5, 6, -1}, {3}}, {0, {3, 1}, {4}}, {0, {3}, {}}};
  graph.inputs = {0};
  graph.outputs = {4};
  model.subgraphs = {graph};
  model.codes = {{9, ""}};
  model.buffers = {{}, {std::string(100, 'w')}, {"", 4096, 7}};
  const Document document = read_tflite(model);
  CHECK(document.problem->size() == 4);
  CHECK(lives(buffer(document, "in"), 0, 1));
  CHECK(lives(buffer(document, "state"), 0, 3));
  CHECK(lives(buffer(document, "mid"), 0, 3));
  CHECK(lives(buffer(document, "out"), 1, 3));
  CHECK(buffer(document, "mid").size == 24);
  CHECK(buffer(document, "mid").alignment == 16);
  CHECK(document.graph->op(0).type == "FULLY_CONNECTED");
  const Document with_weights = read_tflite(model, choose("include", "inputs,weights,outputs"));
  CHECK(with_weights.problem->size() == 7);
  CHECK(buffer(with_weights, "behind").size == 7);
  CHECK(read_tflite(model, choose("include", "none")).problem->size() == 1);
}

TEST_CASE("TFLite: element types that no graph of ours has still have their size, or none is known") {
  TfliteModel model;
  TfliteSubgraph graph;
  graph.tensors = {{"int4", {3}, 17}, {"int2", {9}, 19}, {"text", {2}, 5}, {"new", {2}, 99}, {"bool", {3}, 6}};
  graph.ops = {{0, {}, {0, 1, 2, 3, 4}}, {0, {0, 1, 2, 3, 4}, {}}};
  model.subgraphs = {graph};
  const Document document = read_tflite(model);
  CHECK(buffer(document, "int4").size == 2);
  CHECK(buffer(document, "int2").size == 3);
  CHECK(buffer(document, "bool").size == 3);
  CHECK(find(document, "text") == kNoBuffer);
  CHECK(has_warning(document, "text: size unknown, left out"));
  CHECK(has_warning(document, "new: size unknown, left out"));
}

TEST_CASE("TFLite: dimensions that the file leaves open are asked for") {
  TfliteModel model;
  TfliteSubgraph graph;
  graph.tensors = {{"x", {1, 8}, 9, 0, false, {-1, 8}},
                   {"y", {-1, 2}},
                   {"any", {}, 9, 0, false, {}, false},
                   {"scalar", {}, 0, 0, false, {}, true}};
  graph.ops = {{0, {}, {0, 1, 2, 3}}, {0, {0, 1, 2, 3}, {}}};
  model.subgraphs = {graph};
  const Document document = read_tflite(model);
  CHECK(buffer(document, "x").size == 8);
  CHECK(buffer(document, "scalar").size == 4);
  CHECK(find(document, "y") == kNoBuffer);
  CHECK(find(document, "any") == kNoBuffer);
  CHECK(has_warning(document, "2 tensors have dimensions that the file leaves open"));
  CHECK(has_warning(document, "--dims '?=N' sets them all, --dims d0=N by their position"));
  CHECK(document.facts.open == std::vector<OpenSize>{{"dims", "d0"}});
  CHECK(document.facts.left_out == 2);
  const Document given = read_tflite(model, choose("dims", "?=3,d0=5"));
  CHECK(buffer(given, "x").size == 40);
  CHECK(buffer(given, "y").size == 10);
}

TEST_CASE("TFLite: without the field has_rank a tensor without dimensions is a scalar") {
  TfliteModel model = toy_tflite();
  model.subgraphs[0].tensors[0].shape = {};
  CHECK(buffer(read_tflite(model), "a").size == 1);
}

TEST_CASE("TFLite: names may be missing or the same") {
  TfliteModel model = toy_tflite();
  for (TfliteTensor& tensor : model.subgraphs[0].tensors) tensor.name = "x";
  model.subgraphs[0].tensors[2].name = "";
  const Document document = read_tflite(model);
  CHECK(buffer(document, "x (2)").size == 32);
  CHECK(buffer(document, "tensor 2").size == 64);
  CHECK(load_of(document) == 112);
  model.subgraphs[0].tensors[0].name = std::string("a\0b", 3);  // which JSON of ours cannot hold
  CHECK(read_good(write_as(read_tflite(model), "stowage-json"), {}, "m.json").problem->size() == 4);
}

TEST_CASE("TFLite: another subgraph is read when it is asked for; ops that run one are one step") {
  TfliteModel model = toy_tflite();
  TfliteSubgraph body;
  body.name = "body";
  body.tensors = {{"p", {10}}, {"q", {20}}};
  body.ops = {{0, {0}, {1}}};
  body.inputs = {0};
  body.outputs = {1};
  model.subgraphs.push_back(body);
  model.codes = {{0, ""}, {119, ""}};
  model.subgraphs[0].ops[3].code = 1;
  model.subgraphs[0].ops[3].calls = {1, 1};
  const Document document = read_tflite(model);
  CHECK(document.problem->size() == 4);
  CHECK(has_warning(document, "this is subgraph 0 of 2"));
  CHECK(has_warning(document, "WHILE.3 runs subgraph 1 and 1"));
  for (const char* which : {"1", "body"}) {
    const Document other = read_tflite(model, choose("subgraph", which));
    CHECK(other.problem->size() == 2);
    CHECK(load_of(other) == 30);
  }
  const auto none = read_document(bytes_of(model), "m.tflite", choose("subgraph", "2"));
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == Error::Kind::kUsage);
}

TEST_CASE("TFLite: what makes no sense is left out and listed") {
  TfliteModel model = toy_tflite();
  model.subgraphs[0].ops[1].in = {0, 17, -3};
  model.subgraphs[0].ops[2].code = 9;
  model.subgraphs[0].ops[3].out = {2, 1, 2};  // b is there already
  const Document document = read_tflite(model);
  CHECK(document.facts.left_out == 2);
  CHECK(has_warning(document, "ADD.1: tensor 17, but there are 4"));
  CHECK(has_warning(document, "writes into b, which is there already"));
  CHECK(document.graph->op(2).type == "op code 9");
  CHECK(load_of(document) == 112);
}

TEST_CASE("TFLite: an offline plan for some tensors pins those") {
  TfliteModel model = placed_toy_tflite();
  model.metadata[1].second = {1, 0, 4, 0, -1, 0, 96};
  const Document document = read_tflite(model);
  CHECK(document.plans.empty());
  CHECK(document.facts.offsets == "pins");
  CHECK(buffer(document, "d").fixed == 96);
  CHECK_FALSE(buffer(document, "b").is_fixed());
  ReadOptions as_plan;
  as_plan.offsets = OffsetRule::kPlan;
  CHECK(read_tflite(model, as_plan).plans.size() == 1);
}

TEST_CASE("TFLite: an offline plan of another length or another subgraph is not this one") {
  const std::vector<std::vector<std::int32_t>> wrong = {
      {1, 0, 5, 0, 64, 0, 96, 0}, {1, 0, 4, 0, 64, 0}, {1, 0, 2147483647, 0}, {1, 0}, {}};
  for (const std::vector<std::int32_t>& numbers : wrong) {
    TfliteModel model = placed_toy_tflite();
    model.metadata[1].second = numbers;
    const Document document = read_tflite(model);
    CHECK(document.plans.empty());
    CHECK(has_warning(document, "OfflineMemoryAllocation"));
    CHECK(load_of(document) == 112);
  }
  TfliteModel model = placed_toy_tflite();
  model.metadata[1].second[1] = 1;
  CHECK(read_tflite(model).plans.empty());
}

TEST_CASE("TFLite: tensors of one opaque op may share bytes, others may not") {
  TfliteModel model;
  TfliteSubgraph graph;
  graph.tensors = {{"in", {64}}, {"scratch", {256}}, {"out", {32}}, {"last", {16}}};
  graph.ops = {{0, {0, 1, 1}, {2}}, {1, {2}, {3}}};
  graph.inputs = {0};
  graph.outputs = {3};
  model.subgraphs = {graph};
  model.codes = {{32, "ethos-u"}, {14, ""}};
  model.metadata = {{"OfflineMemoryAllocation", {0, 0, 4, 64, 0, 16, 64}}};
  const Document document = read_tflite(model);
  CHECK(document.problem->size() == 4);
  CHECK(lives(buffer(document, "scratch"), 0, 1));
  check_plan_is_valid(document);
  CHECK(load_of(document) == 256);
  model.codes = {{0, ""}, {14, ""}};
  const Document known = read_tflite(model);
  REQUIRE(known.plans.size() == 1);
  CHECK_FALSE(check_plan(*known.problem, known.plans[0]).valid());
}

TEST_CASE("TFLite: a plan put into a copy of the model is read back, and nothing else changes") {
  TfliteModel model = toy_tflite();
  model.subgraphs[0].tensors.push_back({"w", {100}, 9, 1});
  model.subgraphs[0].ops[1].in.push_back(4);
  model.subgraphs[0].ops[0].large_options = 5000;
  model.buffers = {{}, {std::string(100, 'w')}, {"", 4096, 7}};
  model.metadata = {{"min_runtime_version", {1}}};
  const std::string before = bytes_of(model);
  Document document = read_good(before, {}, "m.tflite");
  Plan plan;
  plan.id = "mine";
  plan.offsets = {16, 96, 16, 80};
  document.put_plan(plan);
  const std::string after = write_as(document, "tflite");
  REQUIRE(after.size() > before.size());
  const std::uint64_t shift = after.size() - before.size();
  CHECK(shift % 16 == 0);
  Document again = read_good(after, {}, "m.tflite");
  check_plan_is_valid(again);
  CHECK(again.plans[0].offsets == plan.offsets);
  CHECK(again.graph->input().ops == document.graph->input().ops);
  CHECK(again.graph->input().tensors == document.graph->input().tensors);
  // What is behind the tables has moved with them.
  CHECK(after.find(flat::bytes_of(4096 + shift)) != std::string::npos);
  CHECK(after.find(flat::bytes_of(5000 + shift)) != std::string::npos);

  plan.offsets = {0, 64, 0, 96};
  again.put_plan(plan);
  const std::string third = write_as(again, "tflite");
  CHECK(third.size() == after.size());  // the old plan gives its place
  CHECK(read_good(third, {}, "m.tflite").plans.at(0).offsets == plan.offsets);
}

TEST_CASE("TFLite: what a model cannot hold is not written") {
  const auto refused = [](const Document& document) {
    const auto bytes = find_format("tflite")->write(document, {});
    REQUIRE_FALSE(bytes.has_value());
    return bytes.error().message;
  };
  Document document = read_tflite(placed_toy_tflite());
  document.plans.clear();
  CHECK(refused(document).find("no plan") != std::string::npos);
  Plan plan;
  plan.id = "far";
  plan.offsets = {std::int64_t{1} << 31U, 0, 0, 0};
  document.put_plan(plan);
  CHECK(refused(document).find("31 bits") != std::string::npos);
  document.original = nullptr;
  CHECK(refused(document).find("was not read from one") != std::string::npos);
}

TEST_CASE("TFLite: a model that uses one list over and over is called damaged") {
  TfliteModel model = toy_tflite();
  model.subgraphs[0].ops.insert(model.subgraphs[0].ops.end(), 100, TfliteOp{0, {}, {}});
  model.subgraphs[0].ops[0].in.assign(30000, -1);
  std::string bytes = bytes_of(model);
  CHECK(read_good(bytes, {}, "m.tflite").problem->size() == 4);
  // Let every op be the first one: references are the distance from where they stand.
  const std::size_t count = model.subgraphs[0].ops.size();
  const std::size_t list = bytes.find(flat::bytes_of(static_cast<std::uint32_t>(count)));
  REQUIRE(list != std::string::npos);
  std::uint32_t first = 0;
  std::memcpy(&first, bytes.data() + list + 4, sizeof first);
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t distance = first - 4 * i;
    std::memcpy(bytes.data() + list + 4 + 4 * std::size_t{i}, &distance, sizeof distance);
  }
  CHECK(read_error(bytes, {}, "m.tflite").find("over and over") != std::string::npos);
}

TEST_CASE("ExecuTorch: spaces, mutable state, constants, and what the caller brings along") {
  PtePlan plan;
  plan.tensors = {{{16}, 1, 0},
                  {{8}, 2, 0},
                  {{100}, std::nullopt, 0, 1, 3, "w"},
                  {{4}, 2, 8, 1, 1, "cache"},
                  {{32}, std::nullopt, 0},
                  {{0}, 1, 16},
                  {{6}, std::nullopt, 0, 1, 0, "", 2}};
  plan.lists = {{0, -1, 1}};
  plan.calls = {{1, {4, 2, 0, 0}}, {2, {0, 1}}, {1, {3, 5, 5}}, {1, {7, 6, 6}}};
  plan.inputs = {4};
  plan.outputs = {1};
  plan.sizes = {0, 16, 8};
  const Document document = read_good(bytes_of({plan}), {}, "m.pte");
  CHECK(document.problem->size() == 4);
  CHECK(lives(buffer(document, "value 0"), 0, 4));
  CHECK(lives(buffer(document, "value 1"), 1, 4));
  CHECK(lives(buffer(document, "cache"), 0, 4));
  CHECK(lives(buffer(document, "value 5"), 2, 3));
  REQUIRE(document.problem->spaces().size() == 2);
  CHECK(document.problem->spaces()[buffer(document, "cache").space].id == "memory 2");
  CHECK(has_warning(document, "value 4: its memory comes from elsewhere"));
  CHECK(has_warning(document, "value 6: size unknown"));
  CHECK(has_warning(document, "memory 2 has 8 bytes, but tensors lie there up to 12"));
  check_plan_is_valid(document);
  CHECK(document.graph->op(1).type == "ToyBackend");
}

TEST_CASE("ExecuTorch: offsets above 4 GiB, several methods, programs without the header") {
  PtePlan other = toy_pte();
  other.name = "decode";
  other.tensors[1].offset = (std::uint64_t{5} << 32U) + 64;
  const std::string bytes = bytes_of({toy_pte(), other}, false);
  CHECK(has_warning(read_good(bytes, {}, "m.pte"), "method 0 of 2 (forward, decode)"));
  for (const char* which : {"decode", "1"}) {
    const Document document = read_good(bytes, choose("method", which), "m.pte");
    CHECK(document.plans.at(0).offsets[find(document, "value 1")] == (std::int64_t{5} << 32U) + 64);
  }
}

TEST_CASE("ExecuTorch: views lie where their base lies, loops keep what they read") {
  PtePlan plan;
  plan.kernels = {{"aten::add", "out"}, {"executorch_prim::et_view", "default"}};
  plan.tensors = {{{16}, 1, 0}, {{16}, 1, 0}, {{4, 4}, 1, 0}, {{16}, 1, 16}, {{16}, 1, 32}, {{1}, 1, 48}};
  // Value 1 is an et_view of 0, value 2 another name for it without an instruction, 5 the condition of the jump to 2.
  plan.calls = {{1, {0, 0}, 0},    {1, {0, 6, 1, 1}, 1}, {1, {2, 1, 3, 3}, 0}, {1, {3, 4, 4}, 0},
                {1, {4, 5, 5}, 0}, {4, {5}, 2},          {1, {4, 4}, 0}};
  const Document document = read_good(bytes_of({plan}), {}, "m.pte");
  CHECK(document.problem->size() == 4);
  CHECK(lives(buffer(document, "value 0"), 0, 6));
  CHECK(lives(buffer(document, "value 3"), 2, 4));
  check_plan_is_valid(document);
}

TEST_CASE("ExecuTorch: a program that is cut off says so") {
  const std::string bytes = bytes_of({toy_pte()});
  CHECK(read_error(bytes.substr(0, bytes.size() - 1), {}, "m.pte").find("cut off") != std::string::npos);
  CHECK(read_good(bytes + std::string(100, 'x'), {}, "m.pte").problem->size() == 4);
}

TEST_CASE("real models: each has its known numbers") {
  STOWAGE_NEED_SHARED(shared);
  const struct {
    const char* file;
    std::size_t buffers;
    std::int64_t load;
    std::int64_t step;  // of the load; -1: not told
    std::int64_t sum;   // -1: not told
  } expected[] = {{"person_detect", 32, 55296, 2, 241030},
                  {"hello_world_float", 4, 128, -1, -1},
                  {"keyword_scrambled", 23, 10528, -1, -1},
                  {"kws_ref_model", 14, 16000, 1, 72642},
                  {"micro_speech_quantized", 5, 5960, -1, -1}};
  for (const auto& row : expected) {
    CAPTURE(row.file);
    auto document = open_document((shared / "data/tflite" / (std::string(row.file) + ".tflite")).string(), {});
    REQUIRE_MESSAGE(document.has_value(), (document ? std::string() : document.error().message));
    CHECK(document->problem->size() == row.buffers);
    CHECK(document->facts.left_out == 0);
    const ProblemMetrics facts = measure(*document->problem);
    CHECK(facts.load == row.load);
    if (row.step >= 0) CHECK(facts.peak_start == row.step);
    if (row.sum >= 0) CHECK(facts.naive == row.sum);

    // A plan can be put into each, and is read back.
    Plan plan;
    plan.id = "stacked";
    std::int64_t top = 0;
    for (BufferIndex i = 0; i < document->problem->size(); ++i) {
      plan.offsets.push_back(document->problem->grid(i).up(top));
      top = plan.offsets.back() + (*document->problem)[i].size;
    }
    document->put_plan(plan);
    const Document again = read_good(write_as(*document, "tflite"), {}, "m.tflite");
    check_plan_is_valid(again);
    CHECK(again.plans[0].offsets == plan.offsets);
  }
}

TEST_CASE("real programs: the plan inside has its known numbers") {
  STOWAGE_NEED_SHARED(shared);
  const auto program = open_document((shared / "data/executorch/AddModel.pte").string(), {});
  REQUIRE_MESSAGE(program.has_value(), (program ? std::string() : program.error().message));
  CHECK(program->problem->size() == 2);
  CHECK(load_of(*program) == 24);
  CHECK(measure(*program->problem, measure(*program->problem), program->plans.at(0)).makespan == 28);
  check_plan_is_valid(*program);
}

TEST_CASE("hostile models end with a message") {
  STOWAGE_NEED_SHARED(shared);
  const auto document = open_document((shared / "cases/hostile/48-truncated.tflite").string(), {});
  REQUIRE_FALSE(document.has_value());
  CHECK(document.error().kind == Error::Kind::kInput);
  CHECK(document.error().message.find("damaged or cut off") != std::string::npos);
}
