#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/chart_index.h"
#include "core/model/lifetime.h"
#include "core/model/metrics.h"
#include "tests/core/chart/examples.h"

namespace stowage {
namespace {

bool hit(const Problem& problem, const Plan& plan, BufferIndex i, double time, double byte) {
  for (const Piece& piece : pieces_of(problem[i], problem.gaps(i))) {
    const auto offset = static_cast<double>(plan.offsets[i]);
    if (time >= static_cast<double>(piece.start) && time < static_cast<double>(piece.end) &&
        byte >= offset + static_cast<double>(piece.low) && byte < offset + static_cast<double>(piece.high)) {
      return true;
    }
  }
  return false;
}

TEST_CASE("picking: agrees with looking at every buffer") {
  constexpr std::uint64_t kSeed = 41;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (const Problem& problem : {testing::random_problem(700, kSeed), testing::everything()}) {
    const Plan plan = testing::first_fit(problem);
    const ChartIndex index(problem, 0);
    const std::int64_t makespan = makespan_of_space(problem, plan, 0);
    const ProblemMetrics facts = measure(problem);
    for (int round = 0; round < 3000; ++round) {
      const double time = static_cast<double>(facts.horizon_low) +
                          (random.unit() * 1.1 - 0.05) * static_cast<double>(facts.horizon_high - facts.horizon_low);
      const double byte = random.unit() * 1.1 * static_cast<double>(makespan);
      const BufferIndex found = pick(problem, index, plan.offsets, time, byte);
      std::size_t hits = 0;
      bool among = false;
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        if (!hit(problem, plan, i, time, byte)) continue;
        ++hits;
        among = among || i == found;
      }
      CHECK((hits > 0) == (found != kNoBuffer));
      if (hits > 0) CHECK(among);
    }
  }
}

TEST_CASE("picking: one byte above a million can be hit at a fitted view, and so can the million") {
  ProblemInput input;
  for (int k = 0; k < 50; ++k) {
    input.add("large", testing::buffer(2 * k, 2 * k + 2, 1'000'000));
    input.add("tiny", testing::buffer(2 * k + 1, 2 * k + 3, 1));
  }
  const Problem problem = make_problem(std::move(input)).value();
  const Plan plan = testing::first_fit(problem);
  const ChartIndex index(problem, 0);
  const Viewport view = fit_all(measure(problem), 1'000'001, Rect{80, 10, 1380, 660});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const float x = (view.x_of_step(problem[i].start) + view.x_of_step(problem[i].end)) / 2 - 2;
    const std::int64_t middle = plan.offsets[i] + problem[i].size / 2;
    const BufferIndex found = pick(problem, index, plan.offsets, view, Point{x, view.y_of_address(middle)}, 3);
    CHECK(problem[found].size == problem[i].size);
  }
}

TEST_CASE("picking: marks of buffers that take no memory can be hit, empty space cannot") {
  const Problem problem = testing::everything();
  const Plan plan = testing::first_fit(problem);
  const ChartIndex index(problem, 0);
  const Viewport view = fit_all(measure(problem), 450, Rect{80, 10, 1380, 660});
  const Point no_time{view.x_of_step(62) + 1, view.y_of_address(plan.offsets[6] + 140)};
  CHECK(problem.id(pick(problem, index, plan.offsets, view, no_time, 3)) == "no time");
  CHECK(pick(problem, index, plan.offsets, view, Point{view.x_of_step(15), view.y_of_address(400)}, 3) == kNoBuffer);
  CHECK(pick(problem, index, plan.offsets, view, Point{5, 5}, 3) == kNoBuffer);
}

TEST_CASE("picking: buffers that are not placed are not there") {
  const Problem problem = testing::random_problem(20, 5);
  const ChartIndex index(problem, 0);
  CHECK(pick(problem, index, std::vector<std::int64_t>(20, kNoOffset), 10, 0) == kNoBuffer);
  CHECK(pick(problem, index, {}, 10, 0) == kNoBuffer);
}

}  // namespace
}  // namespace stowage
