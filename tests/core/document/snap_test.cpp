#include "core/document/snap.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using stowage::testing::buffer;

TEST_CASE("a time rests on a neighbour's edge within reach, else on the nearest step") {
  const std::array<std::int64_t, 3> edges = {-7, 40, 100};
  CHECK(snap_time(38.2, 3, edges) == Snapped{40, 40});
  CHECK(snap_time(36.8, 3, edges) == Snapped{37, std::nullopt});
  CHECK(snap_time(38.2, 0, edges) == Snapped{38, std::nullopt});
  CHECK(snap_time(-6.6, 0.5, edges) == Snapped{-7, -7});
  CHECK(snap_time(70, 1000, edges) == Snapped{40, 40});  // the first of two that are equally near
}

TEST_CASE("an offset rests with its lower or its upper end on an edge, and never below 0") {
  const Grid any;
  const std::array<std::int64_t, 2> edges = {1000, 1500};
  CHECK(snap_offset(1010, 200, any, 20, edges) == Snapped{1000, 1000});
  CHECK(snap_offset(1310, 200, any, 20, edges) == Snapped{1300, 1500});
  CHECK(snap_offset(1200, 200, any, 20, edges) == Snapped{1200, std::nullopt});
  CHECK(snap_offset(-400, 200, any, 20, edges) == Snapped{0, std::nullopt});
  CHECK(snap_offset(12, 200, any, 20, edges) == Snapped{0, 0});
  CHECK(snap_offset(1010, 200, any, 0, edges) == Snapped{1010, std::nullopt});
}

TEST_CASE("an offset keeps to the grid while it snaps, and only then") {
  const Grid grid{64, 0};
  const std::array<std::int64_t, 1> edges = {1000};
  CHECK(snap_offset(1001, 100, grid, 30, edges) == Snapped{1024, 1000});
  CHECK(snap_offset(905, 100, grid, 30, edges) == Snapped{896, 1000});
  CHECK(snap_offset(335, 100, grid, 8, edges) == Snapped{320, std::nullopt});
  CHECK(snap_offset(360, 100, grid, 8, edges) == Snapped{384, std::nullopt});
  CHECK(snap_offset(335, 100, grid, 0, edges) == Snapped{335, std::nullopt});
  CHECK(snap_offset(70, 100, Grid{64, 48}, 8, {}) == Snapped{48, std::nullopt});
  CHECK(snap_offset(2, 100, Grid{64, 48}, 8, {}) == Snapped{48, std::nullopt});
}

TEST_CASE("a size is a round number of bytes") {
  CHECK(snap_size(1000, 300) == 1024);
  CHECK(snap_size(10, 300) == 256);
  CHECK(snap_size(10.4, 1) == 10);
  CHECK(snap_size(-5, 1) == 1);
}

TEST_CASE("collisions at an offset are those that the checker finds") {
  Random random(20260701);
  INFO("seed 20260701");
  testing::RandomShape shape;
  shape.buffers = 12;
  shape.edges = shape.colocations = shape.spaces = shape.empty_ones = true;
  for (int round = 0; round < 60; ++round) {
    const Problem problem = testing::random_problem(random.next(), shape);
    Plan plan;
    for (BufferIndex i = 0; i < problem.size(); ++i) plan.offsets.push_back(random.uniform(0, 60));
    std::set<std::pair<BufferIndex, BufferIndex>> reported;
    for (const Issue& issue : check_plan(problem, plan).issues) {
      if (issue.kind == IssueKind::kCollision) reported.insert(std::minmax(issue.first, issue.second));
    }
    std::set<std::pair<BufferIndex, BufferIndex>> found;
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      for (const BufferIndex j : collisions_at(problem, plan.offsets, i, plan.offsets[i], conflicts_of(problem, i))) {
        found.insert(std::minmax(i, j));
      }
    }
    INFO("round ", round);
    CHECK(found == reported);
  }
}

TEST_CASE("what moves along does not collide, and what is not placed does not either") {
  ProblemInput input;
  for (int k = 0; k < 3; ++k) input.add("b", buffer(0, 4, 10));
  const Problem problem = make_problem(std::move(input)).value();
  const std::vector<std::int64_t> offsets = {0, 5, kNoOffset};
  const std::vector<BufferIndex> others = {1, 2};
  const std::vector<BufferIndex> along = {1};
  CHECK(collisions_at(problem, offsets, 0, 0, others) == std::vector<BufferIndex>{1});
  CHECK(collisions_at(problem, offsets, 0, 0, others, along).empty());
  CHECK(collisions_at(problem, offsets, 0, 15, others).empty());
}

TEST_CASE("the lowest free offset collides with nobody, and no lower one is free") {
  Random random(4711);
  INFO("seed 4711");
  testing::RandomShape shape;
  shape.alignments = shape.edges = true;
  for (int round = 0; round < 60; ++round) {
    const Problem problem = testing::random_problem(random.next(), shape);
    if (problem.size() == 0) continue;
    std::vector<std::int64_t> offsets;
    for (BufferIndex i = 0; i < problem.size(); ++i) offsets.push_back(random.uniform(0, 60));
    const std::vector<BufferIndex> others = conflicts_of(problem, 0);
    const std::int64_t at = lowest_free_offset(problem, offsets, 0, others);
    const Grid grid = problem.grid(0);
    INFO("round ", round);
    CHECK(collisions_at(problem, offsets, 0, at, others).empty());
    CHECK(grid.holds(at));
    for (std::int64_t lower = 0; lower < at; ++lower) {
      if (grid.holds(lower)) CHECK_FALSE(collisions_at(problem, offsets, 0, lower, others).empty());
    }
  }
}
