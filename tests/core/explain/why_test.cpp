#include "core/explain/why.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "tests/support/buffer.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Rows = std::vector<BufferIndex>;

bool collides(const Problem& problem, Plan plan, BufferIndex i, std::int64_t offset) {
  plan.offsets[i] = offset;
  const CheckReport report = check_plan(problem, plan);
  return std::any_of(report.issues.begin(), report.issues.end(), [&](const Issue& issue) {
    return issue.kind == IssueKind::kCollision && (issue.first == i || issue.second == i);
  });
}

}  // namespace

TEST_CASE("why: supports, blocks, holes and conflicts of a small plan") {
  ProblemInput input;
  input.add("base", buffer(0, 4, 10));
  input.add("middle", buffer(0, 9, 5));
  input.add("top", buffer(2, 9, 5));
  input.add("apart", buffer(20, 22, 5));
  const Problem problem = make_problem(input).value();
  Plan plan;
  plan.offsets = {0, 10, 30, 0};
  const auto here = why(problem, plan, 1);
  REQUIRE(here);
  CHECK(here->supports == Rows{0});
  CHECK(here->blocks == Rows{2});
  CHECK(here->lowest == 10);
  CHECK(here->conflicts == std::vector<Neighbour>{{0, Neighbour::Side::kBelow, 0}, {2, Neighbour::Side::kAbove, 15}});
  CHECK(here->holes == std::vector<Hole>{{35, std::nullopt}});

  const auto top = why(problem, plan, 2);
  REQUIRE(top);
  CHECK(top->supports.empty());
  CHECK(top->lowest == 15);
  CHECK(top->blocks.empty());
  CHECK(top->holes.empty());

  const auto floor = why(problem, plan, 3);
  REQUIRE(floor);
  CHECK(floor->supports.empty());
  CHECK(floor->lowest == 0);
  CHECK(floor->conflicts.empty());
}

TEST_CASE("why: a pinned buffer has no holes, an unplaced one is an error") {
  ProblemInput input;
  Buffer pin = buffer(0, 4, 10);
  pin.fixed = 8;
  input.add("pin", pin);
  const Problem problem = make_problem(input).value();
  Plan plan;
  plan.offsets = {8};
  const auto here = why(problem, plan, 0);
  REQUIRE(here);
  CHECK(here->fixed);
  CHECK(here->holes.empty());
  plan.offsets = {kNoOffset};
  CHECK_FALSE(why(problem, plan, 0));
}

TEST_CASE("why: an offset is in a hole, or around the present one, exactly when nothing collides there") {
  for (std::uint64_t seed = 1; seed <= tried(40); ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 12;
    shape.largest = 12;
    shape.alignments = seed % 2 == 0;
    shape.gaps = seed % 3 == 0;
    shape.spaces = seed % 5 == 0;
    const Problem problem = random_problem(seed, shape);
    RunContext context;
    const auto run = run_allocator(*find_allocator("first-fit-start"), problem, {}, context);
    REQUIRE(run);
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      const auto here = why(problem, run->plan, i);
      REQUIRE(here);
      CHECK(here->lowest <= here->offset);
      CHECK_FALSE(collides(problem, run->plan, i, here->lowest));
      for (std::int64_t at = problem.grid(i).up(0); at < 150; at += problem.grid(i).step) {
        CAPTURE(at);
        const bool in_hole = std::any_of(here->holes.begin(), here->holes.end(), [&](const Hole& hole) {
          return hole.low <= at && (!hole.high || at <= *hole.high);
        });
        const bool free = !collides(problem, run->plan, i, at);
        if (in_hole) CHECK(free);
        if (!free) CHECK_FALSE(in_hole);
        // Free offsets outside all holes are reached from the present one without meeting anything.
        if (!free || in_hole) continue;
        for (std::int64_t between = std::min(at, here->offset); between <= std::max(at, here->offset); ++between) {
          if (problem.grid(i).holds(between)) CHECK_FALSE(collides(problem, run->plan, i, between));
        }
      }
    }
  }
}
