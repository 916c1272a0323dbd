#include <algorithm>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/tela_space.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

std::int64_t planned(const std::string& id, const Problem& problem, const ParamValues& params) {
  RunContext context;
  const auto run = run_allocator(*find_allocator(id), problem, params, context);
  REQUIRE(run);
  CHECK(check_plan(problem, run->plan).count == 0);
  return measure(problem, measure(problem), run->plan).makespan;
}

RandomShape large_shape(std::uint64_t seed) {
  RandomShape shape;
  shape.buffers = 40;
  shape.alignments = seed % 2 == 0;
  shape.gaps = seed % 3 == 0;
  shape.spaces = seed % 5 == 0;
  return shape;
}

}  // namespace

TEST_CASE("telamalloc: the published minimising variant's cases") {
  STOWAGE_NEED_SHARED(shared);
  for (const ConformanceCase& c : conformance_cases(shared / "conformance/others.json", {"telamalloc"})) {
    CAPTURE(c.name);
    for (const char* repair : {"backtrack", "evict"}) {
      CHECK(planned("telamalloc", c.problem, {{"repair", repair}}) == c.json["expected"]["makespan"]);
    }
  }
}

TEST_CASE("telamalloc is never above its two first fits, and lower on some problems in both ways") {
  for (const char* repair : {"backtrack", "evict"}) {
    CAPTURE(repair);
    int lower = 0;
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
      CAPTURE(seed);
      const Problem problem = random_problem(seed, large_shape(seed));
      const std::int64_t start =
          std::min(planned("first-fit", problem, {{"order", "WZ"}}), planned("first-fit", problem, {{"order", "ZW"}}));
      const std::int64_t found = planned("telamalloc", problem, {{"repair", repair}});
      CHECK(found <= start);
      lower += found < start ? 1 : 0;
    }
    CHECK(lower > 10);
  }
}

TEST_CASE("telamalloc: with a capacity it ends as soon as the plan fits") {
  const Problem problem = random_problem(3, large_shape(1));
  const std::int64_t start = planned("first-fit", problem, {{"order", "ZW"}});
  const Problem wide = make_problem(with_capacity(problem, start + 100)).value();
  RunContext context;
  const auto run = run_allocator(*find_allocator("telamalloc"), wide, {}, context);
  REQUIRE(run);
  CHECK(run->result.iterations == 0);
}

TEST_CASE("telamalloc: a capacity below what is live at once is proved infeasible, one at it is not") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.gaps = seed % 2 == 0;
    const Problem problem = random_problem(seed, shape);
    const std::int64_t live = measure(problem).load;
    if (live < 2) continue;
    RunContext context;
    const auto below = run_allocator(*find_allocator("telamalloc"),
                                     make_problem(with_capacity(problem, live - 1)).value(), {}, context);
    REQUIRE(below);
    CHECK(below->result.status == RunStatus::kProvedInfeasible);
    const auto at =
        run_allocator(*find_allocator("telamalloc"), make_problem(with_capacity(problem, live)).value(), {}, context);
    REQUIRE(at);
    CHECK(at->result.status == RunStatus::kComplete);
  }
}

TEST_CASE("telamalloc: phases hold every buffer of a component once, the most contended time first") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, large_shape(seed));
    RunContext context;
    const TelaSpace space(problem, context);
    std::vector<int> seen(problem.size(), 0);
    std::int64_t load = kMaxInt64;
    for (const TelaComponent& component : tela_components(problem, space)) {
      CHECK(component.load <= load);
      load = component.load;
      std::size_t count = 0;
      for (const auto& phase : component.phases) {
        CHECK_FALSE(phase.empty());
        for (const BufferIndex i : phase) ++seen[i];
        count += phase.size();
      }
      CHECK(count == component.buffers.size());
    }
    for (BufferIndex i = 0; i < problem.size(); ++i)
      CHECK(seen[i] == (problem.sections().range(i).length() > 0 ? 1 : 0));
  }
}

TEST_CASE("telamalloc: what it has so far is told, lower and lower, down to its plan") {
  std::size_t lowered = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem problem = make_problem(synthetic_family(60, seed)).value();
    StepLog log;
    RunContext context;
    context.steps = &log;
    const auto run = run_allocator(*find_allocator("telamalloc"), problem, {}, context);
    REQUIRE(run);
    std::vector<std::int64_t> told;
    for (const Step& step : log.steps()) {
      if (const auto* one = std::get_if<step::Incumbent>(&step.fact)) told.push_back(one->makespan);
    }
    REQUIRE(!told.empty());
    CHECK(std::is_sorted(told.rbegin(), told.rend()));
    CHECK(told.back() == measure(problem, measure(problem), run->plan).makespan);
    if (told.size() > 1) ++lowered;
  }
  CHECK(lowered > 0);
}
