#include "core/document/match_plan.h"

#include <doctest/doctest.h>

#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;

namespace {

Problem problem_of(std::vector<std::pair<const char*, Buffer>> buffers) {
  ProblemInput input;
  for (const auto& [id, one] : buffers) input.add(id, one);
  return make_problem(std::move(input)).value();
}

}  // namespace

TEST_CASE("a plan of another file finds its buffers by id, else by lifetime and size, and names the rest") {
  const Problem here =
      problem_of({{"a", buffer(0, 4, 8)}, {"b", buffer(2, 6, 8)}, {"c", buffer(5, 9, 16)}, {"d", buffer(0, 1, 1)}});
  const Problem there =
      problem_of({{"c", buffer(5, 8, 16)}, {"x", buffer(0, 4, 8)}, {"b", buffer(2, 6, 8)}, {"y", buffer(1, 2, 3)}});
  Plan plan;
  plan.offsets = {40, 30, 20, 10};
  const MatchedPlan matched = match_plan(here, there, plan);
  CHECK(matched.plan.offsets == std::vector<std::int64_t>{30, 20, 40, kNoOffset});
  CHECK(matched.by_id == 2);
  CHECK(matched.by_shape == 1);
  CHECK(matched.unmatched == std::vector<std::string>{"y"});
  CHECK(matched.unplaced == 1);
}

TEST_CASE("of several buffers with one id those with the same lifetime and size belong together first") {
  const Problem here = problem_of({{"t", buffer(0, 4, 8)}, {"t", buffer(4, 8, 8)}});
  const Problem there = problem_of({{"t", buffer(4, 8, 8)}, {"t", buffer(0, 4, 8)}});
  Plan plan;
  plan.offsets = {1, 2};
  CHECK(match_plan(here, there, plan).plan.offsets == std::vector<std::int64_t>{2, 1});
}
