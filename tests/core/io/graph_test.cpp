#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

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

std::string graph_error(std::string_view text, const ReadOptions& options = {}) {
  const auto document = read_document(text, "g.json", options);
  return document ? "" : document.error().message;
}

/// The example of the README: the block that begins with the format's name.
std::string readme_example() {
  std::ifstream file(std::filesystem::path(STOWAGE_SOURCE_DIR) / "README.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find(R"({"format":"stowage-graph")");
  REQUIRE(begin != std::string::npos);
  return all.substr(begin, all.find("\n```", begin) - begin);
}

std::string written(const Document& document, bool with_pipeline = false) {
  WriteOptions options;
  options.with_pipeline = with_pipeline;
  return find_format("graph-json")->write(document, options).value();
}

}  // namespace

TEST_CASE("graph JSON: ids that come again are told, and both are kept") {
  const auto document = read_document(
      R"({"format":"stowage-graph","tensors":[{"id":"x","bytes":4,"kind":"input"},{"id":"y","bytes":4}],
          "ops":[{"id":"q","in":["x"],"out":["y"]},{"id":"q","in":["y"]}]})",
      "g.json", {});
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  REQUIRE_FALSE(document->facts.warnings.empty());
  CHECK(document->facts.warnings.front() == "duplicate op id \"q\"; both are kept");
  CHECK(document->graph->ops().size() == 2);
}

TEST_CASE("graph JSON: an input that an op makes is told") {
  const auto document = read_document(
      R"({"format":"stowage-graph","tensors":[{"id":"x","bytes":4,"kind":"input"},{"id":"y","bytes":4,"kind":"input"}],
          "ops":[{"id":"q","in":["x"],"out":["y"]}]})",
      "g.json", {});
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  REQUIRE_FALSE(document->facts.warnings.empty());
  CHECK(document->facts.warnings.front() == "\"q\" makes \"y\", which is an input and there from the start");
}

TEST_CASE("graph JSON: the example of the README has all the keys, and each is understood") {
  const std::string text = readme_example();
  const auto document = read_document(text, "g.json", {});
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  CHECK(document->facts.format == "graph-json");
  CHECK(document->facts.warnings.empty());  // none about a key without a meaning
  const GraphInput& graph = document->graph->input();
  CHECK(graph.name == "two streams");
  CHECK(graph.tensors[0].donated);
  CHECK(graph.tensors[4].view_of == 3);
  CHECK(graph.tensors[6].space == "host");
  CHECK(graph.tensors[7].source == "model.py:12");
  CHECK(graph.ops[1].inplace.size() == 1);
  CHECK(graph.ops[2].alias.size() == 1);
  CHECK(graph.ops[3].stream == 1);
  CHECK(graph.ops[4].side_effect);
  CHECK(graph.ops[5].ignored_inputs.size() == 1);
  CHECK(graph.ops[5].backward);
  CHECK(graph.events.size() == 1);
  CHECK(graph.loops.size() == 1);
  CHECK(graph.groups.size() == 1);
  CHECK(document->recipe.pipeline.size() == 1);

  const auto again = read_document(written(*document), "g.json", {});
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(again->graph->name() == "two streams");
  CHECK(again->graph->input().ops == graph.ops);
}

TEST_CASE("graph JSON: format and version are written, checked when there, and may be missing") {
  const std::string rest = R"("tensors":[{"id":"a","bytes":4}],"ops":[{"out":["a"]}]})";
  const auto plain = read_document("{" + rest, "g.json", {});
  REQUIRE(plain.has_value());
  CHECK(written(*plain).find(R"({"format":"stowage-graph","version":1)") == 0);
  CHECK(graph_error(R"({"format":"stowage-graph",)" + rest) == "");
  CHECK(graph_error(R"({"format":"stowage-graph","version":2,)" + rest)
            .find("$.version: the file was written by a newer") != std::string::npos);
  CHECK(graph_error(R"({"format":"stowage-graph","version":"x",)" + rest)
            .find("$.version: expected a version from 1 on") != std::string::npos);
  CHECK(graph_error(R"({"format":"stowage","version":1,)" + rest)
            .find(R"($.format: this is "stowage", not "stowage-graph")") != std::string::npos);
  CHECK(graph_error(R"({"format":"stowage","version":1,"graph":{"version":2,)" + rest + "}").find("$.graph.version") !=
        std::string::npos);
}

