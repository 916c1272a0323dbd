#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/core/transforms/training_graphs.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

GraphInput two_weights() {
  GraphInput graph;
  graph.name = "two weights";
  const TensorIndex w1 = add_tensor(graph, "w1", 100, TensorKind::kWeight);
  const TensorIndex w2 = add_tensor(graph, "w2", 50, TensorKind::kWeight);
  graph.tensors[w2].alignment = 64;
  const TensorIndex a = add_tensor(graph, "a", 300);
  const TensorIndex b = add_tensor(graph, "b", 250);
  add_op(graph, "first", {w1}, {a});
  add_op(graph, "second", {a, w2}, {b});
  return graph;
}

bool says(const Transformed& of, const std::string& words) {
  return std::any_of(of.report.remarks.begin(), of.report.remarks.end(),
                     [&](const Remark& remark) { return remark.text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("double-ended: weights and values are spaces of their own, from either end") {
  const Staged before = staged(two_weights());
  const auto low = transformed("double-ended", before, {{"capacity", "1000"}});
  REQUIRE(low.has_value());
  CHECK(says(*low, "w1: at 0"));
  CHECK(says(*low, "w2: at 128"));
  const auto high = transformed("double-ended", before, {{"capacity", "1000"}, {"weights", "high"}});
  REQUIRE(high.has_value());
  CHECK(says(*high, "w1: at 900"));
  CHECK(says(*high, "w2: at 832"));
  LowerOptions all;
  all.weights = true;
  const auto lowered = lower(low->staged, all);
  REQUIRE(lowered.has_value());
  CHECK(load(lowered->problem, 0) == 550);
  const auto spaces = lowered->problem.spaces();
  REQUIRE(spaces.size() == 2);
  CHECK(*spaces[0].capacity + *spaces[1].capacity == 1000);
}

TEST_CASE("double-ended: where the two ends meet is told") {
  const Staged before = staged(two_weights());
  const auto meets = transformed("double-ended", before, {{"capacity", "700"}});
  REQUIRE(meets.has_value());
  CHECK(says(*meets, "collision: second needs 550 B"));
  // In front of where each weight lies, so that it is seen with the first remarks.
  CHECK(meets->report.remarks.front().kind == Remark::Kind::kRefused);
  CHECK(meets->report.remarks.back().kind == Remark::Kind::kDone);
  const auto full = transformed("double-ended", before, {{"capacity", "100"}});
  REQUIRE(full.has_value());
  CHECK(says(*full, "the weights alone need 178 B"));
  const auto fits = transformed("double-ended", before, {});
  REQUIRE(fits.has_value());
  CHECK_FALSE(says(*fits, "collision"));
}

TEST_CASE("double-ended: without a capacity none is set, and what both ends need is told") {
  const auto open = transformed("double-ended", staged(two_weights()), {});
  REQUIRE(open.has_value());
  CHECK(says(*open, "178 B of weights, at least 550 B of values: below 728 B together the two ends meet"));
  LowerOptions all;
  all.weights = true;
  const auto lowered = lower(open->staged, all);
  REQUIRE(lowered.has_value());
  REQUIRE(lowered->problem.spaces().size() == 2);
  for (const Space& space : lowered->problem.spaces()) CHECK_FALSE(space.capacity.has_value());
}
