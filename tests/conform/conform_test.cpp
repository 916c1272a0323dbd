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

TEST_CASE("what compares nothing is never held") {
  const auto kind_of = [](const char* allocator, const char* params, const char* expected) {
    json from = toy();
    from["allocator"] = allocator;
    from["params"] = json::parse(params);
    from["expected"] = json::parse(expected);
    return judge(from).kind;
  };
  constexpr auto kNot = Verdict::Kind::kNotExpressible;
  CHECK(kind_of("first-fit", "{}", R"({"offsets": {}})") == kNot);
  CHECK(kind_of("tflite-naive", "{}", R"({"objects": {}})") == kNot);
  CHECK(kind_of("xla-repacker-sliced", "{}", R"({"slices": {}})") == kNot);
  CHECK(kind_of("tvm-greedy-by-size", R"({"pools": [{"name": "p"}]})", R"({"pool_sizes": {}})") == kNot);
  CHECK(kind_of("effective-size", "{}", R"({"effective_size": {"a_below_b": "unchecked"}})") == kNot);
  for (const char* lists : {"[]", "[[]]", R"([["a"]])", R"(["a", "b"])"}) {
    const std::string expected = std::string(R"({"together": )") + lists + "}";
    CHECK(kind_of("xla-best-fit-multi-heap", R"({"limit": 9})", expected.c_str()) == kNot);
  }
  CHECK(kind_of("minimalloc", "{}", R"({"valid_solution": {"offsets": [0, 3], "height": 7, "mood": 1}})") == kNot);
  constexpr auto kFailed = Verdict::Kind::kFailed;
  CHECK(kind_of("first-fit", "{}", R"({"makespan_le": "9"})") == kFailed);
  CHECK(kind_of("first-fit", "{}", R"({"makespan_lt": "9"})") == kFailed);
  CHECK(kind_of("xla-best-fit-multi-heap", R"({"limit": 9})", R"({"heap3": {}})") == kFailed);
  CHECK(kind_of("xla-best-fit-multi-heap", R"({"limit": 9})", R"({"heap99999999999999999999": {}})") == kNot);
  CHECK(kind_of("tflite-objects-to-offsets", R"({"object_sizes": [4], "object_ids": [1, 0]})",
                R"({"offsets": {"a": 0}})") == kNot);
}

TEST_CASE("numbers are taken as they are or not at all") {
  for (const char* key : {"lower", "upper", "size", "alignment", "offset"}) {
    for (const char* value : {"0.5", "2.0", "9223372036854775808", "true", "\"2\""}) {
      CAPTURE(key);
      CAPTURE(value);
      json from = toy();
      from["buffers"][0][key] = json::parse(value);
      CHECK(judge(from).kind == Verdict::Kind::kNotExpressible);
    }
  }
  json gapped = toy();
  gapped["buffers"][0]["gaps"] = {{{"lower", 0}, {"upper", 1}, {"mood", 1}}};
  CHECK(judge(gapped).kind == Verdict::Kind::kNotExpressible);
}

TEST_CASE("keys may be missing or null, ids numbers, and offsets and solutions lists") {
  const json bare = json::parse(R"({"name": "bare", "allocator": "first-fit", "params": {"order": null},
    "buffers": [{"id": 0, "lower": 0, "upper": 2, "size": 3, "alignment": null, "gaps": null, "id_num": null},
                {"id": 1, "lower": 1, "upper": 3, "size": 4, "colocate_with": null, "conflicts": null}],
    "expected": {"offsets": [0, 3], "offsets_subset": {"1": 3}}})");
  CHECK(describe(judge(bare)) == "held");
  json wrong = bare;
  wrong["expected"]["offsets"] = {3, 0};
  CHECK(describe(judge(wrong)) == "failed (offsets: expected [3,0], got [0,3])");

  json heaps = bare;
  heaps["allocator"] = "xla-best-fit-multi-heap";
  heaps["params"] = {{"limit", 5}};
  heaps["expected"] = json::parse(R"({"apart": [[0, 1]], "heap0": {"1": 0}, "heap1": {"0": 0}, "total": 7})");
  CHECK(describe(judge(heaps)) == "held");

  json valid = bare;
  valid["allocator"] = "validator";
  valid["params"] = json::parse(R"({"solution": {"0": 4, "1": 0}, "height": 7})");
  valid["expected"] = {{"status", "good"}};
  CHECK(describe(judge(valid)) == "held");
  valid["params"]["solution"].erase("1");
  CHECK(describe(judge(valid)) == R"(failed (status: expected "good", got "bad-solution"))");

  json infeasible = bare;
  infeasible["allocator"] = "minimalloc";
  infeasible["capacity"] = 6;
  infeasible["expected"] = {{"iis", {"0", "1"}}};
  CHECK(describe(judge(infeasible)) == "held");
  infeasible["expected"] = {{"iis", {0, 1}}};
  CHECK(describe(judge(infeasible)) == "held");

  json events = bare;
  events.erase("buffers");
  events["allocator"] = "ort-mem-pattern";
  events["params"] = json::parse(R"({"events": [["alloc", "a", 4], ["free", "a"], ["alloc", "b", 2]]})");
  events["expected"] = json::parse(R"({"offsets": {"a": 0, "b": 0}, "makespan": 4})");
  CHECK(describe(judge(events)) == "held");
  events["params"]["events"].push_back({"free", "c"});
  CHECK(judge(events).kind == Verdict::Kind::kNotExpressible);
}

TEST_CASE("glow's online first fit fills no hole that is too small") {
  json from = toy();
  from["allocator"] = "glow-first-fit";
  from["alignment"] = 10;
  from["buffers"] = json::parse(R"([{"id": 0, "lower": 0, "upper": 2, "size": 10},
    {"id": 1, "lower": 1, "upper": 4, "size": 10}, {"id": 2, "lower": 3, "upper": 5, "size": 20}])");
  from["expected"] = {{"makespan", 40}};
  CHECK(describe(judge(from)) == "held");
}

TEST_CASE("tvm: conflict lists are taken as the peer takes them, and a collision is no lack of room") {
  json from = toy();
  from["allocator"] = "tvm-greedy-by-size";
  from["buffers"] = json::parse(R"([{"id": "x", "size": 2, "conflicts": ["y"]}, {"id": "z", "size": 1, "conflicts": []},
    {"id": "y", "size": 1, "conflicts": ["x", "z"]}])");
  from["expected"] = json::parse(R"({"offsets": {"x": 0, "y": 2, "z": 0}})");  // z names nobody
  CHECK(describe(judge(from)) == "held");
  from["buffers"][0]["conflicts"] = json::array();
  from["buffers"][1]["conflicts"] = {"x"};
  from["buffers"][2]["conflicts"] = json::array({"z"});
  from["buffers"][2]["size"] = 3;  // first; x and y may share, z lies above x and meets y
  from["expected"] = {{"status", "error-pools-exceeded"}};
  CHECK(judge(from).kind == Verdict::Kind::kFailed);
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
