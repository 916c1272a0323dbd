#include "core/graph/lower.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/model/load.h"
#include "tests/core/graph/graphs.h"

namespace stowage {
namespace {

using test::Sketch;

Lowered lowered(const Graph& graph, const LowerOptions& options = {}) {
  return lower(stage(graph).value(), options).value();
}

const Buffer& buffer_of(const Lowered& lowered, TensorIndex t) {
  return lowered.problem[lowered.buffer_of[t]];
}

}  // namespace

TEST_CASE("lower: a tensor lives from its maker to just after its last reader, outputs to the end") {
  const Graph graph = Sketch()
                          .tensor("x", 8)
                          .tensor("a", 16)
                          .tensor("dead", 32)
                          .tensor("y", 4)
                          .op("f", {"x"}, {"a", "dead"})
                          .op("g", {"x", "a"}, {"y"})
                          .op("h", {"y"}, {})
                          .graph();
  GraphInput input = graph.input();
  input.outputs = {3};
  const Lowered result = lowered(make_graph(input).value());
  const auto span = [&](TensorIndex t) {
    return std::pair(buffer_of(result, t).start, buffer_of(result, t).end);
  };
  CHECK(span(0) == std::pair<std::int64_t, std::int64_t>(0, 2));
  CHECK(span(1) == std::pair<std::int64_t, std::int64_t>(0, 2));
  CHECK(span(2) == std::pair<std::int64_t, std::int64_t>(0, 1));
  CHECK(span(3) == std::pair<std::int64_t, std::int64_t>(1, 3));
}

TEST_CASE("lower: declared inputs and weights are the caller's unless asked for") {
  Sketch sketch;
  sketch.tensor("x", 8, TensorKind::kInput).tensor("w", 16, TensorKind::kWeight).tensor("y", 4).tensor("z", 4);
  sketch.op("f", {"x", "w"}, {"y"}).op("g", {"y"}, {"z"});
  const Graph graph = sketch.graph();
  CHECK(lowered(graph).problem.size() == 2);
  LowerOptions all;
  all.inputs = true;
  all.weights = true;
  const Lowered result = lowered(graph, all);
  CHECK(result.problem.size() == 4);
  CHECK(buffer_of(result, 0).end == 1);
  CHECK(buffer_of(result, 1).end == 2);
  LowerOptions without;
  without.outputs = false;
  CHECK(lowered(graph, without).problem.size() == 1);
  sketch.input.tensors[0].donated = true;
  CHECK(lowered(sketch.graph()).problem.size() == 3);
}

TEST_CASE("lower: views own nothing and lengthen the life of their base") {
  Sketch sketch;
  sketch.tensor("b", 16).tensor("s", 12).tensor("y", 4);
  sketch.op("make", {}, {"b"}).op("slice", {"b"}, {"s"}).op("wait", {}, {}).op("use", {"s"}, {"y"});
  sketch.input.tensors[1].view_of = 0;
  sketch.input.tensors[1].view_offset = 4;
  const Lowered result = lowered(sketch.graph());
  CHECK(result.problem.size() == 2);
  CHECK(result.buffer_of[1] == result.buffer_of[0]);
  CHECK(result.offset_in[1] == 4);
  CHECK(buffer_of(result, 0).end == 4);
  CHECK(buffer_of(result, 0).size == 16);
}

TEST_CASE("lower: an in-place chain is one buffer of the largest size and the whole life") {
  Sketch sketch;
  sketch.tensor("a", 16).tensor("b", 24).tensor("c", 8);
  sketch.op("f", {}, {"a"}).op("g", {"a"}, {"b"}).op("h", {"b"}, {"c"}).op("end", {"c"}, {});
  Staged staged = stage(sketch.graph()).value();
  staged.in_place = {{1, 1, 0}, {2, 2, 1}};
  const Lowered result = lower(staged, {}).value();
  CHECK(result.problem.size() == 1);
  CHECK(result.problem[0].size == 24);
  CHECK(result.problem[0].start == 0);
  CHECK(result.problem[0].end == 4);
  CHECK(result.members[0] == std::vector<TensorIndex>{0, 1, 2});
}

TEST_CASE("lower: what a loop reads from outside lives to its end") {
  Sketch sketch;
  sketch.tensor("inv", 96).tensor("scratch", 96).tensor("out", 4);
  sketch.op("before", {}, {"inv"}).op("l1", {"inv"}, {}).op("l2", {}, {"scratch"}).op("l3", {"scratch"}, {"out"});
  sketch.input.loops = {Loop{{1, 2, 3}}};
  const Lowered result = lowered(sketch.graph());
  CHECK(buffer_of(result, 0).end == 4);
  CHECK(buffer_of(result, 1).end == 4);
  CHECK(load(result.problem, 0) == 196);
}

TEST_CASE("lower: unknown sizes are left out with a word, the others planned") {
  Sketch sketch;
  sketch.tensor("loss", 4).tensor("g", 60).tensor("mystery", 0);
  sketch.op("grad", {"loss"}, {"g"}).op("custom", {"g"}, {"mystery"});
  sketch.input.tensors[2].bytes.reset();
  const Lowered result = lowered(sketch.graph());
  CHECK(load(result.problem, 0) == 64);
  CHECK(result.notes == std::vector<std::string>{"mystery: size unknown, left out"});
  CHECK(result.buffer_of[2] == kNoBuffer);
}

TEST_CASE("lower: of many tensors of unknown size twenty are named and the others counted") {
  Sketch sketch;
  sketch.tensor("first", 4);
  for (int i = 0; i < 27; ++i) {
    const std::string id = "t" + std::to_string(i);
    sketch.tensor(id, 0);
    sketch.input.tensors.back().bytes.reset();
    sketch.op("op" + std::to_string(i), {"first"}, {id});
  }
  const Lowered result = lowered(sketch.graph());
  REQUIRE(result.notes.size() == 21);
  CHECK(result.notes[19] == "t19: size unknown, left out");
  CHECK(result.notes[20] == "7 more: size unknown, left out");
}

TEST_CASE("lower: on two streams only what is certainly over may be followed in the same memory") {
  Sketch sketch;
  sketch.tensor("t0", 1024).tensor("t1", 1024).tensor("t2", 512).tensor("t3", 1024).tensor("t4", 512);
  sketch.op("n0", {}, {"t0"}).op("n1", {"t0"}, {"t1"}).op("n2", {"t0"}, {"t2"}, 1);
  sketch.op("n3", {"t1"}, {"t3"}).op("n4", {"t2", "t3"}, {"t4"});
  const Lowered apart = lowered(sketch.graph());
  CHECK(apart.problem.has_edge(0, 3));        // n2 may still read t0 when n3 makes t3
  CHECK_FALSE(apart.problem.has_edge(0, 4));  // n4 waits for both readers
  CHECK_FALSE(apart.problem.has_edge(1, 4));
  CHECK(apart.problem.constraints().conflicts.size() == 1);
  sketch.input.events = {{2, 3}};
  CHECK(lowered(sketch.graph()).problem.constraints().conflicts.empty());
}

TEST_CASE("lower: workspace lives for its op, groups and shared storages become constraints") {
  Sketch sketch;
  sketch.tensor("a", 16).tensor("b", 16).tensor("c", 16);
  sketch.op("f", {}, {"a", "b"}).op("g", {"a", "b"}, {"c"});
  sketch.input.ops[1].workspace = 100;
  Staged staged = stage(sketch.graph()).value();
  staged.groups = {TensorGroup{{0, 1}, 8}};
  const Lowered result = lower(staged, {}).value();
  CHECK(result.problem.size() == 4);
  CHECK(result.problem[3].size == 100);
  CHECK(result.problem[3].start == 1);
  CHECK(result.problem.constraints().groups.size() == 1);
  CHECK(result.problem.constraints().groups[0].pad == 8);
  staged.groups.clear();
  staged.storages = {SharedStorage{{0, 2}, 16}};
  CHECK(lower(staged, {}).value().problem.constraints().colocations.size() == 1);
}

}  // namespace stowage
