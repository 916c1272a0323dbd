#include <algorithm>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/generate_puzzles.h"
#include "core/model/metrics.h"
#include "tests/core/search/enumerator.h"
#include "tests/core/search/tight_problem.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

PlannedRun run(const Problem& problem, std::string_view id, const ParamValues& params = {}) {
  RunContext context;
  return run_allocator(*find_allocator(id), problem, params, context).value();
}

std::int64_t makespan(const Problem& problem, const PlannedRun& run) {
  return measure(problem, measure(problem), run.plan).makespan;
}

Problem limited(const Problem& problem, std::int64_t capacity) {
  return make_problem(with_capacity(problem, capacity)).value();
}

}  // namespace

TEST_CASE("exact: without a capacity the lowest plan, and one byte less is proved not to fit") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 9;
    shape.horizon = 10;
    shape.largest = 6;
    shape.alignments = seed % 2 == 0;
    shape.spaces = seed % 5 == 0;
    const Problem problem = random_problem(seed, shape);
    const PlannedRun lowest = run(problem, "exact");
    CHECK(check_plan(problem, lowest.plan).valid());
    CHECK(lowest.result.status == RunStatus::kProvedOptimal);
    CHECK(lowest.result.lower_bound == makespan(problem, lowest));
    CHECK(makespan(problem, lowest) == makespan(problem, run(problem, "minimalloc")));
    if (makespan(problem, lowest) == 0) continue;
    const PlannedRun none = run(limited(problem, makespan(problem, lowest) - 1), "exact");
    CHECK(none.result.status == RunStatus::kProvedInfeasible);
    CHECK_FALSE(none.result.infeasible_set.empty());
  }
}

TEST_CASE("exact: agrees with enumeration where lifetimes have gaps") {
  Random random(31);
  int fits = 0;
  int none = 0;
  for (int decisions = 0; decisions < 400;) {
    auto input = tight_problem(random, static_cast<std::size_t>(random.uniform(4, 9)));
    if (!input) continue;
    for (BufferIndex i = 0; i < input->buffers.size(); ++i) {
      Buffer& b = input->buffers[i];
      if (b.lifetime() < 3 || random.uniform(0, 1) == 0) continue;
      Details details;
      details.gaps = {Gap{b.start + 1, random.uniform(b.start + 2, b.end - 1), std::nullopt}};
      b.details = static_cast<std::uint32_t>(input->details.size());
      input->details.push_back(details);
    }
    const Problem problem = make_problem(*input).value();
    const std::int64_t load = problem.sections().load();
    for (std::int64_t capacity = load - 1; capacity < load + 2; ++capacity, ++decisions) {
      const PlannedRun found = run(limited(problem, capacity), "exact");
      const bool found_one = makespan(problem, found) <= capacity;
      CHECK(found_one == Enumerator(problem, capacity).fits());
      if (!found_one) CHECK(found.result.status == RunStatus::kProvedInfeasible);
      (found_one ? fits : none) += 1;
    }
  }
  CHECK(fits > 100);
  CHECK(none > 100);
}

TEST_CASE("exact: says the same as minimalloc about capacities of larger problems, wherever both come to an end") {
  Random random(8);
  int both = 0;
  for (int problems = 0; problems < 60;) {
    const auto input = tight_problem(random, 22);
    if (!input) continue;
    const Problem problem = make_problem(*input).value();
    const Problem tight = limited(problem, problem.sections().load());
    const RunStatus ours = run(tight, "exact").result.status;
    const RunStatus theirs = run(tight, "minimalloc").result.status;
    ++problems;
    if (ours == RunStatus::kStopped || theirs == RunStatus::kStopped) continue;
    CHECK((ours == RunStatus::kProvedInfeasible) == (theirs == RunStatus::kProvedInfeasible));
    ++both;
  }
  CHECK(both > 40);
}

TEST_CASE("exact: every space has its own capacity, and the set that does not fit is of one of them") {
  ProblemInput input;
  input.spaces = {Space{"device", 0, std::int64_t{8}, {}}, Space{"host", 16, std::int64_t{3}, {}}};
  for (int k = 0; k < 4; ++k) {
    Buffer b = buffer(0, 4, k < 2 ? 4 : 2);
    b.space = k < 2 ? 0 : 1;
    input.add("b", b);
  }
  const PlannedRun found = run(make_problem(input).value(), "exact");
  CHECK(found.result.status == RunStatus::kProvedInfeasible);
  CHECK(found.result.infeasible_set == std::vector<BufferIndex>{2, 3});
}

TEST_CASE("exact: a capacity ends the search, unless the lowest plan is asked for") {
  Random random(9);
  const Problem problem = make_problem(tiling_family(200, 100, 4000, random.next())).value();
  const std::int64_t load = problem.sections().load();
  const PlannedRun wide = run(limited(problem, 2 * load), "exact");
  CHECK(wide.result.status == RunStatus::kComplete);
  CHECK(makespan(problem, wide) > load);
  const PlannedRun lowest = run(limited(problem, 2 * load), "exact", {{"minimize", "true"}});
  CHECK(lowest.result.status == RunStatus::kProvedOptimal);
  CHECK(makespan(problem, lowest) == load);
}

TEST_CASE("exact: nodes that do not suffice are said, wrong ones refused") {
  Random random(10);
  const Problem problem = make_problem(tiling_family(200, 100, 4000, random.next())).value();
  CHECK(run(problem, "exact", {{"nodes", "20"}}).result.status == RunStatus::kStopped);
  RunContext context;
  for (const char* bad : {"0", "-1", "many", ""}) {
    CHECK_FALSE(run_allocator(*find_allocator("exact"), problem, {{"nodes", bad}}, context));
  }
}

TEST_CASE("exact: finds plans under the capacity of minimalloc's benchmarks") {
  STOWAGE_NEED_SHARED(shared);
  for (const char* name : {"A", "C", "D", "E", "G", "I", "K"}) {
    CAPTURE(name);
    const auto path = shared / "data/minimalloc" / (std::string(name) + ".1048576.csv");
    const Problem problem = limited(*open_document(path.string(), {})->problem, 1048576);
    const PlannedRun found = run(problem, "exact");
    CHECK(check_plan(problem, found.plan).valid());
    CHECK(found.result.status != RunStatus::kStopped);
  }
}