TEST_CASE("graph JSON: a pipeline that is not the usual one stands in the file") {
  const std::string rest =
      R"("tensors":[{"id":"x","bytes":4},{"id":"a","bytes":4},{"id":"b","bytes":4}],
"ops":[{"in":["x"],"out":["a"]},{"in":["a"],"out":["b"],"inplace":[0,0]}]})";
  const auto usual = read_document("{" + rest, "g.json", {});
  REQUIRE(usual.has_value());
  CHECK(load(*usual->problem, 0) == 8);
  CHECK(written(*usual).find("pipeline") == std::string::npos);

  const auto none = read_document(R"({"pipeline":[],)" + rest, "g.json", {});
  REQUIRE(none.has_value());
  CHECK(none->recipe.pipeline.empty());
  CHECK(none->problem->size() == 3);
  const auto again = read_document(written(*none), "g.json", {});
  REQUIRE(again.has_value());
  CHECK(again->problem->size() == 3);

  CHECK(graph_error(R"({"pipeline":[{"transform":"in-plce"}],)" + rest).find("$.pipeline[0].transform") !=
        std::string::npos);
}

TEST_CASE("graph JSON: of a native file with a pipeline, the graph that goes in is written") {
  const auto native = read_document(
      R"({"format":"stowage","version":1,"pipeline":[{"transform":"in-place","params":{"size":"equal"}}],
"graph":{"tensors":[{"id":"x","bytes":4},{"id":"a","bytes":4}],"ops":[{"in":["x"],"out":["a"],"inplace":[0,0]}]}})",
      "n.json", {});
  REQUIRE_MESSAGE(native.has_value(), native.error().message);
  CHECK(written(*native).find("pipeline") == std::string::npos);
  CHECK(written(*native, true).find(R"("pipeline":[{"transform":"in-place")") != std::string::npos);
}

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

TEST_CASE("graph JSON: read leniently, dimensions without a value stay open and are asked for") {
  constexpr const char* graph =
      R"({"tensors":[{"id":"a","shape":["n",4]},{"id":"b","bytes":8}],"ops":[{"id":"f","in":["a"],"out":["b"]}]})";
  for (const std::string& text : {std::string(graph), fmt::format(R"({{"version":1,"graph":{}}})", graph)}) {
    CAPTURE(text);
    CHECK_FALSE(read_document(text, "g.json", {}).has_value());
    ReadOptions options;
    options.lenient = true;
    const auto open = read_document(text, "g.json", options);
    REQUIRE_MESSAGE(open.has_value(), open.error().message);
    CHECK(open->facts.open == std::vector<OpenSize>{{"dims", "n"}});
    CHECK(open->facts.left_out == 1);
    CHECK(open->problem->size() == 1);
    options.choices["dims"] = "n=2";
    const auto said = read_document(text, "g.json", options);
    REQUIRE_MESSAGE(said.has_value(), said.error().message);
    CHECK(said->facts.open.empty());
    CHECK(said->problem->size() == 2);
  }
}

TEST_CASE("graph JSON: errors name the path and what is wrong") {
  CHECK(graph_error(kSmall).find("$.tensors[1].shape[0]: the dimension \"n\" has no value; say one: --dims n=NUMBER") !=
        std::string::npos);
  const auto has = [](std::string_view text, std::string_view what) {
    const std::string error = graph_error(text);
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
  CHECK(graph_error(kSmall, options).find("include: expected some of") != std::string::npos);
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
