#include <algorithm>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/capacity_search.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/allocators/minimalloc_rule.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/rows_file.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr bool SearchRules::*kSwitches[] = {
    &SearchRules::canonical_only,        &SearchRules::section_inference, &SearchRules::dynamic_ordering,
    &SearchRules::check_dominance,       &SearchRules::unallocated_floor, &SearchRules::static_preordering,
    &SearchRules::dynamic_decomposition, &SearchRules::monotonic_floor,   &SearchRules::hatless_pruning};

RandomShape small_shape(std::uint64_t seed) {
  RandomShape shape;
  shape.buffers = 11;
  shape.horizon = 14;
  shape.largest = 8;
  shape.alignments = seed % 3 == 0;
  shape.gaps = seed % 4 == 0;
  return shape;
}

Result<PlannedRun> run_minimalloc(const Problem& problem, const ParamValues& params) {
  RunContext context;
  return run_allocator(*find_allocator("minimalloc"), problem, params, context);
}

std::int64_t makespan(const Problem& problem, const Plan& plan) {
  return measure(problem, measure(problem), plan).makespan;
}

}  // namespace

TEST_CASE("minimalloc visits the nodes of its rule, whatever the switches, and ends at the same offsets") {
  Random random(1);
  int found = 0;
  int exhausted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Problem problem = random_problem(seed, small_shape(seed));
    if (seed % 5 == 0 && problem.size() > 0) {  // a pin within reach
      ProblemInput input = problem.input();
      input.buffers[0].fixed = random.uniform(0, 12);
      input.buffers[0].alignment = 1;
      problem = make_problem(input).value();
    }
    SearchRules rules;
    for (const auto rule : kSwitches) rules.*rule = seed % 2 == 0 || random.uniform(0, 2) > 0;
    if (seed % 7 == 0) rules.orders = {random.uniform(0, 1) == 0 ? "OCLUZ" : "TWA"};
    const std::int64_t capacity = problem.sections().load() + random.uniform(-1, 3);
    if (capacity < 0) continue;
    MinimallocRule rule(problem, capacity, rules);
    const auto expected = rule.solve();
    CapacitySearch search(problem, rules);
    const SearchEnd end = search.run(0, capacity, kMaxInt64, RunContext());
    CHECK(search.nodes() == rule.nodes);
    CHECK(search.backtracks() == rule.backtracks);
    if (expected == MinimallocRule::End::kFound) {
      ++found;
      REQUIRE(end == SearchEnd::kFound);
      CHECK(std::equal(rule.offsets.begin(), rule.offsets.end(), search.offsets().begin()));
    } else {
      ++exhausted;
      CHECK(end == SearchEnd::kExhausted);
    }
  }
  CHECK(found > 100);
  CHECK(exhausted > 50);
}

TEST_CASE("minimalloc: the cases of its own tests") {
  STOWAGE_NEED_SHARED(shared);
  for (const ConformanceCase& c : conformance_cases(shared / "conformance/minimalloc.json", {"minimalloc"})) {
    CAPTURE(c.name);
    const auto run = run_minimalloc(c.problem, {});
    REQUIRE(run);
    const bool fits = c.json["expected"]["status"] == "ok";
    CHECK((run->result.status == RunStatus::kProvedInfeasible) == !fits);
    CHECK((check_plan(c.problem, run->plan).count == 0) == fits);
    if (!fits) CHECK(run->result.iterations > 0);
  }
  const Problem example = read_rows(shared / "data/minimalloc/input.12.csv", 12);
  CHECK(run_minimalloc(example, {})->plan.offsets == std::vector<std::int64_t>{8, 8, 4, 4, 0});
}

TEST_CASE("minimalloc: each of its ways to visit less alone turns back less often") {
  ProblemInput input;
  input.capacity = 3;
  constexpr std::int64_t kRows[][3] = {{2, 3, 2}, {0, 1, 2}, {1, 2, 1}, {0, 2, 1}, {1, 3, 1}};
  for (const auto& row : kRows) {
    Buffer b;
    b.start = row[0];
    b.end = row[1];
    b.size = row[2];
    input.add("b", b);
  }
  const Problem problem = make_problem(input).value();
  ParamValues none = {{"order", "TWA"}};
  for (const ParamSpec& spec : find_allocator("minimalloc")->params) {
    if (spec.value == "true") none[spec.key] = "false";
  }
  const std::int64_t without = run_minimalloc(problem, none)->result.iterations;
  for (const char* key : {"canonical-only", "section-inference", "dynamic-ordering", "check-dominance",
                          "static-preordering", "dynamic-decomposition"}) {
    CAPTURE(key);
    ParamValues one = none;
    one[key] = "true";
    CHECK(run_minimalloc(problem, one)->result.iterations < without);
  }
}

