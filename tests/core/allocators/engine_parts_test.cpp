#include "core/search/engine_parts.h"

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/generate_puzzles.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

PlannedRun without(const Problem& problem, std::string_view part) {
  RunContext context;
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
