#include "core/model/check.h"

#include <doctest/doctest.h>

#include "core/model/problem_check.h"
#include "tests/support/buffer.h"
#include "tests/support/conformance.h"
#include "tests/support/plan_with.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"
#include "tests/support/slow_check.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

std::vector<SlowCollision> collisions(const CheckReport& report) {
  std::vector<SlowCollision> found;
  for (const Issue& i : report.issues) {
    if (i.kind != IssueKind::kCollision) continue;
    found.push_back({i.first, i.second, i.time_low, i.time_high, i.byte_low, i.byte_high});
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The peer's verdict on a solution, in its order of checks, from our issues.
std::string verdict(const ConformanceCase& c) {
  Plan plan;
  for (const auto& offset : c.json["params"]["solution"]) plan.offsets.push_back(offset);
  if (plan.offsets.size() != c.problem.size()) return "bad-solution";
  if (c.json["params"].contains("height")) plan.claimed_makespan = c.json["params"]["height"].get<std::int64_t>();
  const CheckReport report = check_plan(c.problem, plan);
  const auto has = [&](IssueKind kind) {
    return std::any_of(report.issues.begin(), report.issues.end(), [&](const Issue& i) { return i.kind == kind; });
  };
  if (has(IssueKind::kMoved)) return "bad-fixed";
  if (has(IssueKind::kNegativeOffset) || has(IssueKind::kOverCapacity)) return "bad-offset";
  if (has(IssueKind::kMisaligned)) return "bad-alignment";
  if (has(IssueKind::kWrongMakespan)) return "bad-height";
  if (has(IssueKind::kCollision)) return "bad-overlap";
  return report.valid() ? "good" : "other";
}

}  // namespace

TEST_CASE("the checker comes to minimalloc's verdicts") {
  STOWAGE_NEED_SHARED(shared);
  const auto cases = conformance_cases(shared / "conformance/others.json", {"validator"});
  REQUIRE(cases.size() >= 9);
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    CHECK(verdict(c) == c.json["expected"]["status"].get<std::string>());
  }
}

TEST_CASE("a collision names both buffers, the time range and the byte range") {
  ProblemInput input;
  input.add("acc", buffer(0, 9, 384));
  input.add("cast", buffer(3, 6, 256));
  const Problem problem = make_problem(input).value();
  const CheckReport report = check_plan(problem, plan_with({0, 128}));
  REQUIRE(report.count == 1);
  CHECK(describe(report.issues[0], problem) == "acc and cast collide in time [3, 6) at bytes [128, 384)");
}

TEST_CASE("touching in time or in address is no collision") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 10));
  input.add("b", buffer(4, 8, 10));
  input.add("c", buffer(0, 8, 10));
  const Problem problem = make_problem(input).value();
  CHECK(check_plan(problem, plan_with({0, 0, 10})).valid());
}

TEST_CASE("every rule about one buffer is reported with its kind") {
  ProblemInput input;
  input.capacity = 100;
  Buffer aligned = buffer(0, 1, 8);
  aligned.alignment = 8;
  Buffer fixed = buffer(2, 3, 8);
  fixed.fixed = 16;
  input.add("aligned", aligned);
  input.add("fixed", fixed);
  input.add("high", buffer(4, 5, 8));
  input.add("low", buffer(6, 7, 8));
  input.add("far", buffer(8, 9, 8));
  input.add("lost", buffer(10, 11, 8));
  const Problem problem = make_problem(input).value();
  Plan plan = plan_with({4, 8, 96, -8, kMaxInt64 - 2});
  plan.claimed_makespan = 5;
  const CheckReport report = check_plan(problem, plan);
  std::vector<IssueKind> kinds;
  for (const Issue& issue : report.issues) kinds.push_back(issue.kind);
  CHECK(kinds == std::vector<IssueKind>{IssueKind::kMisaligned, IssueKind::kMoved, IssueKind::kOverCapacity,
                                        IssueKind::kNegativeOffset, IssueKind::kOverflow, IssueKind::kMissingOffset,
                                        IssueKind::kWrongMakespan});
  for (const Issue& issue : report.issues) CHECK_FALSE(describe(issue, problem).empty());
}

