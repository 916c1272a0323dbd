// Edges, clocks and ties: what conflicts, what the load is, what the checker finds.

#include <set>
#include <utility>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/lifetime.h"
#include "core/model/load.h"
#include "core/model/load_curve.h"
#include "core/model/metrics.h"
#include "core/model/objects.h"
#include "tests/support/buffer.h"
#include "tests/support/plan_with.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

ProblemInput three() {
  ProblemInput input;
  input.add("a", buffer(0, 4, 8));
  input.add("b", buffer(2, 6, 16));
  input.add("c", buffer(6, 9, 4));
  return input;
}

std::vector<Fault> faults_of(const ProblemInput& input) {
  const auto made = make_problem(input);
  return made ? std::vector<Fault>() : made.error();
}

/// Straight from the definitions, without sections or lists.
bool slow_conflict(const Problem& problem, BufferIndex a, BufferIndex b) {
  if (a == b || problem[a].space != problem[b].space) return false;
  if (!problem[a].takes_memory() || !problem[b].takes_memory()) return false;
  if (problem.bodies().together(a, b)) return false;
  for (const ConflictEdge& edge : problem.constraints().conflicts) {
    if ((edge.a == a && edge.b == b) || (edge.a == b && edge.b == a)) return true;
  }
  if (problem.constraints().conflicts_only) return false;
  if (const Clock* x = problem.clock(a)) {
    const Clock* y = problem.clock(b);
    bool x_first = true;
    bool y_first = true;
    for (std::size_t k = 0; k < x->start.size(); ++k) {
      x_first = x_first && x->end[k] <= y->start[k];
      y_first = y_first && y->end[k] <= x->start[k];
    }
    return !x_first && !y_first;
  }
  for (const Piece& p : pieces_of(problem[a], problem.gaps(a))) {
    for (const Piece& q : pieces_of(problem[b], problem.gaps(b))) {
      if (p.start < q.end && q.start < p.end) return true;
    }
  }
  return false;
}

RandomShape shape_of(std::uint64_t seed) {
  RandomShape shape;
  shape.edges = seed % 3 == 0;
  shape.only_edges = seed % 3 == 1;
  shape.clocks = seed % 3 == 2;
  shape.gaps = seed % 6 == 0;
  shape.colocations = seed % 2 == 0;
  shape.groups = seed % 5 < 2;
  shape.spaces = seed % 7 == 0;
  shape.empty_ones = seed % 11 == 0;
  return shape;
}

}  // namespace

TEST_CASE("conflicts with edges, clocks and ties are those of the definition") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, shape_of(seed));
    const std::vector<std::int64_t> counts = conflict_counts(problem);
    const auto overlaps = all_overlaps(problem);
    std::vector<std::int64_t> slow(problem.size(), 0);
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (BufferIndex b = 0; b < problem.size(); ++b) {
        const bool expected = slow_conflict(problem, a, b);
        if (a != b) CHECK(conflict(problem, a, b) == expected);
        slow[a] += expected ? 1 : 0;
      }
      CHECK(overlaps[a].size() == static_cast<std::size_t>(slow[a]));
    }
    CHECK(counts == slow);
  }
}

TEST_CASE("the checker finds a collision exactly where a conflicting pair shares bytes") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, shape_of(seed));
    Random random(seed + 1000);
    Plan plan;
    for (BufferIndex i = 0; i < problem.size(); ++i) plan.offsets.push_back(random.uniform(0, 200));
    std::set<std::pair<BufferIndex, BufferIndex>> found;
    for (const Issue& issue : check_plan(problem, plan).issues) {
      if (issue.kind == IssueKind::kCollision) found.insert({issue.first, issue.second});
    }
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (BufferIndex b = a + 1; b < problem.size(); ++b) {
        const bool share =
            plan.offsets[a] < plan.offsets[b] + problem[b].size && plan.offsets[b] < plan.offsets[a] + problem[a].size;
        if (!problem.gaps(a).empty() || !problem.gaps(b).empty()) continue;  // windows: the gap tests have them
        CHECK(found.contains({a, b}) == (share && slow_conflict(problem, a, b)));
      }
    }
  }
}

