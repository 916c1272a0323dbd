#include "ui/judging_moved.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "core/model/conflicts.h"
#include "tests/support/random_problem.h"
#include "ui/neighbours.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct NamedShape {
  const char* name;
  RandomShape shape;
};

std::vector<NamedShape> shapes() {
  std::vector<NamedShape> all(8);
  all[0].name = "plain";
  all[1].name = "alignments, fixed offsets, gaps";
  all[1].shape.alignments = all[1].shape.fixed = all[1].shape.gaps = true;
  all[2].name = "spaces and empty ones";
  all[2].shape.spaces = all[2].shape.empty_ones = true;
  all[3].name = "edges";
  all[3].shape.edges = true;
  all[4].name = "ties";
  all[4].shape.colocations = all[4].shape.groups = true;
  all[5].name = "candidates";
  all[5].shape.spaces = all[5].shape.candidates = true;
  all[6].name = "slices";
  all[6].shape.slices = true;
  all[7].name = "clocks";
  all[7].shape.clocks = true;
  return all;
}

std::vector<Issue> sorted(std::vector<Issue> issues) {
  const auto key = [](const Issue& i) {
    return std::tuple(i.kind, i.first, i.second, i.time_low, i.time_high, i.byte_low, i.byte_high);
  };
  std::sort(issues.begin(), issues.end(), [&](const Issue& a, const Issue& b) { return key(a) < key(b); });
  return issues;
}

/// Anywhere low, so that much collides, and now and then nowhere.
std::int64_t any_offset(Random& random) {
  return random.uniform(0, 15) == 0 ? kNoOffset : random.uniform(0, 200);
}

void check_same(const PlanFacts& local, const PlanFacts& whole) {
  CHECK(local.report.count == whole.report.count);
  CHECK(sorted(local.report.issues) == sorted(whole.report.issues));
  CHECK(local.metrics.makespan == whole.metrics.makespan);
  CHECK(local.metrics.fits == whole.metrics.fits);
  CHECK(local.metrics.optimal == whole.metrics.optimal);
  REQUIRE(local.spaces.size() == whole.spaces.size());
  for (std::size_t k = 0; k < whole.spaces.size(); ++k) CHECK(local.spaces[k].makespan == whole.spaces[k].makespan);
}

std::vector<Edit> any_edits(Random& random, const Problem& problem) {
  const auto i = static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(problem.size()) - 1));
  const Buffer& b = problem[i];
  switch (random.uniform(0, 5)) {
    case 0:
      return {edit::Lifetime{i, b.start - random.uniform(0, 5), b.end + random.uniform(0, 5)}};
    case 1:
      return {edit::Size{i, random.uniform(1, 60)}};
    case 2:
      return {edit::Remove{{i}}};
    case 3: {
      edit::Add add;
      add.name = "new";
      add.buffer = Buffer{};
      add.buffer.start = random.uniform(0, 10);
      add.buffer.end = add.buffer.start + random.uniform(1, 30);
      add.buffer.size = random.uniform(1, 40);
      return {std::move(add), edit::Size{i, random.uniform(1, 60)}};
    }
    case 4:
      return {edit::InSpace{i, "elsewhere"}};
    default:
      return {edit::Name{i, "another name"}};
  }
}

}  // namespace

TEST_CASE("moved by hand: judging what has moved gives what judging the whole plan gives") {
  for (const NamedShape& one : shapes()) {
    CAPTURE(one.name);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      const Problem problem = random_problem(seed, one.shape);
      Random random(seed);
      const Analysis analysis = *analyse(problem, {});
      Plan plan;
      for (BufferIndex i = 0; i < problem.size(); ++i) plan.offsets.push_back(any_offset(random));
      if (seed % 2 == 0) plan.claimed_makespan = 7;
      PlanFacts facts = judge(problem, analysis, plan);
      for (int round = 0; round < 6; ++round) {
        Plan next = plan;
        next.claimed_makespan.reset();
        std::vector<BufferIndex> moved;
        for (std::int64_t k = random.uniform(1, 3); k > 0; --k) {
          moved.push_back(static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(problem.size()) - 1)));
          next.offsets[moved.back()] = any_offset(random);
        }
        const PlanFacts whole = judge(problem, analysis, next);
        PlanFacts local = judge_moved(problem, analysis, plan, facts, next, moved);
        check_same(local, whole);
        plan = std::move(next);
        facts = std::move(local);
      }
    }
  }
}

TEST_CASE("moved by hand: of more issues than are listed the count stays exact") {
  ProblemInput input;
  for (int k = 0; k < 200; ++k) {
    Buffer b;
    b.start = 0;
    b.end = 10;
    b.size = 64;
    input.add("b" + std::to_string(k), b);
  }
  const Problem problem = make_problem(std::move(input)).value();
  const Analysis analysis = *analyse(problem, {});
  Plan plan;
  plan.offsets.assign(200, 0);
  PlanFacts facts = judge(problem, analysis, plan);
  REQUIRE(facts.report.count == 200U * 199U / 2U);
  for (const BufferIndex i : {BufferIndex{3}, BufferIndex{4}}) {
    Plan next = plan;
    next.offsets[i] = 1000 + 64 * std::int64_t{i};
    facts = judge_moved(problem, analysis, plan, facts, next, std::vector{i});
    plan = std::move(next);
    CHECK(facts.report.count == judge(problem, analysis, plan).report.count);
    CHECK(facts.report.issues.size() <= CheckReport::kListed);
  }
}

TEST_CASE("neighbours found by the index of time are those found by asking everyone") {
  for (const NamedShape& one : shapes()) {
    CAPTURE(one.name);
    const Problem problem = random_problem(5, one.shape);
    const Analysis analysis = *analyse(problem, {});
    const std::vector<std::int64_t> offsets(problem.size(), 3);
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      const std::vector<BufferIndex> conflicts = conflicts_of(problem, i);
      CHECK(conflicts_near(problem, analysis, i) == conflicts);
      const std::vector<BufferIndex> there = lying_there(problem, analysis, offsets, i, 3);
      CHECK(std::includes(there.begin(), there.end(), conflicts.begin(), conflicts.end()));
    }
  }
}

TEST_CASE("after an edit the load curves, changed where the edit was, are those of the new problem") {
  for (const NamedShape& one : shapes()) {
    CAPTURE(one.name);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      Problem problem = random_problem(seed, one.shape);
      Random random(seed);
      Analysis analysis = *analyse(problem, {});
      for (int round = 0; round < 6 && problem.size() > 0; ++round) {
        auto edited = apply_edits(problem, any_edits(random, problem));
        if (!edited) continue;
        Analysis after = *analyse_edited(problem, analysis, edited->problem, edited->becomes, {});
        REQUIRE(after.curves.size() == edited->problem.spaces().size());
        for (std::size_t space = 0; space < after.curves.size(); ++space) {
          CHECK(*after.curves[space] == load_curve(edited->problem, static_cast<std::uint16_t>(space)));
        }
        problem = std::move(edited->problem);
        analysis = std::move(after);
      }
    }
  }
}
