#include <string>

#include <doctest/doctest.h>

#include "core/graph/lower.h"
#include "core/model/load.h"
#include "core/transforms/transform.h"
#include "tests/core/graph/graphs.h"
#include "tests/support/memory_oracle.h"
#include "tests/support/random_graph.h"

using namespace stowage;
using namespace stowage::testing;
using stowage::test::Sketch;

namespace {

Transformed in_place(const Staged& staged, const ParamValues& params = {}) {
  RunContext context;
  auto result = run_transform(*find_transform("in-place"), staged, params, context);
  REQUIRE(result);
  return std::move(*result);
}

std::int64_t load_in_order(const Staged& staged) {
  LowerOptions options;
  options.streams = false;  // in the order of the schedule
  const auto lowered = lower(staged, options);
  REQUIRE(lowered);
  std::int64_t most = 0;
  for (std::uint16_t space = 0; space < lowered->problem.spaces().size(); ++space) {
    most = std::max(most, load(lowered->problem, space));
  }
  return most;
}

bool refused_because(const Transformed& result, std::string_view words) {
  for (const Remark& remark : result.report.remarks) {
    if (remark.kind == Remark::Kind::kRefused && remark.text.find(words) != std::string::npos) return true;
  }
  return false;
}

Sketch& pair(Sketch& sketch, std::uint32_t in = 0, bool identity = false) {
  sketch.input.ops.back().inplace.push_back({in, 0, identity});
  return sketch;
}

Staged staged(const Sketch& sketch) {
  return stage(sketch.graph()).value();
}

}  // namespace

TEST_CASE("a[0] = b: three steps become one, two copies and a temporary are gone") {
  Sketch sketch;
  sketch.tensor("source", 4, TensorKind::kInput).tensor("b", 4, TensorKind::kInput);
  sketch.tensor("a", 64).tensor("copy", 64).tensor("changed", 64).tensor("back", 64);
  sketch.op("make", {"source"}, {"a"});
  sketch.op("copy out", {"a"}, {"copy"}).input.ops.back().type = "Copy";
  pair(sketch.op("write", {"copy", "b"}, {"changed"}));
  sketch.op("copy back", {"changed"}, {"back"}).input.ops.back().type = "Copy";
  const Staged before = staged(sketch);
  const Transformed after = in_place(before);
  CHECK(after.report.copies_removed == 2);
  CHECK(after.report.copied_bytes_saved == 128);
  CHECK(after.report.bytes_saved == 192);
  CHECK(load_in_order(before) == 128);
  CHECK(load_in_order(after.staged) == 64);
  REQUIRE(after.staged.graph.ops().size() == 2);
  CHECK(after.staged.graph.op(1).id == "write");
  // The output keeps its name.
  CHECK(after.staged.graph.tensor(after.staged.graph.op(1).out.front()).id == "back");
  CHECK(MemoryOracle(after.staged).run(after.staged.schedule.order) == "");

  const Transformed kept = in_place(before, {{"remove-copies", "off"}});
  CHECK(kept.report.copies_removed == 0);
  CHECK(kept.staged.graph.ops().size() == 4);
  CHECK(load_in_order(kept.staged) == 64);
}

TEST_CASE("a copy that is an output of an input has to stay") {
  Sketch sketch;
  sketch.tensor("a", 64, TensorKind::kInput).tensor("out", 64);
  sketch.op("copy", {"a"}, {"out"}).input.ops.back().type = "Copy";
  const Transformed after = in_place(staged(sketch));
  CHECK(after.staged.in_place.empty());
  CHECK(refused_because(after, "a is an input of the graph and not donated"));
}

TEST_CASE("a result is not written over a base of which the op reads a view") {
  Sketch sketch;
  sketch.tensor("x", 16, TensorKind::kInput).tensor("base", 16).tensor("s", 12).tensor("out", 16);
  sketch.input.tensors[2].view_of = 1;
  sketch.op("add_one", {"x"}, {"base"}).op("slice", {"base"}, {"s"});
  pair(sketch.op("update_slice", {"base", "s"}, {"out"}));
  const Staged before = staged(sketch);
  const Transformed after = in_place(before);
  CHECK(after.staged.in_place.empty());
  CHECK(refused_because(after, "also reads s, which lies in the same memory"));
  CHECK(load_in_order(after.staged) == 32);
}

