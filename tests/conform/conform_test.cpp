// The cases of the extra data, and the program's own rules: nothing is held that was not compared.

#include <string>

#include <doctest/doctest.h>

#include "tests/conform/judge.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::conform;

namespace {

json toy() {
  return json::parse(R"({"name": "toy", "allocator": "first-fit-given-order", "alignment": 1, "capacity": null,
    "buffers": [{"id": "a", "lower": 0, "upper": 2, "size": 3}, {"id": "b", "lower": 1, "upper": 3, "size": 4}],
    "expected": {"offsets": {"a": 0, "b": 3}, "makespan": 7, "objects": null}})");
}

}  // namespace

TEST_CASE("every conformance case at hand is held") {
  STOWAGE_NEED_SHARED(shared);
  Tally tally;
  for (const char* name : {"tflite", "tflm", "tvm", "xla", "triton", "minimalloc", "glow", "others", "graphs"}) {
    const auto judged = judge_file(shared / "conformance" / (std::string(name) + ".json"));
    REQUIRE(judged);
    for (const Judged& one : *judged) {
      CAPTURE(one.name);
      CHECK(describe(one.verdict) == "held");
      tally.count(one.verdict);
    }
  }
  CHECK(tally.held > 150);
}

TEST_CASE("a case is held only when all it expects is so") {
  CHECK(describe(judge(toy())) == "held");
  json wrong = toy();
  wrong["expected"]["offsets"]["b"] = 4;
  CHECK(describe(judge(wrong)) == R"(failed (offsets: expected {"b":4}, got {"b":3}))");
  wrong = toy();
  wrong["expected"]["makespan_lt"] = 7;
  CHECK(describe(judge(wrong)) == "failed (makespan_lt: expected 7, got 7)");
  wrong["expected"]["makespan_lt"] = 8;
  CHECK(describe(judge(wrong)) == "held");
  wrong["allocator"] = "first-fit-by-nobody";
  CHECK(describe(judge(wrong)) == "failed (no allocator first-fit-by-nobody)");
}

TEST_CASE("what nobody understands is never held") {
  const auto kind = [](const json& from) {
    return judge(from).kind;
  };
  json strange = toy();
  strange["expected"]["colour"] = "red";
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["params"] = {{"mood", "good"}};
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["buffers"][0]["colour"] = "red";
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["mood"] = "good";
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["expected"] = {{"offsets", nullptr}};
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["expected"]["status"] = "splendid";
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["expected"]["offsets"]["nobody"] = 0;
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
  strange = toy();
  strange["buffers"][0]["size"] = "three";
  CHECK(kind(strange) == Verdict::Kind::kNotExpressible);
}

TEST_CASE("a plan above the capacity holds no case that does not say so") {
  json tight = toy();
  tight["capacity"] = 6;
  CHECK(judge(tight).kind == Verdict::Kind::kFailed);
  tight["expected"] = {{"status", "does-not-fit"}};
  CHECK(describe(judge(tight)) == "held");
  tight["capacity"] = 7;
  CHECK(judge(tight).kind == Verdict::Kind::kFailed);
}

TEST_CASE("peers' names for parameters, values and whole subjects are understood") {
  const auto held = [](const char* allocator, const char* params, const char* expected) {
    json from = toy();
    from["allocator"] = allocator;
    from["params"] = json::parse(params);
    from["expected"] = json::parse(expected);
    return describe(judge(from));
  };
  CHECK(held("tflite-arena-planner", R"({"preserve_all_tensors": true})", R"({"makespan": 7})") == "held");
  CHECK(held("triton-coloring", R"({"partition_size": 64})", R"({"makespan": 7})") == "held");
  CHECK(held("xla-best-fit", R"({"chunk_placement": "lowest_offset"})", R"({"makespan": 7})") == "held");
  CHECK(held("xla-best-fit", R"({"packing_search": true})", R"({"makespan": 7})") == "held");
  CHECK(held("xla-packing-search", "{}", R"({"makespan": 7})") == "held");
  CHECK(held("xla-best-fit-multi-heap", R"({"strategy": "end", "limit": 4})", R"({"heaps": 2})") == "held");
  CHECK(held("inductor-pools", R"({"memory_pool": "combined"})", R"({"makespan": 7})") == "held");
  CHECK(held("executorch-greedy", R"({"allow_overlapping_allocations": false})", R"({"makespan": 7})") == "held");
  CHECK(held("tflite-strip-packing", R"({"order": "given"})", R"({"offsets": {"a": 0, "b": 3}})") == "held");
  CHECK(held("tflite-greedy-in-order", R"({"reallocation_graph": [[1], [0]]})", R"({"objects": {"ids": [0, 1]}})") ==
        "held");
}

