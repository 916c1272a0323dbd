#include "core/graph/lower.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/graph/ancestors.h"
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

TEST_CASE("lower: results in place on a view lie where it does, at the end of a long chain too") {
  constexpr std::size_t kLong = 100'000;  // a walk to the end from every link would take minutes
  Sketch sketch;
  sketch.input.tensors.resize(kLong + 2);
  for (Tensor& tensor : sketch.input.tensors) tensor.bytes = 8;
  sketch.input.tensors[kLong].bytes = 16;
  sketch.input.tensors[kLong + 1].view_of = kLong;
  sketch.input.tensors[kLong + 1].view_offset = 4;
  sketch.input.ops.resize(kLong + 1);
  sketch.input.ops[0].out = {kLong};
  // The last tensor but two is made first, tensor 0 at the end.
  Staged staged;
  for (std::size_t i = 0; i < kLong; ++i) {
    Op& op = sketch.input.ops[i + 1];
    const auto out = static_cast<TensorIndex>(kLong - 1 - i);
    const auto in = static_cast<TensorIndex>(i == 0 ? kLong + 1 : kLong - i);
    op.in = {in};
    op.out = {out};
    staged.in_place.push_back({static_cast<OpIndex>(i + 1), out, in});
  }
  std::vector<InPlace> merges = std::move(staged.in_place);
  staged = stage(sketch.graph()).value();
  staged.in_place = std::move(merges);
  const Lowered result = lower(staged, {}).value();
  CHECK(result.problem.size() == 1);
  CHECK(result.problem[0].size == 16);
  CHECK(result.offset_in[0] == 4);
  CHECK(result.offset_in[kLong / 2] == 4);
  CHECK(result.members[0].size() == kLong + 2);
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

TEST_CASE("lower: on random streams exactly the pairs conflict of which the first is not over for sure") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::int64_t ops = 5 + static_cast<std::int64_t>(seed);
    Sketch sketch;
    for (std::int64_t n = 0; n < ops; ++n) {
      sketch.tensor("t" + std::to_string(n), random.uniform(1, 9));
      std::vector<std::string> in;
      for (std::int64_t reads = n == 0 ? 0 : random.uniform(0, 2); reads > 0; --reads) {
        in.push_back("t" + std::to_string(random.uniform(std::max<std::int64_t>(0, n - 6), n - 1)));
      }
      sketch.op("n" + std::to_string(n), in, {"t" + std::to_string(n)},
                static_cast<std::uint32_t>(random.uniform(0, 3)));
      if (n > 1 && random.uniform(0, 4) == 0) {
        sketch.input.events.push_back({static_cast<OpIndex>(random.uniform(0, n - 1)), static_cast<OpIndex>(n)});
      }
    }
    sketch.input.outputs = {static_cast<TensorIndex>(ops - 1), static_cast<TensorIndex>(random.uniform(0, ops - 1))};
    const Staged staged = stage(sketch.graph()).value();
    const Ancestors ancestors(staged.graph, staged.schedule);
    const Lowered result = lower(staged, {}).value();
    const auto over = [&](TensorIndex first, TensorIndex second) {
      const auto readers = staged.graph.readers(first);
      return !staged.graph.is_output(first) && ancestors.before(staged.graph.producer(first), second) &&
             std::all_of(readers.begin(), readers.end(), [&](OpIndex n) { return ancestors.before(n, second); });
    };
    std::size_t edges = 0;
    for (TensorIndex a = 0; a < ops; ++a) {
      for (TensorIndex b = 0; b < a; ++b) {
        const Buffer& first = buffer_of(result, b);
        const bool apart = first.end <= buffer_of(result, a).start;
        const bool expected = apart && !over(b, a);
        edges += expected ? 1 : 0;
        CHECK(result.problem.has_edge(result.buffer_of[a], result.buffer_of[b]) == expected);
      }
    }
    CHECK(result.problem.constraints().conflicts.size() == edges);
  }
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
