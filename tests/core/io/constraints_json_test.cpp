// Constraints, clocks, candidate spaces, slices and shared objects in native JSON.

#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

std::string after_buffers(const std::string& rest) {
  return R"({"format":"stowage","version":1,"problem":{"buffers":[)"
         R"({"id":"a","lower":0,"upper":2,"size":4},{"id":"b","lower":0,"upper":2,"size":8},)"
         R"({"id":"twice","lower":0,"upper":1,"size":1},{"id":"twice","lower":0,"upper":1,"size":1}],)" +
         rest + "}}";
}

std::string constraint_error(const std::string& rest) {
  return read_error(after_buffers(rest), {}, "m.json");
}

}  // namespace

TEST_CASE("JSON: constraints of random problems survive writing and reading") {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.edges = seed % 2 == 0;
    shape.only_edges = seed % 5 == 0;
    shape.clocks = seed % 3 == 0;
    shape.colocations = seed % 4 < 2;
    shape.groups = seed % 4 > 1;
    shape.spaces = seed % 7 == 0;
    Document document;
    document.problem = std::make_shared<const Problem>(random_problem(seed, shape));
    const std::string text = write_as(document, "stowage-json");
    const Document again = read_good(text, {}, "m.json");
    CHECK(full_difference(document, again) == "");
    CHECK(write_as(again, "stowage-json") == text);
  }
}

TEST_CASE("JSON: candidates, slices, shapes and plans with spaces and objects survive") {
  const std::string text = R"({"format":"stowage","version":1,"problem":{
    "spaces":[{"id":"fast","base":0,"capacity":8},{"id":"slow","base":0}],
    "buffers":[{"id":"a","lower":0,"upper":4,"size":4,"candidates":["fast","slow"],"shape":[2,2]},
               {"id":"b","lower":1,"upper":4,"size":3,"slices":[{"size":1,"lower":1},{"size":2,"lower":3}]}]},
    "plans":[{"id":"p","offsets":{"a":0,"b":4},"spaces":{"a":"slow"},"slices":{"b":[3,1]}},
             {"id":"o","objects":{"sizes":[4,3],"of":{"a":1,"b":0}}},
             {"id":"q","objects":{"sizes":[9],"of":[0,0],"inner":[0,5]},"offsets":[0,5]}]})";
  const Document document = read_good(text, {}, "m.json");
  const Problem& problem = *document.problem;
  CHECK(problem.details(0)->candidates == std::vector<std::uint16_t>{0, 1});
  CHECK(problem.details(0)->shape == std::vector<std::int64_t>{2, 2});
  CHECK(problem.details(1)->slices == std::vector<Slice>{{1, 1}, {2, 3}});
  REQUIRE(document.plans.size() == 3);
  CHECK(document.plans[0].spaces == std::vector<std::uint16_t>{1, 0});
  CHECK(document.plans[0].slices.at(1) == std::vector<std::int64_t>{3, 1});
  CHECK(document.plans[1].offsets == std::vector<std::int64_t>{4, 0});
  CHECK(document.plans[2].objects->inner == std::vector<std::int64_t>{0, 5});
  const Document again = read_good(write_as(document, "stowage-json"), {}, "m.json");
  CHECK(full_difference(document, again) == "");
}

TEST_CASE("JSON: a conflict graph needs no lifetimes") {
  const std::string text = R"({"format":"stowage","version":1,"problem":{"conflicts_only":true,"buffers":[
    {"id":"a","size":4},{"id":"b","size":8}],"conflicts":[["b","a"]]}})";
  const Document document = read_good(text, {}, "m.json");
  CHECK(document.problem->constraints().conflicts_only);
  CHECK((*document.problem)[0].end == 1);
  CHECK(document.problem->has_edge(0, 1));
}

TEST_CASE("JSON: a constraint that refers to nobody, or to an id used twice, is an error with its path") {
  CHECK(constraint_error(R"("conflicts":[["a","x"]])")
            .find("$.problem.conflicts[0][1]: there is no buffer with the id \"x\"") != std::string::npos);
  CHECK(constraint_error(R"("conflicts":[["a","twice"]])").find("several buffers have the id \"twice\"") !=
        std::string::npos);
  CHECK(constraint_error(R"("conflicts":[["a","b","a"]])").find("expected two ids") != std::string::npos);
  CHECK(constraint_error(R"("conflicts":{})").find("conflicts") != std::string::npos);
  CHECK(constraint_error(R"("colocations":[["a"]])").find("at least two") != std::string::npos);
  CHECK(constraint_error(R"("colocations":["a"])").find("expected an array of ids") != std::string::npos);
  CHECK(constraint_error(R"("aliases":[{"child":"b","parent":"a"}])").find("do not lie inside") != std::string::npos);
  CHECK(constraint_error(R"("aliases":[{"child":"b"}])").find("$.problem.aliases[0].parent: is missing") !=
        std::string::npos);
  CHECK(constraint_error(R"("groups":[{"pad":1}])").find("members: is missing") != std::string::npos);
  CHECK(constraint_error(R"("groups":[{"members":["a","b"],"pad":-1}])").find("pad -1 is negative") !=
        std::string::npos);
}

TEST_CASE("JSON: a buffer whose id names nobody is named by its row") {
  CHECK(constraint_error(R"("conflicts":[[{"row":0},{"row":99}]])").find("[0][1]: there is no buffer 99 in the list") !=
        std::string::npos);
  CHECK(constraint_error(R"("conflicts":[[{"row":0},{}]])").find("[0][1].row: is missing") != std::string::npos);
  const Document bytes = read_good(
      "{\"format\":\"stowage\",\"version\":1,\"problem\":{\"conflicts_only\":true,\"buffers\":["
      "{\"id\":\"caf\xE9\",\"size\":4},{\"id\":\"b\",\"size\":8},{\"id\":\"b\",\"size\":8}],"
      "\"conflicts\":[[{\"row\":0},{\"row\":2}]]}}",
      {}, "m.json");
  CHECK(bytes.problem->has_edge(0, 2));
  CHECK_FALSE(bytes.problem->has_edge(0, 1));
  const Document again = read_good(write_as(bytes, "stowage-json"), {}, "m.json");
  CHECK(full_difference(bytes, again) == "");
}

TEST_CASE("JSON: lenient reading leaves out what cannot be, and constraints on it") {
  ReadOptions lenient;
  lenient.lenient = true;
  const Document document = read_good(
      after_buffers(
          R"("conflicts":[["a","x"],["b","a"]],"colocations":[["a","b"]],"aliases":[{"child":"b","parent":"a"}])"),
      lenient, "m.json");
  CHECK(document.problem->constraints().conflicts.size() <= 1);
  CHECK_FALSE(document.facts.warnings.empty());
}
