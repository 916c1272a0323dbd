#include <doctest/doctest.h>

#include "core/io/format.h"
#include "core/model/load.h"
#include "tests/support/shared_data.h"

namespace stowage {
namespace {

constexpr std::string_view kSmall = R"({"name":"small",
 "tensors":[{"id":"x","shape":[2,3],"dtype":"f32","kind":"input"},
            {"id":"w","shape":["n",3],"dtype":"int4","kind":"weight"},
            {"id":"y","shape":[2,3],"dtype":"float32","mine":{"a":1}},
            {"id":"v","bytes":8,"view_of":"y","offset":4},
            {"id":"z","bytes":100,"alignment":64}],
 "ops":[{"id":"f","type":"F","in":["x","w"],"out":["y"],"inplace":[[0,0],{"in":1,"out":0,"identity":true}],"flops":12,"my":"own"},
        {"type":"G","in":["y"],"out":["v"],"stream":2,"duration":2.5},
        {"op":"G","in":["v"],"out":["z"],"ignored":[0],"workspace":5}],
 "inputs":["x"],"outputs":["z"],"events":[{"after":"f","before":"G#2"}],"loops":[{"begin":1,"end":2},{"ops":["f"]}],
 "groups":[{"members":["y","z"],"pad":8}],"unknown":[1,2]})";

ReadOptions with(std::string_view key, std::string_view value) {
  ReadOptions options;
  options.choices.emplace(key, value);
  return options;
}

std::string error_of(std::string_view text, const ReadOptions& options = {}) {
  const auto document = read_document(text, "g.json", options);
  return document ? "" : document.error().message;
}

}  // namespace

TEST_CASE("graph JSON: everything is read, written and read again the same") {
  const auto document = read_document(kSmall, "g.json", with("dims", "n=3"));
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  const Graph& graph = *document->graph;
  CHECK(graph.tensor(0).bytes == 24);
  CHECK(graph.tensor(1).bytes == 5);  // nine elements of four bits
  CHECK(graph.tensor(3).view_offset == 4);
  CHECK(graph.op(0).inplace[1].identity);
  CHECK(graph.op(1).id == "G");
  CHECK(graph.op(2).id == "G#2");
  CHECK(graph.op(1).stream == 2);
  CHECK(graph.op(1).duration == 2.5);
  CHECK(graph.events()[0] == Event{0, 2});
  CHECK(graph.loops()[0].ops == std::vector<OpIndex>{1});
  CHECK(graph.groups()[0].pad == 8);

  const auto text = find_format("graph-json")->write(*document, {});
  REQUIRE(text.has_value());
  const auto again = read_document(*text, "g.json", {});
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(again->graph->input().tensors == graph.input().tensors);
  CHECK(again->graph->input().ops == graph.input().ops);
  CHECK(again->graph->input().events == graph.input().events);
  CHECK(again->graph->input().loops == graph.input().loops);
  CHECK(again->graph->input().groups == graph.input().groups);
  CHECK(again->graph->input().extra == graph.input().extra);
}

TEST_CASE("native JSON: graph and pipeline survive beside the problem, and alone become one") {
  const auto document = read_document(kSmall, "g.json", with("dims", "n=3"));
  REQUIRE(document.has_value());
  const auto text = find_format("stowage-json")->write(*document, {});
  REQUIRE(text.has_value());
  const auto again = read_document(*text, "n.json", {});
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(again->facts.format == "stowage-json");
  REQUIRE(again->graph != nullptr);
  CHECK(again->graph->input().ops == document->graph->input().ops);
  CHECK(again->recipe == document->recipe);
  CHECK(again->staged != nullptr);
  CHECK(again->problem->size() == document->problem->size());

  const auto alone = read_document(
      R"({"format":"stowage","version":1,"name":"mine","pipeline":[],"graph":{"tensors":[{"id":"a","bytes":4},{"id":"b","bytes":8}],"ops":[{"id":"f","in":["a"],"out":["b"]}]}})",
      "n.json", {});
  REQUIRE_MESSAGE(alone.has_value(), alone.error().message);
  CHECK(alone->problem->name() == "mine");
  CHECK(load(*alone->problem, 0) == 12);
}

