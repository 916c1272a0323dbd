#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/chart/both_ends.h"
#include "core/graph/lower.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/transforms/pipeline.h"

using namespace stowage;

namespace {

/// Two weights of 100 and 50 bytes, and values of 300 and 250, one read while the other is made.
Problem double_ended(const PipelineStage& stage) {
  GraphInput graph;
  const auto tensor = [&](const char* id, std::int64_t bytes, TensorKind kind) {
    Tensor one;
    one.id = id;
    one.bytes = bytes;
    one.kind = kind;
    return graph.add(std::move(one));
  };
  const TensorIndex w1 = tensor("w1", 100, TensorKind::kWeight);
  const TensorIndex w2 = tensor("w2", 50, TensorKind::kWeight);
  const TensorIndex a = tensor("a", 300, TensorKind::kActivation);
  const TensorIndex b = tensor("b", 250, TensorKind::kActivation);
  const auto op = [&](const char* id, std::vector<TensorIndex> in, TensorIndex out) {
    Op one;
    one.id = id;
    one.in = std::move(in);
    one.out = {out};
    graph.add(std::move(one));
  };
  op("first", {w1}, a);
  op("second", {a, w2}, b);
  RunContext context;
  const Staged first = stowage::stage(make_graph(std::move(graph)).value()).value();
  const auto stages = run_pipeline(first, {&stage, 1}, context).value();
  LowerOptions options;
  options.weights = true;
  return lower(stages.back().after, options).value().problem;
}

Plan planned(const Problem& problem) {
  RunContext context;
  return run_allocator(*find_allocator("first-fit-size"), problem, {}, context).value().plan;
}

BufferIndex buffer(const Problem& problem, std::string_view id) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem.id(i) == id) return i;
  }
  return kNoBuffer;
}

}  // namespace

TEST_CASE("both ends: each side is counted from its own end of one axis, in either orientation") {
  for (const bool high : {false, true}) {
    INFO(high);
    const PipelineStage stage{"double-ended", true, {{"capacity", "1000"}, {"weights", high ? "high" : "low"}}};
    const Problem problem = double_ended(stage);
    REQUIRE(problem.spaces().size() == 2);
    const Plan plan = planned(problem);
    const BothEnds both = both_ends(problem, plan, {&stage, 1}).value();
    CHECK(both.problem.capacity(0) == 1000);
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      INFO(problem.id(i));
      CHECK(both.problem[i].space == 0);
      const bool is_weight = problem[i].space != 0;
      const std::int64_t from_the_top = 1000 - plan.offsets[i] - problem[i].size;
      CHECK(both.plan.offsets[i] == (is_weight == high ? from_the_top : plan.offsets[i]));
    }
    CHECK(check_plan(both.problem, both.plan).issues.empty());
    // The outermost byte of either end is in use.
    CHECK(makespan_of_space(both.problem, both.plan, 0) == 1000);
  }
}

TEST_CASE("both ends: where they meet rectangles overlap, which is a collision") {
  const PipelineStage stage{"double-ended", true, {{"capacity", "600"}}};
  const Problem problem = double_ended(stage);
  const BothEnds both = both_ends(problem, planned(problem), {&stage, 1}).value();
  const CheckReport report = check_plan(both.problem, both.plan);
  CHECK(std::any_of(report.issues.begin(), report.issues.end(), [&](const Issue& issue) {
    const BufferIndex b = buffer(problem, "b");
    return issue.kind == IssueKind::kCollision && (issue.first == b || issue.second == b);
  }));
}

TEST_CASE("both ends: only with a capacity") {
  const PipelineStage open{"double-ended", true, {}};
  const Problem problem = double_ended(open);
  CHECK_FALSE(both_ends(problem, planned(problem), {&open, 1}).has_value());
  const PipelineStage off{"double-ended", false, {{"capacity", "1000"}}};
  CHECK_FALSE(both_ends(problem, planned(problem), {&off, 1}).has_value());
}
