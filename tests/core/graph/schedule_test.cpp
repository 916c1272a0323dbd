#include "core/graph/schedule.h"

#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/graph/ancestors.h"
#include "core/graph/lower.h"
#include "core/graph/order_load.h"
#include "core/model/load.h"
#include "tests/core/graph/graphs.h"
#include "tests/support/effort.h"

namespace stowage {
namespace {

using test::Sketch;

/// Each op reads one to three earlier results and makes one or two of its own.
GraphInput random_graph(std::size_t ops, Random& random) {
  Sketch sketch;
  for (std::size_t n = 0; n < ops; ++n) {
    Op op;
    op.id = "n" + std::to_string(n);
    const std::size_t known = sketch.input.tensors.size();
    const auto reads = known == 0 ? 0 : random.uniform(1, 3);
    for (std::int64_t i = 0; i < reads; ++i) {
      op.in.push_back(static_cast<TensorIndex>(random.uniform(0, static_cast<std::int64_t>(known) - 1)));
    }
    const auto makes = random.uniform(1, 2);
    for (std::int64_t i = 0; i < makes; ++i) {
      Tensor tensor;
      tensor.id = op.id + "." + std::to_string(i);
      tensor.bytes = random.uniform(0, 100);
      op.out.push_back(sketch.input.add(std::move(tensor)));
    }
    op.workspace = random.uniform(0, 20);
    sketch.input.add(std::move(op));
  }
  return sketch.input;
}

/// The least load over all orders, by trying every one.
std::int64_t least_load(const Graph& graph, std::vector<OpIndex>& order) {
  if (order.size() == graph.ops().size()) return load_of_order(graph, order);
  std::int64_t least = kMaxInt64;
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    const auto done = [&](OpIndex op) {
      return std::find(order.begin(), order.end(), op) != order.end();
    };
    const auto waits = graph.waits_for(n);
    if (done(n) || !std::all_of(waits.begin(), waits.end(), done)) continue;
    order.push_back(n);
    least = std::min(least, least_load(graph, order));
    order.pop_back();
  }
  return least;
}

Schedule scheduled(std::string_view id, const Graph& graph) {
  RunContext context;
  return run_scheduler(*find_scheduler(id), graph, {}, context).value();
}

}  // namespace

TEST_CASE("schedulers: every order is a permutation in which nothing runs before what it waits for") {
  Random random(11);
  for (int round = 0; round < testing::tried(60); ++round) {
    const Graph graph = make_graph(random_graph(static_cast<std::size_t>(random.uniform(0, 40)), random)).value();
    for (const Scheduler& scheduler : schedulers()) {
      CAPTURE(scheduler.id);
      CAPTURE(round);
      CHECK(check_schedule(graph, scheduled(scheduler.id, graph)).has_value());
    }
  }
}

TEST_CASE("memory-aware: no order of a small graph has a smaller load") {
  Random random(12);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Graph graph = make_graph(random_graph(7, random)).value();
    std::vector<OpIndex> order;
    CHECK(load_of_order(graph, scheduled("memory-aware", graph).order) == least_load(graph, order));
  }
}

TEST_CASE("memory-aware: on large graphs never above the other orders") {
  Random random(13);
  for (int round = 0; round < 5; ++round) {
    const Graph graph = make_graph(random_graph(120, random)).value();
    const std::int64_t least = load_of_order(graph, scheduled("memory-aware", graph).order);
    for (const std::string_view other : {"given", "depth-first", "breadth-first"}) {
      CHECK(least <= load_of_order(graph, scheduled(other, graph).order));
    }
  }
}

TEST_CASE("load of an order: what the lowered problem says") {
  Random random(14);
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const Graph graph = make_graph(random_graph(static_cast<std::size_t>(random.uniform(1, 30)), random)).value();
    Staged staged = stage(graph).value();
    staged.schedule = scheduled("depth-first", graph);
    CHECK(load_of_order(graph, staged.schedule.order) == load(lower(staged, {}).value().problem, 0));
  }
}

TEST_CASE("given order: an op before what it reads is named") {
  Sketch sketch;
  sketch.tensor("a", 4).tensor("b", 4).op("late", {"a"}, {"b"}).op("early", {}, {"a"});
  const auto schedule = given_schedule(sketch.graph());
  REQUIRE_FALSE(schedule.has_value());
  CHECK(schedule.error().message == "late would run before early, for which it waits");
  CHECK(scheduled("depth-first", sketch.graph()).order == std::vector<OpIndex>{1, 0});
}

TEST_CASE("ancestors: data, events and the order of a stream count, the schedule across streams does not") {
  Sketch sketch;
  sketch.tensor("a", 4).tensor("b", 4).tensor("c", 4);
  sketch.op("n0", {}, {"a"}).op("n1", {"a"}, {"b"}, 1).op("n2", {}, {"c"});
  const Graph graph = sketch.graph();
  const Ancestors ancestors(graph, given_schedule(graph).value());
  CHECK(ancestors.before(0, 1));
  CHECK(ancestors.before(0, 2));
  CHECK_FALSE(ancestors.before(1, 2));
  sketch.input.events = {{1, 2}};
  const Graph with_event = sketch.graph();
  CHECK(Ancestors(with_event, given_schedule(with_event).value()).before(1, 2));
}

}  // namespace stowage
