#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

Document read_json(const std::string& text) {
  return read_good(text, {}, "m.json");
}

std::string around(const std::string& problem, const std::string& rest = "") {
  return R"({"format":"stowage","version":1,"problem":)" + problem + rest + "}";
}

const std::string kFull = around(
    R"({"capacity":4096,"time_unit":"op","spaces":[{"id":"device","base":"18446744073709551615","capacity":null,
        "speed":1.50},{"id":"host","base":64,"capacity":"9007199254740993"}],
     "buffers":[
      {"id":"b1","lower":-3,"upper":9,"size":64,"alignment":16,"fixed":32,"hint":0,
       "gaps":[{"lower":3,"upper":4},{"lower":1,"upper":2,"window":[0,2]}],"kind":"activation","space":"host",
       "op":"conv","source":"x.py","requested":60,"open_start":true,"open_end":true,"clock":{"lower":[0,0],"upper":[3,1]},"mine":[1]},
      {"id":7,"lower":"0","upper":3,"size":"9007199254740993","fixed":null,"hint":null}],
     "conflicts":[["b1","7"]],"later":{"a":1.0}})",
    R"(,"name":"n","plans":[{"id":"p1","allocator":"best","params":{"order":"size","tries":3},"seed":"18446744073709551615",
       "claimed_makespan":96,"offsets":{"b1":32,"7":"9007199254740995"},"note":"x"},
       {"id":"p2","allocator":"naive","offsets":[null,-8]}],
     "drawing":{"ops":[1]},"view":{"zoom":1e3},"unknown":[1,2.50])");

}  // namespace

TEST_CASE("JSON: every key of the format arrives in the model") {
  const Document document = read_json(kFull);
  const Problem& problem = *document.problem;
  CHECK(problem.name() == "n");
  CHECK(problem.time_unit() == "op");
  CHECK(problem.input().capacity == 4096);
  CHECK(problem.spaces()[0].base == 18446744073709551615ULL);
  CHECK(problem.spaces()[1].capacity == 9007199254740993);
  CHECK(problem.spaces()[0].extra == R"({"speed":1.50})");
  REQUIRE(problem.size() == 2);
  CHECK(problem[0].start == -3);
  CHECK(problem[0].end == 9);
  CHECK(problem[0].alignment == 16);
  CHECK(problem[0].fixed == 32);
  CHECK(problem[0].space == 1);
  CHECK(problem.kind(0) == "activation");
  const Details& details = *problem.details(0);
  CHECK(details.hint == 0);
  CHECK(details.gaps == std::vector<Gap>{{1, 2, Window{0, 2}}, {3, 4, {}}});
  CHECK(details.op == "conv");
  CHECK(details.source == "x.py");
  CHECK(details.requested == 60);
  CHECK(details.open_start);
  CHECK(details.open_end);
  CHECK(details.clock == Clock{{0, 0}, {3, 1}});
  CHECK(details.extra == R"({"mine":[1]})");
  CHECK(problem.constraints().conflicts == std::vector<ConflictEdge>{{0, 1}});
  CHECK(problem.id(1) == "7");
  CHECK(problem[1].size == 9007199254740993);
  CHECK_FALSE(problem[1].is_fixed());
  REQUIRE(document.plans.size() == 2);
  const Plan& plan = document.plans[0];
  CHECK(plan.allocator == "best");
  CHECK(plan.params.at("order") == "size");
  CHECK(plan.params.at("tries") == "3");
  CHECK(plan.seed == 18446744073709551615ULL);
  CHECK(plan.claimed_makespan == 96);
  CHECK(plan.offsets == std::vector<std::int64_t>{32, 9007199254740995});
  CHECK(plan.extra == R"({"note":"x"})");
  CHECK(document.plans[1].offsets == std::vector<std::int64_t>{kNoOffset, -8});
  CHECK(document.view == R"({"zoom":1e3})");
  CHECK(document.extra == R"({"drawing":{"ops":[1]},"unknown":[1,2.50]})");
  CHECK(document.facts.format == "stowage-json");
  CHECK(document.facts.offsets == "plan");
}

TEST_CASE("JSON: what is kept, but not known, is said") {
  const Document document = read_json(kFull);
  CHECK(has_warning(document, "\"drawing\" of the file (1 times) is kept, but unknown here"));
  CHECK(has_warning(document, "\"unknown\" of the file (1 times) is kept, but unknown here"));
  CHECK(has_warning(document, "\"mine\" of buffers"));
  CHECK(has_warning(document, "\"speed\" of spaces"));
  CHECK(has_warning(document, "\"note\" of plans"));
  CHECK_FALSE(has_warning(read_json(around(R"({"buffers":[],"conflicts":[],"groups":null})")), "kept"));
}

TEST_CASE("JSON: writing and reading again loses nothing and is a fixed point") {
  const Document document = read_json(kFull);
  const std::string text = write_as(document, "stowage-json");
  const Document again = read_json(text);
  CHECK(full_difference(document, again) == "");
  CHECK(write_as(again, "stowage-json") == text);
  const auto parsed = nlohmann::json::parse(text);
  CHECK(parsed["problem"]["buffers"][1]["size"] == "9007199254740993");
  CHECK(parsed["problem"]["buffers"][0]["size"] == 64);
  CHECK(parsed["problem"]["spaces"][0]["speed"] == 1.5);
  CHECK(parsed["unknown"][1] == 2.5);
  CHECK(parsed["plans"][0]["offsets"]["b1"] == 32);
}