TEST_CASE("buffers that take no memory collide with nothing") {
  ProblemInput input;
  input.add("real", buffer(0, 10, 10));
  input.add("empty", buffer(0, 10, 0));
  input.add("instant", buffer(5, 5, 10));
  const Problem problem = make_problem(input).value();
  CHECK(check_plan(problem, plan_with({0, 5, 0})).valid());
}

TEST_CASE("the sweep finds exactly the collisions that comparing all pairs finds") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.gaps = seed % 2 == 0;
    shape.spaces = seed % 3 == 0;
    shape.empty_ones = seed % 5 == 0;
    const Problem problem = random_problem(seed, shape);
    Random random(seed + 1000);
    Plan plan;
    for (BufferIndex i = 0; i < problem.size(); ++i) plan.offsets.push_back(random.uniform(-5, 300));
    CHECK(collisions(check_plan(problem, plan)) == slow_collisions(problem, plan.offsets));
  }
}

TEST_CASE("beyond the listing the rest is counted exactly") {
  Random random(7);
  ProblemInput input;
  Plan plan;
  for (int i = 0; i < 400; ++i) {
    const std::int64_t start = random.uniform(0, 50);
    input.add(fmt::format("b{}", i), buffer(start, start + random.uniform(1, 60), random.uniform(1, 90)));
    plan.offsets.push_back(random.uniform(0, 120));
  }
  const Problem problem = make_problem(input).value();
  const std::size_t all = slow_collisions(problem, plan.offsets).size();
  REQUIRE(all > CheckReport::kListed);
  const CheckReport report = check_plan(problem, plan);
  CHECK(report.count == all);
  CHECK(report.issues.size() == CheckReport::kListed);
}

TEST_CASE("a hundred thousand buffers on one spot are counted without being compared in pairs") {
  ProblemInput input;
  Plan plan;
  const std::uint64_t count = 100'000;
  for (std::uint64_t i = 0; i < count; ++i) input.add("x", buffer(0, 1, 1));
  plan.offsets.assign(count, 0);
  const Problem problem = make_problem(input).value();
  CHECK(check_plan(problem, plan).count == count * (count - 1) / 2);
}

TEST_CASE("check of a problem: what breaks every plan, and what is merely odd, by kind") {
  ProblemInput input;
  input.capacity = 100;
  input.add("wide", testing::buffer(0, 4, 80));
  input.add("tall", testing::buffer(2, 6, 64));
  Buffer pin = testing::buffer(10, 14, 16);
  pin.fixed = 0;
  input.add("p", pin);
  pin.fixed = 8;
  input.add("q", pin);
  input.add("p", testing::buffer(20, 20, 4));
  input.add("none", testing::buffer(20, 22, 0));
  const Problem problem = make_problem(std::move(input)).value();
  const std::vector<ProblemMetrics> spaces = {measure(problem, 0)};
  const ProblemReport report = check_problem(problem, spaces);
  std::vector<std::string_view> kinds;
  for (const ProblemIssue& issue : report.issues) kinds.push_back(name_of(issue.kind));
  CHECK(kinds ==
        std::vector<std::string_view>{"load-over-capacity", "pin", "empty-lifetime", "zero-size", "duplicate-name"});
  CHECK(report.count == 5);
  CHECK(report.breaking == 2);
  CHECK(report.issues[0].bytes == 144);
  CHECK(report.issues[0].time_low == 2);
  CHECK(report.issues[1].pin.first == 2);
  CHECK(report.issues[1].pin.second == 3);
  CHECK(describe(report.issues[3], problem) == "none: its size is zero, so it takes no memory");
}
