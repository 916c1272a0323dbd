#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/graph/lower.h"
#include "core/model/load.h"
#include "core/transforms/colours.h"
#include "core/transforms/implied.h"
#include "core/transforms/step_subjects.h"
#include "core/transforms/transform.h"
#include "tests/core/graph/graphs.h"
#include "tests/support/memory_oracle.h"
#include "tests/support/random_graph.h"

using namespace stowage;
using namespace stowage::testing;
using stowage::test::Sketch;

namespace {

Transformed share(const Staged& staged, const ParamValues& params, StepLog* steps = nullptr) {
  RunContext context;
  context.steps = steps;
  auto result = run_transform(*find_transform("sharing"), staged, params, context);
  REQUIRE_MESSAGE(result, (result ? "" : result.error().message));
  return std::move(*result);
}

std::int64_t total_of(const Staged& staged) {
  std::int64_t total = 0;
  for (const SharedStorage& storage : staged.storages) total += storage.bytes;
  return total;
}

/// A to G of the lecture; executed B, C, F, E, G.
Sketch lecture() {
  Sketch sketch;
  sketch.tensor("A", 4, TensorKind::kInput);
  for (const char* id : {"B", "C", "F", "E", "G"}) sketch.tensor(id, 4);
  const auto in_place = [&](std::uint32_t slots) {
    for (std::uint32_t slot = 0; slot < slots; ++slot) sketch.input.ops.back().inplace.push_back({slot, 0, false});
  };
  sketch.op("B", {"A"}, {"B"});
  in_place(1);
  sketch.op("C", {"B"}, {"C"});
  in_place(1);
  sketch.op("F", {"B"}, {"F"});
  sketch.op("E", {"C"}, {"E"});
  sketch.op("G", {"E", "F"}, {"G"});
  in_place(2);
  return sketch;
}

std::vector<std::string> told(const StepLog& log, const Graph& graph) {
  std::vector<std::string> lines;
  for (const Step& step : log.steps()) {
    if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) {
      lines.push_back(fmt::format("{} takes {}: {}", graph.tensor(take->buffer).id, take->tag, step.why));
    }
    if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) {
      lines.push_back(fmt::format("{} returns {}: {}", graph.tensor(back->buffer).id, back->tag, step.why));
    }
  }
  return lines;
}

const std::vector<std::string>& policies() {
  static const std::vector<std::string> kPolicies = {"tags",      "nnvm", "mxnet",   "tvm-relay",
                                                     "tvm-relax", "ort",  "inductor"};
  return kPolicies;
}

GraphShape shape_of(std::uint64_t seed) {
  GraphShape shape;
  shape.inplace = shape.types = true;
  shape.views = seed % 2 == 0;
  shape.weights = seed % 3 == 0;
  shape.ignored = seed % 4 == 0;
  shape.unknown = seed % 7 == 0;
  shape.events = seed % 5 == 0;
  shape.copies = seed % 5 == 1;
  return shape;
}

}  // namespace

TEST_CASE("the lecture's five steps, each with its reason") {
  const Staged staged = stage(lecture().graph()).value();
  StepLog log;
  const Transformed after = share(staged, {{"policy", "tags"}}, &log);
  const std::vector<std::string> expected = {
      "B takes 1: new: the box is empty",
      "C takes 2: new: the box is empty",
      "F takes 3: new: the box is empty",
      "B returns 1: F was the last to read B",
      "E takes 1: out of the box, where B lay last",
      "C returns 2: E was the last to read C",
      "G takes 1: in place on E, which only G still reads",
      "F returns 3: G was the last to read F",
  };
  CHECK(told(log, staged.graph) == expected);
  CHECK(total_of(after.staged) == 12);
  CHECK(after.report.bytes_saved == 8);
}

