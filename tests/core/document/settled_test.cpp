#include "core/document/settled.h"

#include <memory>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "core/document/losses.h"

namespace stowage {
namespace {

/// x -> first -> a -> second -> b -> third -> c, where two results could lie over what their op reads; a is read again
/// at the end.
Graph chain() {
  GraphInput input;
  for (const char* id : {"x", "a", "b", "c", "d"}) {
    Tensor tensor;
    tensor.id = id;
    tensor.bytes = 64;
    input.add(std::move(tensor));
  }
  const auto op = [&](const char* id, std::vector<TensorIndex> in, TensorIndex out, std::vector<SlotPair> pairs) {
    Op made;
    made.id = id;
    made.in = std::move(in);
    made.out = {out};
    made.inplace = std::move(pairs);
    input.add(std::move(made));
  };
  op("first", {0}, 1, {});
  op("second", {1}, 2, {{0, 0, false}});  // refused: a is read again
  op("third", {2}, 3, {{0, 0, false}});
  op("last", {3, 1}, 4, {});
  input.inputs = {0};
  input.events = {{0, 3}};
  return make_graph(std::move(input)).value();
}

Document made(GraphRecipe recipe, RunContext& context) {
  auto document = remade(Document(), chain(), std::move(recipe), context);
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  return std::move(*document);
}

TEST_CASE("settled: the pairs that were taken are the ones that are left") {
  RunContext context;
  const Document document = made(GraphRecipe{"given", {{"in-place", true, {}}}, {}}, context);
  const auto alone = settled(document, context);
  REQUIRE_MESSAGE(alone.has_value(), alone.error().message);
  CHECK(alone->graph->op(1).inplace.empty());
  CHECK(alone->graph->op(2).inplace.size() == 1);
  CHECK(alone->recipe.pipeline == document.recipe.pipeline);
  CHECK(losses(document, *alone).empty());
}

TEST_CASE("settled: what nothing takes is still offered") {
  RunContext context;
  const Document document = made(GraphRecipe(), context);
  const auto alone = settled(document, context);
  REQUIRE(alone.has_value());
  CHECK(alone->graph->op(1).inplace.size() == 1);
  CHECK(alone->recipe.pipeline.empty());
  CHECK(losses(document, *alone).empty());
}

TEST_CASE("settled: ops stand in the order in which they run, events and groups with them") {
  RunContext context;
  Document document = made(GraphRecipe(), context);
  Staged staged = *document.staged;
  GraphInput input = staged.graph.input();
  std::swap(input.ops[0], input.ops[3]);  // they stand the other way round and run as before
  input.events = {{3, 0}};
  staged.graph = make_graph(std::move(input)).value();
  staged.schedule.order = {3, 1, 2, 0};
  staged.groups = {{{2, 3}, 0}};
  document.staged = std::make_shared<const Staged>(std::move(staged));
  const auto alone = settled(document, context);
  REQUIRE_MESSAGE(alone.has_value(), alone.error().message);
  CHECK(alone->graph->op(0).id == "first");
  CHECK(alone->graph->op(3).id == "last");
  CHECK(alone->graph->events()[0] == Event{0, 3});
  CHECK(alone->graph->groups()[0].members == std::vector<TensorIndex>{2, 3});
  CHECK(alone->problem->size() == document.problem->size());
}

TEST_CASE("settled: storages that are shared are what a graph cannot say") {
  GraphInput input = chain().input();
  for (Op& op : input.ops) op.inplace.clear();
  input.ops[3].in = {3};  // each is read once: c lies where a has been, d where b has
  input.events.clear();
  RunContext context;
  const auto read =
      remade(Document(), make_graph(std::move(input)).value(),
             GraphRecipe{"given", {{"sharing", true, {{"policy", "tags"}, {"control-edges", "on"}}}}, {}}, context);
  REQUIRE_MESSAGE(read.has_value(), read.error().message);
  const Document& document = *read;
  REQUIRE_FALSE(document.staged->storages.empty());
  const auto alone = settled(document, context);
  REQUIRE_MESSAGE(alone.has_value(), alone.error().message);
  CHECK(alone->graph->events().size() == document.staged->graph.events().size());
  CHECK_FALSE(losses(document, *alone).empty());
}

}  // namespace
}  // namespace stowage
