// What holds for every planner of shared objects, and the results of the originals.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/conflicts.h"
#include "tests/core/allocators/object_planning.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr const char* kObjectPlanners[] = {"tflite-naive",
                                           "tflite-equality",
                                           "tflite-greedy-in-order",
                                           "tflite-greedy-by-breadth",
                                           "tflite-greedy-by-size-objects",
                                           "tflite-greedy-best",
                                           "tflite-mincostflow",
                                           "executorch-greedy",
                                           "inductor-pools",
                                           "llvm-stack-coloring"};

}  // namespace

TEST_CASE("planners of shared objects: the results of the originals") {
  STOWAGE_NEED_SHARED(shared);
  std::vector<std::string> names(std::begin(kObjectPlanners), std::end(kObjectPlanners));
  names.insert(names.end(), {"tflite-equality-multidim", "tflite-greedy-in-order-multidim"});
  std::size_t seen = 0;
  for (const char* file : {"tflite.json", "others.json"}) {
    for (const ConformanceCase& c : conformance_cases(shared / "conformance" / file, names)) {
      CAPTURE(c.name);
      ++seen;
      const std::string id = c.allocator.substr(0, c.allocator.find("-multidim"));
      const PlannedRun run = planned(id, c.problem);
      const auto& expected = c.json["expected"];
      if (expected["objects"].is_object()) {
        CHECK(run.plan.objects->object_of == expected["objects"]["ids"].get<Assignment>());
        if (id == c.allocator) {
          CHECK(run.plan.objects->sizes == expected["objects"]["sizes"].get<std::vector<std::int64_t>>());
        } else {
          CHECK(run.plan.objects->shapes == expected["objects"]["sizes"].get<std::vector<std::vector<std::int64_t>>>());
        }
      }
      if (expected.contains("offset_multiset")) {
        std::vector<std::int64_t> offsets = run.plan.offsets;
        std::sort(offsets.begin(), offsets.end());
        CHECK(offsets == expected["offset_multiset"].get<std::vector<std::int64_t>>());
      }
      if (expected["makespan"].is_number()) CHECK(run.plan.objects->total() == expected["makespan"]);
    }
  }
  CHECK(seen >= 15);
}

TEST_CASE("shared objects: buffers of one object never conflict, except where they lie apart inside it") {
  for (const char* id : kObjectPlanners) {
    CAPTURE(id);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.alignments = seed % 2 == 0;
      shape.spaces = seed % 3 == 0;
      shape.gaps = seed % 4 == 0 && find_allocator(id)->can.gaps;
      const Problem problem = random_problem(seed, shape);
      const Objects objects = objects_of(id, problem);
      for (BufferIndex a = 0; a < problem.size(); ++a) {
        if (!problem[a].takes_memory()) continue;
        REQUIRE(objects.object_of[a] < objects.sizes.size());
        const std::int64_t inner = objects.inner.empty() ? 0 : objects.inner[a];
        CHECK(inner + problem[a].size <= objects.sizes[objects.object_of[a]]);
        for (BufferIndex b = a + 1; b < problem.size() && objects.inner.empty(); ++b) {
          if (objects.object_of[a] == objects.object_of[b]) CHECK_FALSE(conflict(problem, a, b));
        }
      }
    }
  }
}

TEST_CASE("planners that compare bytes give their objects shapes that cover those of all their buffers") {
  ProblemInput input = problem_of({{0, 1, 16}, {1, 2, 16}, {0, 1, 8}}).input();
  const std::vector<std::vector<std::int64_t>> shapes = {{2, 8}, {4, 4}, {8}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    input.details.push_back(Details{});
    input.details.back().shape = shapes[i];
    input.buffers[i].details = i;
  }
  const Problem problem = make_problem(input).value();
  for (const char* id :
       {"tflite-greedy-by-breadth", "tflite-greedy-by-size-objects", "tflite-greedy-best", "tflite-mincostflow"}) {
    CAPTURE(id);
    const Objects objects = objects_of(id, problem);
    CHECK(objects.object_of == Assignment{0, 0, 1});
    CHECK(objects.shapes == std::vector<std::vector<std::int64_t>>{{4, 8}, {8}});
    CHECK(objects_of(id, problem, {{"sizes", "bytes"}}).shapes.empty());
  }
  CHECK(objects_of("tflite-naive", problem).shapes == shapes);
}