TEST_CASE("minimalloc: a timeout is a limit of the run, a hint changes nothing") {
  json from = toy();
  from["allocator"] = "minimalloc";
  from["capacity"] = 7;
  from["params"] = {{"timeout", 10}};
  from["buffers"][0]["hint"] = 4;
  from["expected"] = {{"status", "ok"}};
  CHECK(describe(judge(from)) == "held");
}

TEST_CASE("minimalloc: an exhausted search is called infeasible, whatever its rules; one that was cut short is not") {
  json from = toy();
  from["allocator"] = "minimalloc";
  for (const char* id : {"c", "d"}) {  // only one of them can lie at 0
    from["buffers"].push_back({{"id", id}, {"lower", 1}, {"upper", 2}, {"size", 1}, {"alignment", 16}});
  }
  from["capacity"] = 12;
  from["expected"] = {{"status", "infeasible"}};
  from["params"] = {{"dynamic_ordering", false}, {"hatless_pruning", true}, {"section_inference", false}};
  CHECK(describe(judge(from)) == "held");
  from["params"]["nodes"] = 1;
  CHECK(judge(from).kind == Verdict::Kind::kFailed);
}

TEST_CASE("glow: one strategy above the capacity fails the whole call") {
  json from = toy();
  from["allocator"] = "glow-allocate-all";
  from["buffers"] = json::parse(R"([{"id": "a", "lower": 3, "upper": 5, "size": 4},
    {"id": "b", "lower": 2, "upper": 4, "size": 2}, {"id": "c", "lower": 2, "upper": 3, "size": 7},
    {"id": "d", "lower": 4, "upper": 6, "size": 8}])");
  from["capacity"] = 12;  // the second strategy fits exactly, the first does not
  from["expected"] = {{"status", "does-not-fit"}};
  CHECK(describe(judge(from)) == "held");
  from["params"] = {{"strict", false}};
  from["expected"] = {{"status", "ok"}};
  CHECK(describe(judge(from)) == "held");
}

TEST_CASE("the running heap has one entry for buffers that are tied to each other") {
  json from = toy();
  from["allocator"] = "xla-best-fit";
  from["buffers"].push_back({{"id", "c"}, {"lower", 4}, {"upper", 5}, {"size", 2}, {"colocate_with", "a"}});
  from["expected"] = {{"running_heap", {4, 7}}};
  CHECK(describe(judge(from)) == "held");
}

TEST_CASE("objects of every planner of TensorFlow Lite's GPU delegate have shapes where buffers have them") {
  json from = toy();
  from["buffers"][0]["size"] = 16;
  from["buffers"][0]["shape"] = {2, 8};
  from["buffers"][1]["size"] = 16;
  from["buffers"][1]["shape"] = {4, 4};
  for (const char* planner : {"naive", "equality", "greedy-in-order", "greedy-by-breadth", "greedy-by-size-objects",
                              "greedy-best", "mincostflow"}) {
    CAPTURE(planner);
    from["allocator"] = "tflite-" + std::string(planner) + "-multidim";
    from["expected"] = {{"objects", {{"ids", {0, 1}}, {"sizes", {{2, 8}, {4, 4}}}}}};
    CHECK(describe(judge(from)) == "held");
  }
}

TEST_CASE("a file that is not there, or is something else, is an error") {
  CHECK_FALSE(judge_file("no/such/file.json"));
  CHECK_FALSE(judge_file(std::filesystem::path(STOWAGE_SOURCE_DIR) / "README.md"));
}
