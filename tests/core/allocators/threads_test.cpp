// One thread or many: the same plan.

#include <chrono>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/generate_puzzles.h"
#include "core/model/metrics.h"
#include "core/search/capacity_question.h"
#include "tests/core/search/tight_problem.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

PlannedRun run_on(const Problem& problem, std::string_view id, const char* threads, std::uint64_t seed,
                  ParamValues params = {}) {
  params["threads"] = threads;
  RunContext context;
  context.seed = seed;
  return run_allocator(*find_allocator(id), problem, params, context).value();
}

void check_same(const Problem& problem, std::string_view id, std::uint64_t seed, const ParamValues& params = {}) {
  const PlannedRun one = run_on(problem, id, "1", seed, params);
  for (const char* threads : {"2", "4"}) {
    CAPTURE(threads);
    const PlannedRun many = run_on(problem, id, threads, seed, params);
    CHECK(many.plan == one.plan);
    CHECK(many.result.status == one.result.status);
    CHECK(many.result.lower_bound == one.result.lower_bound);
    CHECK(many.result.iterations == one.result.iterations);
  }
}

}  // namespace

TEST_CASE("threads: hard problems have the same plan, bound and number of states with one, two and four") {
  for (std::uint64_t seed = 1; seed <= tried(2); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    check_same(make_problem(tiling_family(150, 120, 9'000, random.next())).value(), "best", seed);
    const Problem large = make_problem(tiling_family(400, 200, 90'000, random.next())).value();
    if (!kSanitized) check_same(large, "best", seed);
    RandomShape shape;
    shape.buffers = 120;
    shape.horizon = 60;
    shape.alignments = true;
    shape.spaces = true;
    check_same(random_problem(seed, shape), "best", seed);
    check_same(make_problem(synthetic_family(1'500, seed)).value(), "best", seed);
  }
}

TEST_CASE("threads: a budget that cuts the search cuts it at the same place") {
  Random random(4);
  const Problem problem = make_problem(tiling_family(200, 100, 4'000, random.next())).value();
  for (const char* nodes : {"20", "3000", "30000", "100000"}) {
    CAPTURE(nodes);
    check_same(problem, "exact", 1, {{"nodes", nodes}});
  }
}

TEST_CASE("threads: proofs are the same, of the lowest plan and of no plan") {
  Random random(12);
  int proved = 0;
  for (int problems = 0; problems < 25;) {
    const auto input = tight_problem(random, 30);
    if (!input) continue;
    ++problems;
    const Problem problem = make_problem(*input).value();
    check_same(problem, "best", 7);
    const Problem tight = make_problem(with_capacity(problem, problem.sections().load())).value();
    check_same(tight, "exact", 7, {{"nodes", "200000"}});
    proved += run_on(tight, "exact", "2", 7).result.status == RunStatus::kProvedInfeasible ? 1 : 0;
  }
  CHECK(proved > 0);
}

TEST_CASE("threads: a time limit may cut, and then the result says so") {
  Random random(5);
  const Problem problem = make_problem(tiling_family(900, 500, 1'000'000, random.next())).value();
  RunContext context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(150);
  const auto run = run_allocator(*find_allocator("best"), problem, {{"threads", "3"}}, context);
  REQUIRE(run);
  CHECK(check_plan(problem, run->plan).valid());
  const bool lowest = measure(problem, measure(problem), run->plan).makespan == problem.sections().load();
  CHECK((run->result.status == RunStatus::kStopped || lowest));
}

TEST_CASE("threads: the plan does not keep their number, and a wrong one is refused") {
  Random random(6);
  const Problem problem = make_problem(tiling_family(20, 20, 400, random.next())).value();
  CHECK(run_on(problem, "best", "auto", 1).plan.params.empty());
  RunContext context;
  for (const char* bad : {"0", "-1", "many", "", "2000", "1.5"}) {
    for (const char* id : {"best", "exact"}) {
      const auto run = run_allocator(*find_allocator(id), problem, {{"threads", bad}}, context);
      REQUIRE_FALSE(run);
      CHECK(run.error().kind == Error::Kind::kUsage);
    }
  }
}
