// Chains of buffers by minimum-cost flow, and the flow itself.

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/min_cost_flow.h"
#include "tests/core/allocators/object_planning.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// The least sum of costs over all ways to chain the buffers, each chain paying for its first and for growth.
std::int64_t cheapest_chains(const Problem& problem, BufferIndex i, std::vector<bool>& given) {
  if (i == problem.size()) return 0;
  std::int64_t least = problem[i].size + cheapest_chains(problem, i + 1, given);
  for (BufferIndex j = 0; j < problem.size(); ++j) {
    if (given[j] || problem[j].end > problem[i].start) continue;
    given[j] = true;
    const std::int64_t growth = std::max<std::int64_t>(0, problem[i].size - problem[j].size);
    least = std::min(least, growth + cheapest_chains(problem, i + 1, given));
    given[j] = false;
  }
  return least;
}

std::int64_t cost_of_chains(const Problem& problem, const Objects& objects) {
  std::map<std::uint32_t, std::int64_t> last;  // size of the last buffer by object
  std::int64_t cost = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto before = last.find(objects.object_of[i]);
    cost += std::max<std::int64_t>(0, problem[i].size - (before == last.end() ? 0 : before->second));
    last[objects.object_of[i]] = problem[i].size;
  }
  return cost;
}

}  // namespace

TEST_CASE("tflite-mincostflow: the chains cost as little as any") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::array<std::int64_t, 3>> buffers;
    std::int64_t start = 0;
    for (int i = 0; i < 7; ++i) {
      start += random.uniform(0, 2);
      buffers.push_back({start, start + random.uniform(1, 4), random.uniform(1, 20)});
    }
    const Problem problem = problem_of(buffers);
    std::vector<bool> given(problem.size(), false);
    const Objects objects = objects_of("tflite-mincostflow", problem);
    CHECK(cost_of_chains(problem, objects) == cheapest_chains(problem, 0, given));
    CHECK(objects_of("tflite-mincostflow", problem, {{"part", "all"}}) == objects);
    CHECK(objects_of("tflite-mincostflow", problem, {{"part", "3"}}).total() >= problem.sections().load());
  }
}

TEST_CASE("tflite-mincostflow: a part that is no number is a usage error") {
  RunContext context;
  for (const char* part : {"0", "-1", "x", "", "1.5"}) {
    const auto run = run_allocator(*find_allocator("tflite-mincostflow"), random_chain(1), {{"part", part}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kUsage);
  }
}

TEST_CASE("minimum-cost flow: of equally cheap paths the one whose edges were added first") {
  MinCostFlow flow(4);
  flow.add(0, 1, 2);
  flow.add(0, 2, 1);
  flow.add(1, 3, 1);
  flow.add(2, 3, 2);
  REQUIRE(flow.augment(0, 3));
  CHECK(flow.edges_of(0)[0].carries());
  CHECK_FALSE(flow.edges_of(0)[1].carries());
  REQUIRE(flow.augment(0, 3));
  CHECK(flow.edges_of(0)[1].carries());
  CHECK_FALSE(flow.augment(0, 3));
}