TEST_CASE("graph JSON: errors name the path and what is wrong") {
  CHECK(error_of(kSmall).find("$.tensors[1].shape[0]: the dimension \"n\" has no value; say one: --dims n=NUMBER") !=
        std::string::npos);
  const auto has = [](std::string_view text, std::string_view what) {
    const std::string error = error_of(text);
    CAPTURE(error);
    CHECK(error.find(what) != std::string::npos);
    CHECK(error.find("g.json:") == 0);
  };
  has(R"({"tensors":[{"id":"a","bytes":4}],"ops":[{"in":["b"]}]})", R"($.ops[0].in[0]: there is no tensor "b")");
  has(R"({"tensors":[{"id":"a","bytes":-4}],"ops":[]})", "$.tensors[0].bytes: is -4, below 0");
  has(R"({"tensors":[{"id":"a"},{"id":"a"}],"ops":[{"in":["a"]}]})", "names more than one tensor");
  has(R"({"tensors":[{"id":"a","dtype":"f31"}],"ops":[]})", "$.tensors[0].dtype: there is no element type \"f31\"");
  has(R"({"tensors":[{"id":"a"}],"ops":[{"id":"f","in":["a"],"out":["a"]}]})", "wait for each other in a circle");
  has(R"({"tensors":[{"id":"a"}],"ops":[{"id":"late","in":["a"]},{"id":"early","out":["a"]}]})",
      "late would run before early, for which it waits");
  has(R"({"tensors":3,"ops":[]})", "$.tensors");
  has(R"({"tensors":[{"id":"a","shape":[4611686018427387904,4]}],"ops":[]})", "more than 2^63-1 bytes");
  has(R"({"tensors":[{"id":"a"}],"ops":[{"in":["a"],"inplace":[[0]]}]})", "$.ops[0].inplace[0]");
  has(R"({"tensors":[],"ops":[{"duration":"x"}]})", "$.ops[0].duration");
  has(R"({"tensors":[],"ops":[{}],"loops":[{"begin":0,"end":9}]})", "there are no steps 0 to 9");
  has(R"({"steps":5,"loops":[],"buffers":[{"id":"a","def":7,"size":1}]})", "expected a step from 0 to 4");
  ReadOptions options = with("include", "all");
  options.choices.emplace("dims", "n=3");
  CHECK(error_of(kSmall, options).find("include: expected some of") != std::string::npos);
}

TEST_CASE("graph JSON: an order that cannot be run opens with another schedule") {
  ReadOptions options = with("schedule", "depth-first");
  CHECK(read_document(R"({"tensors":[{"id":"a"}],"ops":[{"id":"late","in":["a"]},{"id":"early","out":["a"]}]})", "g",
                      options)
            .has_value());
}

TEST_CASE("graph files of the collection of faults have the right load") {
  STOWAGE_NEED_SHARED(shared);
  const auto load_of = [&](std::string_view name) {
    const auto document = open_document((shared / "cases/bugs" / name).string(), {});
    REQUIRE_MESSAGE(document.has_value(), document.error().message);
    return load(*document->problem, 0);
  };
  CHECK(load_of("03-loop-invariant.json") == 224);
  CHECK(load_of("11-inplace-two-consumers.json") == 192);
  CHECK(load_of("13-scalar-shape.json") == 64);
  CHECK(load_of("07-inplace-shifted-view.json") == 32);  // refused: a view of the base is read as well
  CHECK(load_of("09a-donated-inplace.json") == 1004);
  CHECK(load_of("09b-donated-read-later.json") == 2004);
}

}  // namespace stowage