TEST_CASE("an edge makes two buffers conflict that never live together") {
  ProblemInput input = three();
  input.constraints.conflicts = {{2, 0}};
  const Problem problem = make_problem(input).value();
  CHECK(conflict(problem, 0, 2));
  CHECK_FALSE(conflict(problem, 1, 2));
  const CheckReport report = check_plan(problem, plan_with({0, 8, 4}));
  REQUIRE(report.count == 1);
  CHECK(report.issues[0].kind == IssueKind::kCollision);
  CHECK(check_plan(problem, plan_with({0, 8, 8})).valid());
}

TEST_CASE("a conflict graph knows no lifetimes: its load is a clique") {
  ProblemInput input = three();
  input.constraints.conflicts_only = true;
  input.constraints.conflicts = {{0, 2}};
  const Problem problem = make_problem(input).value();
  CHECK_FALSE(conflict(problem, 0, 1));
  CHECK(measure(problem).load == 16);
  CHECK(check_plan(problem, plan_with({0, 0, 8})).valid());
}

TEST_CASE("what takes no memory is in no clique, and a sliced buffer with gaps bounds nothing") {
  ProblemInput graph = three();
  graph.buffers[2].end = graph.buffers[2].start;
  graph.constraints.conflicts_only = true;
  graph.constraints.conflicts = {{1, 2}};
  CHECK(load(make_problem(graph).value(), 0) == 16);

  ProblemInput sliced;
  Details details;
  details.slices = {{4, 0}, {4, 0}};
  details.gaps = {{2, 6, {}}};
  sliced.add("sliced", buffer(0, 8, 8), details);
  sliced.add("inside", buffer(3, 5, 8));
  const Problem problem = make_problem(sliced).value();
  CHECK(check_plan(problem, plan_with({0, 0})).valid());
  CHECK(measure(problem).lower_bound == 8);
}

TEST_CASE("clocks: only who is over in every component may make room") {
  ProblemInput input;
  const auto add = [&](const char* id, std::vector<std::int64_t> start, std::vector<std::int64_t> end) {
    Details details;
    details.clock = Clock{std::move(start), std::move(end)};
    input.add(id, buffer(0, 1, 10), details);
  };
  add("first", {0, 0}, {2, 1});
  add("second", {2, 1}, {4, 4});
  add("beside", {2, 0}, {4, 1});
  const Problem problem = make_problem(input).value();
  CHECK_FALSE(conflict(problem, 0, 1));
  CHECK(conflict(problem, 0, 2));
  CHECK_FALSE(conflict(problem, 1, 2) == slow_conflict(problem, 0, 1));
  CHECK(measure(problem).load == 20);
}

TEST_CASE("clocks: the load is the heaviest set of buffers in pairwise conflict") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 11;
    shape.clocks = true;
    const Problem problem = random_problem(seed, shape);
    std::int64_t heaviest = 0;
    for (std::uint32_t set = 0; set < 1U << problem.size(); ++set) {
      std::int64_t weight = 0;
      bool clique = true;
      for (BufferIndex a = 0; a < problem.size() && clique; ++a) {
        if ((set >> a & 1U) == 0) continue;
        weight += problem[a].size;
        for (BufferIndex b = 0; b < a && clique; ++b) clique = (set >> b & 1U) == 0 || conflict(problem, a, b);
      }
      if (clique) heaviest = std::max(heaviest, weight);
    }
    CHECK(load(problem, 0) == heaviest);
  }
}

TEST_CASE("tied buffers: what they share counts once in the load, and moving one of them is an issue") {
  ProblemInput input = three();
  input.constraints.aliases = {{0, 1, 4}};  // a lies inside b
  const Problem problem = make_problem(input).value();
  CHECK(measure(problem).load == 16);
  CHECK(load_at(load_curve(problem), 3) == 16);
  CHECK(check_plan(problem, plan_with({4, 0, 0})).valid());
  const CheckReport moved = check_plan(problem, plan_with({0, 0, 0}));
  REQUIRE(moved.count == 1);
  CHECK(moved.issues[0].kind == IssueKind::kMoved);
  CHECK(describe(moved.issues[0], problem) == "b at offset 0 does not lie where it is tied to a");
}