TEST_CASE("a donated input may be written over, unless it is read later") {
  for (const bool read_later : {false, true}) {
    Sketch sketch;
    sketch.tensor("x", 1000).tensor("y", 1000).tensor("z", 4);
    sketch.input.tensors[0].donated = true;
    pair(sketch.op("update", {"x"}, {"y"}));
    sketch.op("use", read_later ? std::vector<std::string>{"y", "x"} : std::vector<std::string>{"y"}, {"z"});
    const Transformed after = in_place(staged(sketch));
    CHECK(load_in_order(after.staged) == (read_later ? 2004 : 1004));
    CHECK(refused_because(after, "use still reads x") == read_later);
  }
}

TEST_CASE("what is not donated is never written over") {
  for (const TensorKind kind :
       {TensorKind::kInput, TensorKind::kWeight, TensorKind::kConstant, TensorKind::kState, TensorKind::kActivation}) {
    Sketch sketch;
    sketch.tensor("x", 8, kind).tensor("y", 8);
    pair(sketch.op("f", {"x"}, {"y"}));
    CHECK(in_place(staged(sketch)).staged.in_place.empty());
    sketch.input.tensors[0].donated = true;
    CHECK(in_place(staged(sketch)).staged.in_place.empty() == (kind == TensorKind::kConstant));
  }
}

TEST_CASE("on another stream a reader must be an ancestor, not only earlier") {
  for (const bool event : {false, true}) {
    Sketch sketch;
    sketch.tensor("in", 64, TensorKind::kInput).tensor("x", 64).tensor("a", 64).tensor("b", 64).tensor("o", 64);
    sketch.op("make", {"in"}, {"x"});
    sketch.op("sigmoid", {"x"}, {"b"}, 1);
    pair(sketch.op("relu", {"x"}, {"a"}, 0));
    sketch.op("add", {"a", "b"}, {"o"}, 0);
    if (event) sketch.input.events.push_back({1, 2});
    const Transformed after = in_place(staged(sketch));
    CHECK(after.staged.in_place.size() == (event ? 1 : 0));
    CHECK(refused_because(after, "sigmoid may at the same time read x") == !event);
  }
}

TEST_CASE("an op that reads an input twice takes it only when both reads are declared") {
  for (const bool both : {false, true}) {
    Sketch sketch;
    sketch.tensor("in", 8, TensorKind::kInput).tensor("x", 8).tensor("y", 8);
    sketch.op("make", {"in"}, {"x"});
    pair(sketch.op("add", {"x", "x"}, {"y"}));
    if (both) pair(sketch, 1);
    CHECK(in_place(staged(sketch)).staged.in_place.size() == (both ? 1 : 0));
  }
}

TEST_CASE("in a loop nothing that comes from outside is overwritten") {
  Sketch sketch;
  sketch.tensor("in", 8, TensorKind::kInput).tensor("x", 8).tensor("y", 8).tensor("z", 8);
  sketch.op("make", {"in"}, {"x"});
  pair(sketch.op("body", {"x"}, {"y"}));
  pair(sketch.op("tail", {"y"}, {"z"}));
  sketch.input.loops.push_back({{1, 2}});
  const Transformed after = in_place(staged(sketch));
  REQUIRE(after.staged.in_place.size() == 1);
  CHECK(after.staged.graph.tensor(after.staged.in_place[0].child).id == "z");
  CHECK(refused_because(after, "needed again in its next round"));
}

TEST_CASE("graph outputs, other memories, too little room and odd places are refused in words") {
  Sketch sketch;
  sketch.tensor("in", 8, TensorKind::kInput).tensor("x", 8).tensor("y", 16).tensor("z", 8);
  sketch.op("make", {"in"}, {"x"});
  pair(sketch.op("grow", {"x"}, {"y"}));
  pair(sketch.op("move", {"x"}, {"z"}));
  sketch.input.tensors[3].space = "host";
  sketch.input.outputs = {1};
  const Transformed after = in_place(staged(sketch));
  CHECK(refused_because(after, "y needs 16 B and there are 8 B"));
  CHECK(refused_because(after, "z and x lie in different memories"));
  CHECK(refused_because(after, "x is an output of the graph"));
}