TEST_CASE("strict planners take buffers as they are listed, and refuse what then collides") {
  const Problem late_first = problem_of({{4, 6, 8}, {0, 2, 8}});
  // Row 2 releases the objects of rows 0 and 1 and takes one; row 3 then has the other, though row 0 is live with it.
  const Problem collides = problem_of({{0, 2, 8}, {0, 2, 4}, {5, 6, 4}, {1, 3, 8}});
  for (const char* id : {"tflite-equality", "tflite-greedy-in-order", "tflite-mincostflow"}) {
    CAPTURE(id);
    CHECK(objects_of(id, late_first).object_of == Assignment{0, 0});
    CHECK(objects_of(id, late_first, {{"strict", "true"}}).object_of == Assignment{0, 1});
    planned(id, collides);
    RunContext context;
    const auto run = run_allocator(*find_allocator(id), collides, {{"strict", "true"}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kRefused);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Problem sorted = random_chain(seed);
      CHECK(objects_of(id, sorted, {{"strict", "true"}}) == objects_of(id, sorted));
    }
  }
}

TEST_CASE("planners that choose among objects say of each that is in use who is in the way") {
  const Problem problem = problem_of({{0, 4, 10}, {0, 2, 8}, {3, 5, 8}});
  for (const char* id :
       {"tflite-equality", "tflite-greedy-in-order", "tflite-greedy-by-breadth", "tflite-greedy-by-size-objects",
        "tflite-greedy-best", "executorch-greedy", "inductor-pools", "llvm-stack-coloring"}) {
    CAPTURE(id);
    StepLog log;
    RunContext context;
    context.steps = &log;
    // Inductor's only pool would grow for all of them.
    const ParamValues params = std::string(id) == "inductor-pools" ? ParamValues{{"pool", "none"}} : ParamValues{};
    REQUIRE(run_allocator(*find_allocator(id), problem, params, context));
    bool said = false;
    for (const Step& step : log.steps()) {
      const auto* reject = std::get_if<step::Reject>(&step.fact);
      if (reject == nullptr) continue;
      CHECK(conflict(problem, reject->buffer, reject->blocker));
      CHECK(reject->needed == problem[reject->buffer].size);
      said = true;
    }
    CHECK(said);
  }
}

TEST_CASE("shared objects lie one above the other, each aligned for all of its buffers") {
  ProblemInput input = problem_of({{0, 1, 5}, {0, 1, 4}, {1, 2, 4}}).input();
  input.spaces[0].base = 2;
  input.buffers[1].alignment = 4;
  input.buffers[2].alignment = 6;
  const PlannedRun run = planned("tflite-greedy-in-order", make_problem(input).value());
  CHECK(run.plan.objects->object_of == Assignment{0, 1, 1});
  CHECK(run.plan.offsets == std::vector<std::int64_t>{0, 10, 10});  // 2 + 10 is a multiple of 4 and of 6
}

TEST_CASE("shared objects: alignments without a common multiple below 2^63 are refused") {
  ProblemInput input = problem_of({{0, 1, 4}, {1, 2, 4}}).input();
  input.buffers[0].alignment = (std::int64_t{1} << 40) + 1;
  input.buffers[1].alignment = (std::int64_t{1} << 40) - 1;
  const Problem problem = make_problem(input).value();
  for (const char* id : kObjectPlanners) {
    CAPTURE(id);
    RunContext context;
    const auto run = run_allocator(*find_allocator(id), problem, {}, context);
    REQUIRE(run.has_value() == (std::string(id) == "tflite-naive"));
    if (!run) CHECK(run.error().kind == Error::Kind::kRefused);
  }
}