TEST_CASE("JSON: numbers that no double holds keep their text") {
  const std::string number = "123456789012345678901234567890.12345678901234567890e-7";
  const Document document = read_json(around(R"({"buffers":[]})", ",\"n\":" + number));
  CHECK(write_as(document, "stowage-json").find(number) != std::string::npos);
}

TEST_CASE("JSON: a bare list of buffers is read with warnings") {
  const Document document = read_json(R"({"capacity":9,"buffers":[{"id":"a","lower":0,"upper":4,"size":10}],"x":1})");
  CHECK(document.problem->sections().load() == 10);
  CHECK(document.problem->capacity() == 9);
  CHECK(has_warning(document, "a bare list of buffers"));
  CHECK(has_warning(document, "\"format\" is missing"));
  CHECK(has_warning(document, "\"version\" is missing"));
  CHECK(full_difference(document, read_json(write_as(document, "stowage-json"))) == "");
}

TEST_CASE("JSON: of two equal keys the last counts, with a warning") {
  const Document document = read_json(R"({"buffers":[{"id":"a","size":10,"lower":0,"upper":4,"size":99}]})");
  CHECK(document.problem->sections().load() == 99);
  CHECK(has_warning(document, "$.buffers[0].size: duplicate key"));
  std::string many = R"({"buffers":[{"id":"a","lower":0,"upper":4)";
  for (int i = 0; i < 30; ++i) many += ",\"k" + std::to_string(i % 20) + "\":" + std::to_string(i);
  const Document keys = read_json(many + ",\"size\":1}]}");
  CHECK(has_warning(keys, "$.buffers[0].k3: duplicate key"));
  CHECK(keys.problem->details(0)->extra.find("\"k3\":23") != std::string::npos);
  CHECK(keys.problem->details(0)->extra.find("\"k3\":3,") == std::string::npos);
}

TEST_CASE("JSON: with duplicate ids offsets are written as an array") {
  const Document document = read_json(
      R"({"buffers":[{"id":"a","lower":0,"upper":4,"size":1},{"id":"a","lower":0,"upper":4,"size":1}],
          "plans":[{"id":"p","offsets":[0,1]}]})");
  CHECK(has_warning(document, "duplicate id"));
  const auto parsed = nlohmann::json::parse(write_as(document, "stowage-json"));
  CHECK(parsed["plans"][0]["offsets"] == nlohmann::json({0, 1}));
}

TEST_CASE("JSON: texts that are not UTF-8 survive as JSON, byte by byte") {
  const Document document = read_good("id,lower,upper,size,kind,space,note\ncaf\xE9,0,4,10,k\xFF,s\xFE,n\xFD\n");
  const std::string text = write_as(document, "stowage-json");
  REQUIRE(nlohmann::json::accept(text));
  CHECK(nlohmann::json::parse(text)["problem"]["buffers"][0]["id"] == "caf\xEF\xBF\xBD");
  CHECK(nlohmann::json::parse(text)["problem"]["buffers"][0]["id_bytes"] == "636166e9");
  const Document again = read_json(text);
  CHECK(difference(*document.problem, *again.problem) == "");
  CHECK(write_as(again, "minimalloc-csv") == write_as(document, "minimalloc-csv"));
  const Document raw = read_json("{\"buffers\":[{\"id\":\"caf\xE9\",\"lower\":0,\"upper\":4,\"size\":10}]}");
  CHECK(raw.problem->id(0) == "caf\xE9");
  CHECK(has_warning(raw, "not UTF-8"));
}

TEST_CASE("JSON: escapes, surrogate pairs and a byte order mark") {
  const Document document = read_json(
      "\xEF\xBB\xBF{\"buffers\":[{\"id\":\"a\\\"\\\\\\/"
      "\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\",\"lower\":0,\"upper\":4,\"size\":1}]}");
  CHECK(document.problem->id(0) == "a\"\\/\b\f\n\r\té😀");
  CHECK(has_warning(document, "byte order mark"));
  CHECK(full_difference(document, read_json(write_as(document, "stowage-json"))) == "");
}

TEST_CASE("JSON: spaces that are only named by buffers exist") {
  const Document document = read_json(
      R"({"buffers":[{"id":"a","lower":0,"upper":4,"size":1},{"id":"b","lower":0,"upper":4,"size":1,"space":"host"}]})");
  REQUIRE(document.problem->spaces().size() == 2);
  CHECK((*document.problem)[1].space == 1);
  CHECK(document.problem->spaces()[1].id == "host");
}

TEST_CASE("JSON: --times closed adds one to the ends of lifetimes and gaps") {
  ReadOptions closed;
  closed.times = TimeRule::kClosed;
  const Document document = read_good(
      R"({"buffers":[{"id":"a","lower":0,"upper":4,"size":1,"gaps":[{"lower":1,"upper":2}]}]})", closed, "m.json");
  CHECK((*document.problem)[0].end == 5);
  CHECK(document.problem->gaps(0)[0].end == 3);
  CHECK(document.facts.times == "closed");
}

TEST_CASE("JSON: one plan or none can be chosen for writing") {
  const Document document = read_json(kFull);
  WriteOptions one;
  one.plan = "p2";
  const auto parsed = nlohmann::json::parse(write_as(document, "stowage-json", one));
  REQUIRE(parsed["plans"].size() == 1);
  CHECK(parsed["plans"][0]["id"] == "p2");
  WriteOptions none;
  none.problem_only = true;
  CHECK_FALSE(nlohmann::json::parse(write_as(document, "stowage-json", none)).contains("plans"));
}
