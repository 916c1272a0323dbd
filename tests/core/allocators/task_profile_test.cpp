// What is live at each task, and what that says about any plan of shared objects.

#include "core/allocators/task_profile.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/metrics.h"
#include "tests/core/allocators/object_planning.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("positional maximums and task profiles: the results of the original") {
  STOWAGE_NEED_SHARED(shared);
  const auto cases = conformance_cases(shared / "conformance" / "tflite.json", {"tflite-positional-maximums"});
  CHECK_FALSE(cases.empty());
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    const auto& expected = c.json["expected"];
    CHECK(positional_maximums(c.problem) == expected["positional_maximums"].get<std::vector<std::int64_t>>());
    std::vector<std::vector<BufferIndex>> by_task;
    for (const TaskProfile& profile : task_profiles(c.problem)) {
      for (std::int64_t task = profile.start; task < profile.end; ++task) by_task.push_back(profile.buffers);
    }
    CHECK(by_task == expected["profiles"].get<std::vector<std::vector<BufferIndex>>>());
  }
}

TEST_CASE("task profiles list what is live, largest first, and their maximums bound every plan of shared objects") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.spaces = seed % 2 == 0;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      std::vector<std::int64_t> maximums;
      for (const TaskProfile& profile : task_profiles(problem, space)) {
        REQUIRE(profile.start < profile.end);
        CHECK(profile.buffers.size() == live_at(problem, profile.start, space).size());
        CHECK(live_at(problem, profile.start, space) == live_at(problem, profile.end - 1, space));
        maximums.resize(std::max(maximums.size(), profile.buffers.size()), 0);
        for (std::size_t k = 0; k < profile.buffers.size(); ++k) {
          if (k > 0) CHECK(problem[profile.buffers[k - 1]].size >= problem[profile.buffers[k]].size);
          maximums[k] = std::max(maximums[k], problem[profile.buffers[k]].size);
        }
      }
      CHECK(positional_maximums(problem, space) == maximums);
    }
    std::int64_t bound = 0;
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      for (const std::int64_t maximum : positional_maximums(problem, space)) bound += maximum;
    }
    for (const char* id : {"tflite-greedy-in-order", "tflite-greedy-best", "tflite-mincostflow", "tflite-equality"}) {
      CHECK(objects_of(id, problem).total() >= bound);
    }
  }
}
