#include "core/model/metrics.h"

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "core/model/space_metrics.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("metrics of the four-buffer problem are the ones worked out by hand") {
  ProblemInput input;
  input.capacity = 112;
  input.add("a", buffer(0, 3, 64));
  input.add("b", buffer(1, 4, 32));
  input.add("c", buffer(3, 5, 64));
  input.add("d", buffer(2, 5, 16));
  const Problem problem = make_problem(input).value();
  const ProblemMetrics facts = measure(problem);
  CHECK(facts.load == 112);
  CHECK(facts.lower_bound == 112);
  CHECK(facts.peak_start == 2);
  CHECK(facts.peak_end == 3);
  CHECK(facts.naive == 176);
  CHECK(facts.horizon_low == 0);
  CHECK(facts.horizon_high == 5);
  CHECK(facts.area == doctest::Approx(64 * 3 + 32 * 3 + 64 * 2 + 16 * 3));
  CHECK(live_at(problem, facts.peak_start) == std::vector<BufferIndex>{0, 1, 3});

  Plan plan;
  plan.offsets = {0, 64, 0, 96};
  const PlanMetrics metrics = measure(problem, facts, plan);
  CHECK(metrics.makespan == 112);
  CHECK(metrics.overhead == doctest::Approx(0));
  CHECK(metrics.utilisation == doctest::Approx(464.0 / (112 * 5)));
  CHECK(metrics.fits == 4);
  CHECK(metrics.optimal);

  plan.offsets = {0, 64, 0, 100};
  const PlanMetrics worse = measure(problem, facts, plan);
  CHECK(worse.makespan == 116);
  CHECK(worse.fits == 3);
  CHECK_FALSE(worse.optimal);
}

TEST_CASE("the end of the highest fixed buffer is part of the lower bound") {
  ProblemInput input;
  Buffer pin = buffer(0, 9, 64);
  pin.fixed = 192;
  input.add("reserve", pin);
  input.add("a", buffer(0, 3, 80));
  const Problem problem = make_problem(input).value();
  CHECK(measure(problem).load == 144);
  CHECK(measure(problem).lower_bound == 256);
}

TEST_CASE("of a sliced buffer only the slices that have begun are part of the lower bound") {
  ProblemInput input;
  Details details;
  details.slices = {{40, 0}, {60, 6}};
  input.add("sliced", buffer(0, 9, 100), details);
  input.add("early", buffer(0, 3, 50));
  input.add("late", buffer(7, 9, 5));
  const Problem problem = make_problem(input).value();
  CHECK(measure(problem).load == 150);
  CHECK(measure(problem).lower_bound == 105);
}

TEST_CASE("padding counts the bytes that rounding to the alignment adds") {
  ProblemInput input;
  Buffer b = buffer(0, 1, 10);
  b.alignment = 8;
  input.add("a", b);
  b.size = 16;
  input.add("b", b);
  CHECK(measure(make_problem(input).value()).padding == 6);
}

TEST_CASE("open ends do not stretch the horizon") {
  ProblemInput input;
  input.add("short", buffer(0, 10, 1));
  Details open;
  open.open_end = true;
  input.add("forever", buffer(3, std::int64_t{1} << 62, 1), open);
  const ProblemMetrics facts = measure(make_problem(input).value());
  CHECK(facts.horizon_low == 0);
  CHECK(facts.horizon_high == 10);
}

TEST_CASE("a plan that misses an offset is not optimal and does not count the buffer as fitting") {
  ProblemInput input;
  input.add("a", buffer(0, 1, 4));
  input.add("b", buffer(5, 6, 4));
  const Problem problem = make_problem(input).value();
  Plan plan;
  plan.offsets = {0, kNoOffset};
  const PlanMetrics metrics = measure(problem, measure(problem), plan);
  CHECK(metrics.fits == 1);
  CHECK_FALSE(metrics.optimal);
}

TEST_CASE("the synthetic family is what its description says") {
  const ProblemInput input = synthetic_family(20'000, 3);
  double life = 0;
  for (const Buffer& b : input.buffers) {
    CHECK(b.size % 64 == 0);
    CHECK(b.size >= 64);
    CHECK(b.size <= 1 << 20);
    CHECK(b.start >= 0);
    CHECK(b.end <= 40'000);
    CHECK(b.lifetime() >= 1);
    life += static_cast<double>(b.lifetime());
  }
  CHECK(life / 20'000 == doctest::Approx(64).epsilon(0.03));
  CHECK(synthetic_family(20'000, 3).buffers == input.buffers);
  CHECK_FALSE(synthetic_family(20'000, 4).buffers == input.buffers);
}

TEST_CASE("each space has a load, a bound and a makespan of its own") {
  ProblemInput input;
  input.spaces = {Space{"sram", 0, 100, {}}, Space{"flash", 0, {}, {}}};
  Buffer small = buffer(0, 4, 60);
  input.add("a", small);
  Buffer large = buffer(2, 9, 5000);
  large.space = 1;
  input.add("b", large);
  const Problem problem = make_problem(input).value();
  const auto facts = measure_spaces(problem);
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].load == 60);
  CHECK(facts[1].load == 5000);
  CHECK(facts[0].horizon_high == 9);
  CHECK(measure(problem).load == 5000);
  Plan plan;
  plan.offsets = {40, 0};
  const auto metrics = measure_spaces(problem, facts, plan);
  REQUIRE(metrics.size() == 2);
  CHECK(metrics[0].makespan == 100);
  CHECK_FALSE(metrics[0].optimal);
  CHECK(metrics[1].optimal);
}