TEST_CASE("steps tell whom they are about: a tensor, and the op where a remark says the same") {
  const Staged staged = stage(lecture().graph()).value();
  const Graph& graph = staged.graph;
  StepLog log;
  RunContext context;
  context.steps = &log;
  const auto in_place = run_transform(*find_transform("in-place"), staged, {}, context);
  REQUIRE(in_place.has_value());
  const std::vector<StepSubject> subjects = step_subjects(log.steps(), in_place->report.remarks);
  REQUIRE(subjects.size() == log.steps().size());
  CHECK(subjects.front() == StepSubject{});  // the phase
  CHECK(ops_about(graph, subjects.front()).empty());
  // "G is next", then a note of what came of it.
  const TensorIndex g = graph.find_tensor("G");
  CHECK(subjects.back() == StepSubject{g, graph.producer(g)});
  CHECK(ops_about(graph, subjects.back()) == std::vector<OpIndex>{graph.producer(g)});
  CHECK(std::count(subjects.begin(), subjects.end(), StepSubject{g, kNoOp}) >= 1);
  // What nobody makes is seen where it is read.
  const TensorIndex a = graph.find_tensor("A");
  CHECK(ops_about(graph, StepSubject{a, kNoOp}) == std::vector<OpIndex>{graph.find_op("B")});
}

TEST_CASE("sharing takes an order for granted; as a control edge it costs parallel work") {
  const Staged staged = stage(lecture().graph()).value();
  const Transformed after = share(staged, {{"policy", "tags"}});
  REQUIRE(after.report.implied.size() == 1);
  const Event event = after.report.implied.front();
  CHECK(staged.graph.op(event.after).id == "F");
  CHECK(staged.graph.op(event.before).id == "E");
  CHECK(after.report.critical_path_before == 4);  // B C E G
  CHECK(after.report.critical_path_after == 4);   // F beside C
  CHECK(after.staged.graph.events().empty());

  const Transformed ordered = share(staged, {{"policy", "tags"}, {"control-edges", "on"}});
  REQUIRE(ordered.staged.graph.events().size() == 1);
  CHECK(ordered.staged.graph.events().front() == event);
  CHECK(implied_orders(ordered.staged, Engine::kData)->empty());

  Sketch slow = lecture();
  slow.input.ops[2].duration = 5;  // F: E now waits for it
  const Transformed late = share(stage(slow.graph()).value(), {{"policy", "tags"}});
  CHECK(late.report.critical_path_before == 7);
  CHECK(late.report.critical_path_after == 8);
}

TEST_CASE("on one stream nothing is taken for granted that the stream does not promise") {
  const Transformed after = share(stage(lecture().graph()).value(), {{"policy", "tags"}, {"engine", "streams"}});
  CHECK(after.report.implied.empty());
}

TEST_CASE("a result in place waits for readers on other paths") {
  Sketch sketch;
  sketch.tensor("A", 4, TensorKind::kInput).tensor("B", 4).tensor("F", 4).tensor("C", 4).tensor("o", 4);
  sketch.op("B", {"A"}, {"B"}).op("F", {"B"}, {"F"}).op("C", {"B"}, {"C"});
  sketch.input.ops.back().inplace.push_back({0, 0, false});
  sketch.op("o", {"F", "C"}, {"o"});
  const Transformed after = share(stage(sketch.graph()).value(), {});
  REQUIRE(after.staged.in_place.size() == 1);
  REQUIRE(after.report.implied.size() == 1);
  CHECK(after.report.implied.front() == Event{1, 2});
}

TEST_CASE("the longest path has a colour of its own; later ops win ties") {
  Staged staged = stage(lecture().graph()).value();
  Colours colours = longest_path_colours(staged, 2);
  CHECK(colours.used == 2);
  CHECK(colours.of == std::vector<std::uint32_t>{0, 0, 1, 0, 0});
  CHECK(longest_path_colours(staged, 1).used == 1);
  CHECK(longest_path_colours(staged, 100).used == 3);  // B C E G, F, and one for the rest
  CHECK(total_of(share(staged, {{"colours", "2"}}).staged) == 16);
}

TEST_CASE("match range: one that is too large or too small stays in the box, a smaller one grows") {
  Sketch sketch;
  sketch.tensor("x", 4, TensorKind::kInput);
  const std::vector<std::int64_t> sizes = {1000, 10, 10, 500};
  std::string last = "x";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string id(1, static_cast<char>('p' + i));
    sketch.tensor(id, sizes[i]).op(id, {last}, {id});
    last = id;
  }
  const Staged staged = stage(sketch.graph()).value();
  const auto total = [&](const char* range) {
    return total_of(share(staged, {{"match-range", range}}).staged);
  };
  CHECK(total("0") == 1520);
  CHECK(total("1") == 1520);
  CHECK(total("16") == 1020);
  CHECK(total("50") == 1020);
  CHECK(total("100") == 1500);
  CHECK(total("auto") == 1020);
  CHECK(total("1000000000") == 1500);
}