TEST_CASE("minimalloc: without a capacity, or asked to, it comes to the lowest plan and proves it") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 9;
    shape.horizon = 10;
    shape.largest = 6;
    shape.alignments = seed % 2 == 0;
    const Problem problem = random_problem(seed, shape);
    const auto run = run_minimalloc(problem, {});
    REQUIRE(run);
    CHECK(run->result.status == RunStatus::kProvedOptimal);
    const std::int64_t lowest = makespan(problem, run->plan);
    CHECK(run->result.lower_bound == lowest);
    const Problem wide = make_problem(with_capacity(problem, lowest + 5)).value();
    const auto asked = run_minimalloc(wide, {{"minimize-capacity", "true"}});
    REQUIRE(asked);
    CHECK(makespan(wide, asked->plan) == lowest);
    if (lowest == 0) continue;
    const Problem tight = make_problem(with_capacity(problem, lowest - 1)).value();
    const auto impossible = run_minimalloc(tight, {});
    REQUIRE(impossible);
    CHECK(impossible->result.status == RunStatus::kProvedInfeasible);
    CHECK_FALSE(impossible->result.infeasible_set.empty());
  }
}

TEST_CASE("minimalloc: every space has its own capacity") {
  ProblemInput input;
  input.spaces = {Space{"device", 0, std::int64_t{8}, {}}, Space{"host", 16, std::int64_t{3}, {}}};
  for (int k = 0; k < 4; ++k) {
    Buffer b;
    b.end = 4;
    b.size = k < 2 ? 4 : 2;
    b.space = k < 2 ? 0 : 1;
    input.add("b", b);
  }
  const auto run = run_minimalloc(make_problem(input).value(), {});
  REQUIRE(run);
  CHECK(run->result.status == RunStatus::kProvedInfeasible);
  CHECK(run->result.infeasible_set == std::vector<BufferIndex>{2, 3});
}

TEST_CASE("minimalloc finds a plan under its benchmarks' capacity") {
  STOWAGE_NEED_SHARED(shared);
  for (const char* name : {"A", "C", "E", "G", "I", "K"}) {
    CAPTURE(name);
    const Problem problem = read_rows(shared / "data/minimalloc" / (std::string(name) + ".1048576.csv"), 1048576);
    const auto run = run_minimalloc(problem, {});
    REQUIRE(run);
    CHECK(check_plan(problem, run->plan).count == 0);
    CHECK(makespan(problem, run->plan) <= 1048576);
  }
}

TEST_CASE("minimalloc: a budget that is too small leaves a greedy plan and says so") {
  STOWAGE_NEED_SHARED(shared);
  const Problem problem = read_rows(shared / "data/minimalloc/A.1048576.csv", 1048576);
  const auto run = run_minimalloc(problem, {{"nodes", "1000"}});
  REQUIRE(run);
  CHECK(run->result.status == RunStatus::kStopped);
  CHECK(makespan(problem, run->plan) > 1048576);
  for (const char* bad : {"0", "-1", "many", ""}) CHECK_FALSE(run_minimalloc(problem, {{"nodes", bad}}));
  for (const char* bad : {"", "WAT,", "X", "WAT,TQ"}) CHECK_FALSE(run_minimalloc(problem, {{"order", bad}}));
}

TEST_CASE("minimalloc: an exhausted search that proves nothing is complete, one that was cut short has stopped") {
  ProblemInput input;
  const auto add = [&](const char* id, std::int64_t start, std::int64_t end, std::int64_t size,
                       std::int64_t alignment) {
    Buffer b;
    b.start = start;
    b.end = end;
    b.size = size;
    b.alignment = alignment;
    input.add(id, b);
  };
  add("a", 0, 2, 3, 1);
  add("b", 1, 3, 4, 1);
  for (const char* id : {"c", "d"}) add(id, 1, 2, 1, 16);  // only one of them can lie at 0
  input.capacity = 12;
  const Problem problem = make_problem(input).value();
  const auto status = [&](const ParamValues& params) {
    const auto run = run_minimalloc(problem, params);
    REQUIRE(run);
    return run->result.status;
  };
  CHECK(status({}) == RunStatus::kProvedInfeasible);
  CHECK(status({{"dynamic-ordering", "false"}}) == RunStatus::kComplete);
  CHECK(status({{"dynamic-ordering", "false"}, {"section-inference", "false"}, {"nodes", "1"}}) == RunStatus::kStopped);
}
