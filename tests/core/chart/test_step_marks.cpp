#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/step_marks.h"
#include "core/model/metrics.h"
#include "tests/core/chart/examples.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

template <typename Item>
std::vector<Item> all(const Scene& scene) {
  std::vector<Item> found;
  for (const DrawItem& item : scene.items) {
    if (const Item* one = std::get_if<Item>(&item)) found.push_back(*one);
  }
  return found;
}

Problem random_problem(std::uint64_t seed, int count) {
  Random random(seed);
  ProblemInput input;
  for (int i = 0; i < count; ++i) {
    Buffer b;
    b.start = random.uniform(0, 60);
    b.end = b.start + random.uniform(0, 20);
    b.size = random.uniform(0, 50);
    input.add(fmt::format("b{}", i), b);
  }
  return make_problem(input).value();
}

}  // namespace

TEST_CASE("the floor line is the highest end of what is placed, column by column") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed ", seed);
    const Problem problem = random_problem(seed, 40);
    Plan plan = first_fit(problem);
    Random random(seed);
    for (std::int64_t& offset : plan.offsets) {
      if (random.uniform(0, 2) == 0) offset = kNoOffset;
    }
    const ChartIndex index(problem, 0);
    StepMarks marks;
    marks.problem = &problem;
    marks.index = &index;
    marks.offsets = &plan.offsets;
    Viewport view;
    view.time_low = 0;
    view.time_high = 80;
    view.byte_high = 1000;
    view.area = Rect{0, 0, 80, 100};  // a column a step
    const std::vector<std::int64_t> heights = floor_line(marks, view, 80);
    REQUIRE(heights.size() == 80);
    for (std::int64_t time = 0; time < 80; ++time) {
      std::int64_t highest = 0;
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        const Buffer& b = problem[i];
        if (plan.offsets[i] == kNoOffset || b.size == 0 || b.start > time || b.end <= time) continue;
        highest = std::max(highest, plan.offsets[i] + b.size);
      }
      CHECK(heights[static_cast<std::size_t>(time)] == highest);
    }
  }
}

TEST_CASE("what fails is hatched and its blocker outlined; what is placed is outlined; points are vertical lines") {
  ProblemInput input;
  for (const char* name : {"low", "new"}) {
    Buffer b;
    b.end = 10;
    b.size = 100;
    input.add(name, b);
  }
  const Problem problem = make_problem(input).value();
  const ChartIndex index(problem, 0);
  std::vector<std::int64_t> offsets = {0, kNoOffset};
  StepMarks marks;
  marks.problem = &problem;
  marks.index = &index;
  marks.offsets = &offsets;
  marks.points = {4, 99};
  const Step reject{step::Reject{1, 0, 0, 0, 100}, {}};
  const Step place{step::Place{1, 100}, {}};
  const StepIndex steps(std::span(&reject, 1));
  Viewport view;
  view.time_high = 10;
  view.byte_high = 300;
  view.area = Rect{0, 0, 200, 300};
  mark_step(marks, reject, steps.moment(1, 8));
  Scene failed;
  add_step_marks(failed, marks, view, dark_theme());
  REQUIRE(all<draw::Hatch>(failed).size() == 1);
  CHECK(all<draw::Hatch>(failed)[0].rect.bottom == doctest::Approx(300));
  const auto borders = all<draw::Border>(failed);
  CHECK(std::any_of(borders.begin(), borders.end(), [](const auto& b) { return b.color == dark_theme().bad; }));
  const auto lines = all<draw::Line>(failed);
  CHECK(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.dash > 0; }) == 1);
  CHECK(all<draw::Polyline>(failed).size() == 1);

  StepMarks after = marks;
  after.failed.reset();
  offsets[1] = 100;
  mark_step(after, place, StepIndex(std::span(&place, 1)).moment(1, 8));
  Scene placed;
  add_step_marks(placed, after, view, dark_theme());
  CHECK(all<draw::Hatch>(placed).empty());
  const auto outlines = all<draw::Border>(placed);
  REQUIRE(!outlines.empty());
  CHECK(outlines.back().color == dark_theme().accent);
  CHECK(outlines.back().rect.bottom == doctest::Approx(202));
}
