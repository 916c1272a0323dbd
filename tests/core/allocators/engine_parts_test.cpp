#include "core/search/engine_parts.h"

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/generate_puzzles.h"
#include "core/model/metrics.h"
#include "tests/support/effort.h"
#include "tests/support/rows_file.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

PlannedRun without(const Problem& problem, std::string_view part, std::uint64_t seed = 0) {
  RunContext context;
  context.seed = seed;
  return run_allocator(*find_allocator("best"), problem, {{"without", std::string(part)}}, context).value();
}

}  // namespace

TEST_CASE("engine: whatever part is left out, the plan is sound and no bound lies above another plan") {
  Random random(3);
  for (const ProblemInput& input : {tiling_family(120, 120, 9'000, random.next()), synthetic_family(1'500, 2)}) {
    const Problem problem = make_problem(input).value();
    const ProblemMetrics facts = measure(problem);
    const std::int64_t whole = measure(problem, facts, without(problem, "nothing").plan).makespan;
    for (const auto& part : kEngineParts) {
      const std::string_view name = part.first;
      CAPTURE(name);
      const PlannedRun run = without(problem, name);
      CHECK(check_plan(problem, run.plan).valid());
      CHECK(measure(problem, facts, run.plan).makespan >= run.result.lower_bound.value());
      CHECK(run.result.lower_bound.value() <= whole);
    }
  }
}

TEST_CASE("engine: without exact search less is proved, and no state is looked at") {
  Random random(8);
  int proofs = 0;
  int greedy_proofs = 0;
  for (int k = 0; k < 4; ++k) {
    const Problem problem = make_problem(tiling_family(150, 100, 4'000, random.next())).value();
    const auto is_proved = [](const PlannedRun& run) {
      return run.result.status == RunStatus::kProvedOptimal ? 1 : 0;
    };
    proofs += is_proved(without(problem, "nothing"));
    const PlannedRun greedy = without(problem, "search");
    greedy_proofs += is_proved(greedy);
    CHECK(greedy.result.iterations == 0);
  }
  CHECK(greedy_proofs < proofs);
}

TEST_CASE("engine: what is much like the best plan is found in fewer states") {
  STOWAGE_NEED_SHARED(shared);
  const Problem problem = read_rows(shared / "data/minimalloc/G.1048576.csv");
  std::int64_t following = 0;
  std::int64_t alone = 0;
  for (int seed = 1; seed <= tried(16); ++seed) {
    const auto states = [&](std::string_view part) {
      const PlannedRun run = without(problem, part, static_cast<std::uint64_t>(seed));
      CHECK(run.result.status == RunStatus::kProvedOptimal);
      return run.result.iterations;
    };
    following += states("nothing");
    alone += states("following");
  }
  CHECK(following > 0);
  if (!kSanitized) CHECK(2 * following < alone);
}