TEST_CASE("free lists: the latest of the same size, the best fit, the oldest") {
  Sketch sketch;
  sketch.tensor("x", 4, TensorKind::kInput).tensor("a", 8).tensor("b", 8).tensor("c", 4).tensor("d", 4).tensor("e", 8);
  sketch.op("a", {"x"}, {"a"}).op("b", {"a"}, {"b"}).op("c", {"b"}, {"c"}).op("d", {"c"}, {"d"}).op("e", {"d"}, {"e"});
  const Staged staged = stage(sketch.graph()).value();
  const auto storages = [&](const char* list) {
    std::vector<std::vector<TensorIndex>> members;
    for (const SharedStorage& storage : share(staged, {{"free-list", list}}).staged.storages) {
      members.push_back(storage.members);
    }
    return members;
  };
  using Members = std::vector<std::vector<TensorIndex>>;
  CHECK(storages("oldest") == Members{{1, 3, 5}, {2, 4}});
  CHECK(storages("exact") == Members{{1}, {2, 5}, {3}, {4}});
  CHECK(storages("best-fit") == Members{{1, 3, 5}, {2, 4}});
}

TEST_CASE("outputs may be kept apart, elements may count four bytes, results may be placed as declared") {
  Sketch sketch;
  sketch.tensor("x", 4, TensorKind::kInput).tensor("a", 8).tensor("b", 8).tensor("c", 8);
  sketch.op("a", {"x"}, {"a"}).op("b", {"a"}, {"b"}).op("c", {"b"}, {"c"});
  Staged staged = stage(sketch.graph()).value();
  CHECK(share(staged, {}).staged.storages.size() == 2);
  CHECK(share(staged, {{"outputs", "pinned"}}).staged.storages.size() == 3);
  sketch.input.tensors[1].shape = std::vector<std::int64_t>{3};
  sketch.input.tensors[1].type = DataType::kFloat16;
  sketch.input.tensors[1].bytes.reset();
  staged = stage(sketch.graph()).value();
  CHECK(share(staged, {{"sharing", "off"}}).staged.storages.front().bytes == 6);
  CHECK(share(staged, {{"sharing", "off"}, {"four-byte-elements", "on"}}).staged.storages.front().bytes == 12);

  Sketch two;
  two.tensor("x", 4, TensorKind::kInput).tensor("small", 8).tensor("large", 16).op("f", {"x"}, {"small", "large"});
  const auto first = [&](const char* order) {
    return share(stage(two.graph()).value(), {{"order", order}}).staged.storages.front().members.front();
  };
  CHECK(first("largest-first") == 2);
  CHECK(first("declared") == 1);
}

TEST_CASE("an identity may lie on what others still read, if the policy says so") {
  Sketch sketch;
  sketch.tensor("x", 4, TensorKind::kInput).tensor("a", 8).tensor("b", 8).tensor("c", 8);
  sketch.op("a", {"x"}, {"a"}).op("reshape", {"a"}, {"b"});
  sketch.input.ops.back().inplace.push_back({0, 0, true});
  sketch.op("c", {"a", "b"}, {"c"});
  const Staged staged = stage(sketch.graph()).value();
  CHECK(share(staged, {}).staged.in_place.size() == 1);
  CHECK(share(staged, {{"identity", "off"}}).staged.in_place.empty());
  CHECK(share(staged, {{"policy", "tags"}}).staged.in_place.empty());
  CHECK(share(staged, {{"policy", "tags"}, {"identity", "on"}}).staged.in_place.size() == 1);
}