TEST_CASE("a small result stays apart where the large memory would outlive its need") {
  for (const std::int64_t later : {10, 3000}) {
    Sketch sketch;
    sketch.tensor("in", 4, TensorKind::kInput).tensor("x", 1000).tensor("y", 100).tensor("t", later).tensor("o", 4);
    sketch.op("make", {"in"}, {"x"});
    pair(sketch.op("cast", {"x"}, {"y"}));
    sketch.op("big", {"in"}, {"t"}).op("last", {"y", "t"}, {"o"});
    const Staged before = staged(sketch);
    const Transformed after = in_place(before);
    CHECK(after.staged.in_place.size() == (later == 10 ? 1 : 0));
    CHECK(load_in_order(after.staged) <= load_in_order(before));
  }
}

TEST_CASE("on random graphs results in place change no value, in any order that the graph allows") {
  std::size_t granted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    GraphShape shape;
    shape.inplace = shape.views = shape.weights = shape.types = true;
    shape.copies = shape.ignored = seed % 2 == 0;
    shape.unknown = seed % 5 == 0;
    shape.events = seed % 3 == 0;
    shape.streams = seed % 3 == 0 ? 3 : 1;
    const Staged before = random_staged(seed, shape);
    const Transformed after = in_place(before);
    granted += after.staged.in_place.size();
    MemoryOracle oracle(after.staged);
    Random random(seed);
    CHECK(oracle.run(after.staged.schedule.order) == "");
    for (int k = 0; k < 5; ++k) CHECK(oracle.run(oracle.any_order(random, true)) == "");
    CHECK(load_in_order(after.staged) <= load_in_order(before));
  }
  CHECK(granted > 300);
}

TEST_CASE("rule=tflite: as many bytes, more than four of them, one reader, nothing from or for the outside") {
  const ParamValues tflite = {{"rule", "tflite"}};
  const auto shared = [&](Sketch& sketch) {
    const Staged before = staged(sketch);
    CHECK(in_place(before).report.bytes_saved > 0);  // sound it is
    return in_place(before, tflite);
  };
  {
    Sketch sketch;
    sketch.tensor("x", 8, TensorKind::kInput).tensor("a", 8).tensor("b", 8).tensor("c", 8);
    sketch.op("make", {"x"}, {"a"});
    pair(sketch.op("change", {"a"}, {"b"}));
    sketch.op("end", {"b"}, {"c"});
    CHECK(shared(sketch).report.bytes_saved == 8);
  }
  {
    Sketch sketch;
    sketch.tensor("x", 8, TensorKind::kInput).tensor("a", 4).tensor("b", 4).tensor("c", 4).tensor("d", 4);
    sketch.op("make", {"x"}, {"a"});
    pair(sketch.op("change", {"a"}, {"b"}));
    pair(sketch.op("view", {"b"}, {"c"}), 0, true);
    sketch.op("end", {"c"}, {"d"});
    const Transformed small = shared(sketch);
    CHECK(small.report.bytes_saved == 4);  // only the view, which writes nothing
    CHECK(refused_because(small, "b has no more than 4 B"));
  }
  {
    Sketch sketch;
    sketch.tensor("x", 8, TensorKind::kInput).tensor("a", 16).tensor("b", 8).tensor("c", 8).tensor("d", 8);
    sketch.op("make", {"x"}, {"a"});
    sketch.op("look", {"a"}, {"d"});
    pair(sketch.op("change", {"a"}, {"b"}));
    sketch.op("end", {"b", "d"}, {"c"});
    const Transformed read_twice = shared(sketch);
    CHECK(read_twice.report.bytes_saved == 0);
    CHECK(refused_because(read_twice, "b and a are not of the same size"));
    CHECK(refused_because(read_twice, "2 ops read a"));
  }
  {
    Sketch sketch;
    sketch.tensor("x", 8, TensorKind::kInput).tensor("a", 8).tensor("b", 8);
    sketch.op("make", {"x"}, {"a"});
    pair(sketch.op("change", {"a"}, {"b"}));
    const Transformed output = shared(sketch);
    CHECK(output.report.bytes_saved == 0);
    CHECK(refused_because(output, "b is an output of the graph"));
  }
}
