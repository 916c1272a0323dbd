#include "core/graph/graph_edit.h"

#include <doctest/doctest.h>

#include "core/graph/lower.h"
#include "core/model/load.h"
#include "tests/core/graph/graphs.h"

namespace stowage {
namespace {

using test::Sketch;

/// a -> f -> b -> g -> c, and beside it h -> d -> g.
Graph sample() {
  return Sketch()
      .tensor("a", 16)
      .tensor("b", 16)
      .tensor("d", 8)
      .tensor("c", 4)
      .op("f", {"a"}, {"b"})
      .op("h", {}, {"d"})
      .op("g", {"b", "d"}, {"c"})
      .graph();
}

std::string order_of(const Graph& graph) {
  std::string order;
  for (const Op& op : graph.ops()) order += op.id;
  return order;
}

std::int64_t load_of(const Graph& graph) {
  return load(lower(stage(graph).value(), {}).value().problem, 0);
}

}  // namespace

TEST_CASE("move op: the order changes and with it the load; what cannot run there is named") {
  const Graph graph = sample();
  CHECK(load_of(graph) == 32);
  const auto moved = move_op(graph, 1, 0);
  REQUIRE(moved.has_value());
  CHECK(order_of(*moved) == "hfg");
  CHECK(load_of(*moved) == 40);
  const auto wrong = move_op(graph, 2, 0);
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message == "g waits for h and cannot run before it");
  CHECK(order_of(move_op(graph, 0, 1).value()) == "hfg");
  CHECK(order_of(move_op(graph, 1, 99).value_or(graph)) == "fhg");
}

TEST_CASE("events follow their ops; circles and repeats are refused") {
  const Graph graph = sample();
  const auto with = add_event(graph, 0, 1);
  REQUIRE(with.has_value());
  CHECK(with->events()[0] == Event{0, 1});
  CHECK(add_event(*with, 0, 1).error().message == "h waits for f already");
  CHECK(add_event(graph, 2, 0).error().message.find("wait for each other in a circle") != std::string::npos);
  CHECK(add_event(graph, 1, 1).error().message == "h cannot wait for itself");
  CHECK(move_op(*with, 1, 0).error().message == "h waits for f and cannot run before it");
  CHECK(remove_event(*with, 0, 1)->events().empty());
  CHECK_FALSE(remove_event(graph, 0, 1).has_value());
}

TEST_CASE("in-place pairs can be switched, shapes changed, ops and tensors added and removed") {
  const Graph graph = sample();
  const auto pair = toggle_in_place(graph, 2, 0, 0);
  REQUIRE(pair.has_value());
  CHECK(pair->op(2).inplace.size() == 1);
  CHECK(toggle_in_place(*pair, 2, 0, 0)->op(2).inplace.empty());
  CHECK_FALSE(toggle_in_place(graph, 2, 5, 0).has_value());

  CHECK(set_shape(graph, 1, {3, 5}, DataType::kFloat16)->tensor(1).bytes == 30);
  CHECK_FALSE(set_shape(graph, 1, {-1}, DataType::kFloat16).has_value());

  Tensor tensor;
  tensor.id = "e";
  tensor.bytes = 4;
  const Graph more = add_tensor(graph, tensor).value();
  Op op;
  op.id = "k";
  op.in = {3};
  op.out = {4};
  CHECK(order_of(add_op(more, op, 3).value()) == "fhgk");
  CHECK_FALSE(add_op(more, op, 0).has_value());
  CHECK(remove_op(graph, 1).error().message == "g reads d, which h makes");
  const Graph less = remove_op(graph, 2).value();
  CHECK(order_of(less) == "fh");
  CHECK(less.tensors().size() == 3);
  CHECK(remove_tensor(graph, 0).error().message == "f reads a");
  CHECK(remove_tensor(graph, 3).error().message == "g makes c");
  CHECK(remove_tensor(more, 4)->tensors().size() == 4);
}

}  // namespace stowage
