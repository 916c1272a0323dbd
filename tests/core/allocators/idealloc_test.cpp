#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/model/generate.h"
#include "core/steps/step_player.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

RunResult run(const Problem& problem, const ParamValues& params, StepLog* log = nullptr, std::uint64_t seed = 0) {
  RunContext context;
  context.steps = log;
  context.seed = seed;
  const auto run = run_allocator(*find_allocator("idealloc"), problem, params, context);
  REQUIRE(run);
  RunResult result = run->result;
  result.offsets = run->plan.offsets;
  return result;
}

Problem toy() {
  ProblemInput input;
  const std::int64_t rows[][3] = {{0, 3, 40}, {2, 7, 12}, {5, 9, 25}, {1, 4, 9}, {6, 10, 14},
                                  {3, 8, 30}, {8, 12, 55}, {0, 12, 5}, {9, 11, 17}};
  for (const auto& row : rows) {
    Buffer buffer;
    buffer.start = row[0];
    buffer.end = row[1];
    buffer.size = row[2];
    input.add(fmt::format("{}", input.buffers.size()), buffer);
  }
  return make_problem(input).value();
}

}  // namespace

TEST_CASE("idealloc: the toy") {
  const Problem problem = toy();
  const RunResult result = run(problem, {{"bootstrap", "false"}});
  REQUIRE(result.boxing.size() == 1);
  const BoxingReport& report = result.boxing.front();
  MESSAGE(report.dummy, " ", report.mu, " ", report.levels.size(), " ", report.boxed_makespan);
  for (const BoxingLevel& level : report.levels) MESSAGE(level.height, " ", level.threshold);
  for (const BoxingBucket& bucket : report.buckets) MESSAGE(bucket.job_height, " ", bucket.members.size());
}

TEST_CASE("idealloc: known figures") {
  STOWAGE_NEED_SHARED(shared);
  for (const char* file : {"minimalloc/A.1048576.csv","minimalloc/D.1048576.csv","minimalloc/K.1048576.csv","idealloc/somas_resnet50.csv", "idealloc/G_1.csv", "idealloc/S_1.csv"}) {
    const auto document = open_document((shared / "data" / file).string(), {});
    REQUIRE(document);
    const Problem& problem = *document->problem;
    const RunResult result = run(problem, {});
    const RunResult boxed = run(problem, {{"bootstrap","false"}});
    const BoxingReport& report = boxed.boxing.front();
    const std::int64_t load = measure(problem).load;
    MESSAGE(file, " boot ", result.boxing.empty() ? 0 : result.boxing.front().bootstrap_makespan, " boxed/load ", static_cast<double>(report.boxed_makespan) / static_cast<double>(load), " levels ", report.levels.size(), " last jobs ", report.levels.back().jobs, " r ", report.levels.back().ratio, " hard ", report.hardness.sizes, " ", report.hardness.conflicts, " ", report.hardness.ends, " ", report.hardness.compound, " s ", result.seconds, " boxes ", boxed.boxes.size());
  }
}
