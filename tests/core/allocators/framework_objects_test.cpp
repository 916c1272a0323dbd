// The shared objects of ExecuTorch, LLVM and Inductor, by hand.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/core/allocators/object_planning.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Assignment = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("executorch: the last of equal sizes first, objects never grow, and a place above what is live is used") {
  // Row 2 comes before row 1 and has the bottom of object 0 after row 0; row 1 goes above it, row 3 has no room there.
  const Problem apart = problem_of({{0, 3, 10}, {3, 6, 4}, {4, 8, 4}, {5, 7, 3}});
  const PlannedRun run = planned("executorch-greedy", apart);
  CHECK(run.plan.objects->object_of == Assignment{0, 0, 0, 1});
  CHECK(run.plan.objects->inner == std::vector<std::int64_t>{0, 4, 0, 0});
  CHECK(run.plan.objects->sizes == std::vector<std::int64_t>{10, 3});
  CHECK(run.plan.offsets == std::vector<std::int64_t>{0, 4, 0, 10});
  CHECK(objects_of("executorch-greedy", apart, {{"overlap", "false"}}).object_of == Assignment{0, 1, 0, 2});
  // Sizes count rounded up: two of 5 do not lie in one of 10 when they are aligned to 4.
  const Problem rounded = problem_of({{0, 1, 10}, {2, 4, 5}, {2, 4, 5}}, 4);
  CHECK(objects_of("executorch-greedy", rounded).sizes == std::vector<std::int64_t>{12, 8});
}

TEST_CASE("executorch: the naive planner puts one behind the other, sizes rounded up") {
  const Problem apart = problem_of({{0, 3, 10}, {3, 6, 4}, {4, 8, 5}}, 4);
  const PlannedRun run = planned("executorch-greedy", apart, {{"planner", "naive"}});
  CHECK(run.plan.objects->object_of == Assignment{0, 1, 2});
  CHECK(run.plan.objects->sizes == std::vector<std::int64_t>{12, 4, 8});
  CHECK(run.plan.offsets == std::vector<std::int64_t>{0, 12, 16});
}

TEST_CASE("executorch: the suite takes the smaller of greedy and naive, which is greedy's") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.spaces = seed % 2 == 0;
    shape.alignments = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    for (const char* overlap : {"true", "false"}) {
      const Objects greedy = objects_of("executorch-greedy", problem, {{"overlap", overlap}});
      CHECK(greedy.total() <= objects_of("executorch-greedy", problem, {{"planner", "naive"}}).total());
      CHECK(objects_of("executorch-greedy", problem, {{"planner", "suite"}, {"overlap", overlap}}) == greedy);
    }
  }
  StepLog log;
  RunContext context;
  context.steps = &log;
  const Problem apart = problem_of({{0, 3, 10}, {3, 6, 4}, {4, 8, 5}}, 4);
  REQUIRE(run_allocator(*find_allocator("executorch-greedy"), apart, {{"planner", "suite"}}, context));
  const bool told = std::any_of(log.steps().begin(), log.steps().end(), [](const Step& step) {
    const auto* note = std::get_if<step::Note>(&step.fact);
    return note != nullptr && note->text.find("naive planner needs 24 bytes") != std::string::npos;
  });
  CHECK(told);
}

TEST_CASE("llvm stack coloring: a slot takes in every later one that is disjoint, also inside gaps") {
  ProblemInput input = problem_of({{0, 9, 8}, {3, 5, 6}, {9, 12, 4}, {4, 6, 2}}).input();
  CHECK(objects_of("llvm-stack-coloring", make_problem(input).value()).object_of == Assignment{0, 1, 0, 2});
  input.details.push_back(Details{});
  input.details.back().gaps.push_back(Gap{3, 6, {}});
  input.buffers[0].details = 0;
  const Objects objects = objects_of("llvm-stack-coloring", make_problem(input).value());
  CHECK(objects.object_of == Assignment{0, 0, 0, 1});
  CHECK(objects.sizes == std::vector<std::int64_t>{8, 2});
}

TEST_CASE("inductor pools: splits in time and space, growth of the last pool, and stacking") {
  // 0 fills the pool; 1 and 2 share its place afterwards, side by side; 3 meets both and goes on top.
  const Problem shared = problem_of({{0, 2, 10}, {2, 4, 6}, {2, 4, 4}, {1, 3, 3}});
  CHECK(planned("inductor-pools", shared).plan.offsets == std::vector<std::int64_t>{0, 0, 6, 10});
  CHECK(objects_of("inductor-pools", shared).sizes == std::vector<std::int64_t>{13});
  // Pools that cannot grow: what does not fit has one of its own.
  CHECK(objects_of("inductor-pools", shared, {{"pool", "none"}}).sizes == std::vector<std::int64_t>{10, 3});
  // 6 and then 4 above it need 64 + 4 bytes once they are aligned to 64, though the place had 10.
  const Problem aligned = problem_of({{0, 2, 10}, {2, 4, 6}, {2, 4, 4}}, 64);
  CHECK(planned("inductor-pools", aligned).plan.offsets == std::vector<std::int64_t>{0, 0, 64});
  CHECK(objects_of("inductor-pools", aligned).sizes == std::vector<std::int64_t>{68});
}

TEST_CASE("inductor pools: outputs come first, in pools of their own, on top of each other, or like all others") {
  ProblemInput input = problem_of({{0, 2, 8}, {1, 9, 5}, {2, 9, 3}, {0, 1, 5}}).input();
  for (const std::size_t row : {1U, 2U}) input.buffers[row].kind = input.kind_index("output");
  const Problem problem = make_problem(input).value();
  // The smaller output has the first pool; 3 finds its place in that of the larger one.
  const Objects apart = objects_of("inductor-pools", problem);
  CHECK(apart.object_of == Assignment{2, 1, 0, 1});
  CHECK(apart.sizes == std::vector<std::int64_t>{3, 5, 8});
  const Objects together = objects_of("inductor-pools", problem, {{"pool", "outputs"}});
  CHECK(together.object_of == Assignment{1, 0, 0, 0});
  CHECK(together.inner[1] == 3);
  CHECK(objects_of("inductor-pools", problem, {{"pool", "combined"}}).sizes == std::vector<std::int64_t>{13});
}