TEST_CASE("groups: members lie one above the other, at their alignments, after the pad") {
  ProblemInput input;
  input.add("x", buffer(0, 2, 5));
  input.add("y", buffer(1, 3, 8, 8));
  input.add("z", buffer(4, 5, 1));
  input.constraints.groups = {{{0, 1, 2}, 2}};
  const Problem problem = make_problem(input).value();
  REQUIRE(problem.bodies().count() == 1);
  CHECK(problem.bodies().relative(0) == 0);
  CHECK(problem.bodies().relative(1) == 8);
  CHECK(problem.bodies().relative(2) == 18);
  CHECK(problem.bodies()[0].grid.step == 8);
  CHECK(check_plan(problem, plan_with({8, 16, 26})).valid());
  CHECK_FALSE(check_plan(problem, plan_with({8, 16, 25})).valid());
}

TEST_CASE("ties that contradict each other are faults, all of them named") {
  ProblemInput input = three();
  input.constraints.colocations = {{0, 1}};
  input.constraints.groups = {{{0, 1}, 0}};
  CHECK(faults_of(input).size() == 1);
  CHECK(faults_of(input)[0].field == "groups");

  input = three();
  input.constraints.aliases = {{1, 0, 0}};  // 16 bytes inside 8
  CHECK(faults_of(input)[0].field == "aliases");

  input = three();
  input.constraints.colocations = {{0, 1}};
  input.buffers[0].fixed = 8;
  input.buffers[1].fixed = 16;
  CHECK(faults_of(input)[0].field == "fixed");

  input = three();
  input.constraints.aliases = {{0, 1, 1}};
  input.buffers[0].alignment = 2;
  input.buffers[1].alignment = 4;
  CHECK(faults_of(input)[0].field == "alignment");

  input = three();
  input.constraints.conflicts = {{0, 9}};
  input.constraints.groups = {{{0, 9}, -1}};
  CHECK(faults_of(input).size() == 3);
}

TEST_CASE("slices occupy memory from their own times on") {
  ProblemInput input;
  Details details;
  details.slices = {{2, 0}, {2, 5}};
  input.add("sliced", buffer(0, 9, 4), details);
  input.add("early", buffer(0, 5, 2));
  const Problem problem = make_problem(input).value();
  Plan plan = plan_with({0, 2});
  CHECK_FALSE(check_plan(problem, plan).valid());
  plan.slices[0] = {0, 5};
  CHECK(check_plan(problem, plan).valid());
  plan.slices[0] = {5, 0};
  CHECK_FALSE(check_plan(problem, plan).valid());
}

TEST_CASE("a plan may choose among the candidate spaces, each with its own limit") {
  ProblemInput input;
  input.spaces = {Space{"fast", 0, 10, {}}, Space{"slow", 0, {}, {}}};
  for (int k = 0; k < 2; ++k) {
    Details details;
    details.candidates = {0, 1};
    input.add("b", buffer(0, 4, 8), details);
  }
  const Problem problem = make_problem(input).value();
  Plan plan = plan_with({0, 0});
  CHECK(check_plan(problem, plan).count == 1);
  plan.spaces = {0, 1};
  CHECK(check_plan(problem, plan).valid());
  const ProblemMetrics facts = measure(problem);
  CHECK(facts.lower_bound == 0);
  CHECK(measure(problem, facts, plan).makespan == 8);
  CHECK(makespan_of_space(problem, plan, 1) == 8);
}

TEST_CASE("objects become offsets one above the other, each aligned for its buffers") {
  ProblemInput input = three();
  input.buffers[1].alignment = 16;
  const Problem problem = make_problem(input).value();
  Objects objects;
  objects.sizes = {8, 16};
  objects.object_of = {0, 1, 0};
  CHECK(object_offsets(objects) == std::vector<std::int64_t>{0, 8});
  CHECK(objects_to_offsets(problem, objects) == std::vector<std::int64_t>{0, 16, 0});
  CHECK(objects.total() == 24);
}