TEST_CASE("ONNX Runtime asks output by output, in whatever order the pairs are declared") {
  Sketch sketch;
  sketch.tensor("x", 8, TensorKind::kInput).tensor("a", 8).tensor("p", 8).tensor("q", 8).tensor("r", 8);
  sketch.op("a", {"x"}, {"a"}).op("s", {"a"}, {"p", "q"});
  sketch.input.ops.back().inplace = {{0, 1, false}, {0, 0, false}};
  sketch.op("r", {"p", "q"}, {"r"});
  for (Tensor& tensor : sketch.input.tensors) {
    tensor.shape = std::vector<std::int64_t>{2};
    tensor.type = DataType::kFloat32;
    tensor.bytes.reset();
  }
  const std::size_t ort = share(stage(sketch.graph()).value(), {{"policy", "ort"}}).staged.in_place.front().child;
  CHECK(ort == 2);
  CHECK(share(stage(sketch.graph()).value(), {}).staged.in_place.front().child == 3);
}

TEST_CASE("senseless parameters and graphs that are bound already are refused") {
  const Staged staged = stage(lecture().graph()).value();
  RunContext context;
  const Transform& sharing = *find_transform("sharing");
  for (const ParamValues& params : {ParamValues{{"match-range", "-1"}},
                                    {{"match-range", "many"}},
                                    {{"colours", "0"}},
                                    {{"policy", "nobody"}},
                                    {{"colour", "1"}}}) {
    const auto result = run_transform(sharing, staged, params, context);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == Error::Kind::kUsage);
  }
  const auto again = run_transform(sharing, share(staged, {}).staged, {}, context);
  REQUIRE_FALSE(again);
  CHECK(again.error().kind == Error::Kind::kRefused);
}

TEST_CASE("sharing after in-place works on what is left") {
  const Staged staged = stage(lecture().graph()).value();
  RunContext context;
  const auto first = run_transform(*find_transform("in-place"), staged, {}, context);
  REQUIRE(first);
  const Transformed both = share(first->staged, {{"in-place", "off"}});
  CHECK(total_of(both.staged) == 12);
  CHECK(MemoryOracle(both.staged).run(staged.schedule.order) == "");
}

TEST_CASE("on random graphs no policy lets two tensors meet in one storage") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Staged before = random_staged(seed, shape_of(seed));
    for (const std::string& policy : policies()) {
      CAPTURE(seed);
      CAPTURE(policy);
      const Transformed after = share(before, {{"policy", policy}, {"control-edges", "on"}, {"engine", "data"}});
      std::set<TensorIndex> bound;
      for (const SharedStorage& storage : after.staged.storages) {
        for (const TensorIndex t : storage.members) {
          CHECK(storage.bytes >= after.staged.graph.tensor(t).bytes.value_or(0));
          CHECK(bound.insert(t).second);
        }
      }
      MemoryOracle oracle(after.staged);
      CHECK(oracle.run(before.schedule.order) == "");
      // With the implied orders written down, every order that the graph allows will do.
      Random random(seed);
      for (int k = 0; k < 3; ++k) CHECK(oracle.run(oracle.any_order(random, false)) == "");
      CHECK(after.report.critical_path_after >= after.report.critical_path_before);
      CHECK(lower(after.staged, {}));
    }
  }
}

TEST_CASE("on random graphs each of in-place and sharing saves memory, and storages hold at least the load") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    GraphShape shape;
    shape.inplace = true;
    shape.several_results = seed % 2 == 0;
    const Staged before = random_staged(seed, shape);
    const auto total = [&](const char* in_place, const char* sharing) {
      return total_of(share(before, {{"in-place", in_place}, {"sharing", sharing}}).staged);
    };
    std::int64_t naive = 0;
    for (const Tensor& tensor : before.graph.tensors()) {
      if (before.graph.producer(before.graph.find_tensor(tensor.id)) != kNoOp) naive += *tensor.bytes;
    }
    const std::int64_t none = total("off", "off");
    CHECK(none == naive);
    CHECK(total_of(share(before, {{"in-place", "off"}, {"match-range", "0"}}).staged) == naive);
    CHECK(total("on", "off") <= none);
    CHECK(total("off", "on") <= none);
    CHECK(total("on", "on") <= none);

    const Staged shared = share(before, {{"in-place", "off"}}).staged;
    const std::int64_t needed = load(lower(before, {})->problem, 0);
    CHECK(load(lower(shared, {})->problem, 0) == needed);
    CHECK(total_of(shared) >= needed);
  }
}
