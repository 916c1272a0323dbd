#include <algorithm>
#include <cmath>
#include <stop_token>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/plan_picture.h"
#include "tests/core/chart/examples.h"

namespace stowage {
namespace {

/// More buffers than are drawn one by one, somewhere.
struct Crowd {
  explicit Crowd(std::uint64_t seed, int count = 3'000) : random(seed) {
    ProblemInput rows;
    for (int k = 0; k < count; ++k) {
      const std::int64_t start = random.uniform(0, 20'000);
      rows.add("b", testing::buffer(start, start + random.uniform(0, 300), random.uniform(0, 4'000)));
      offsets.push_back(any_offset());
    }
    problem = make_problem(std::move(rows)).value();
    index = ChartIndex(problem, 0);
    view.area = Rect{90, 14, 690, 314};
    view.time_high = 20'300;
    view.byte_high = 100'000;
  }
  std::int64_t any_offset() { return random.uniform(0, 99'000); }
  PlanSceneInput input(const std::vector<std::int64_t>& drawn) const {
    PlanSceneInput result;
    result.problem = &problem;
    result.index = &index;
    result.offsets = &drawn;
    return result;
  }
  PlanPicture paint(const std::vector<std::int64_t>& drawn) const {
    return paint_plan(input(drawn), view, dark_theme());
  }

  Random random;
  Problem problem;
  ChartIndex index;
  std::vector<std::int64_t> offsets;
  Viewport view;
};

TEST_CASE("picture: what has moved is painted again to the bits of a new picture") {
  int followed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Crowd crowd(seed);
    crowd.view.time_low = static_cast<double>(crowd.random.uniform(0, 4)) * 1'000;  // something may lie beside it
    crowd.view.byte_high = crowd.random.uniform(0, 1) == 0 ? 100'000 : 70'000;
    const PlanPicture before = crowd.paint(crowd.offsets);
    std::vector<std::int64_t> after = crowd.offsets;
    std::vector<BufferIndex> moved;
    for (int k = 0; k < 5; ++k) {
      moved.push_back(static_cast<BufferIndex>(crowd.random.uniform(0, 2'999)));
      after[moved.back()] = k == 4 ? kNoOffset : crowd.any_offset();
    }
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    const PlanPicture anew = crowd.paint(after);
    const auto found = repainted(before, crowd.input(crowd.offsets), crowd.input(after), dark_theme(), moved);
    if (!found) continue;
    ++followed;
    CHECK(*found->image.pixels == *anew.image.pixels);
    CHECK(found->image.revision != before.image.revision);
    CHECK(found->stats.raster == anew.stats.raster);
    CHECK(found->faint == anew.faint);
    CHECK(found->vectors.size() == anew.vectors.size());
  }
  CHECK(followed > 20);
}

TEST_CASE("picture: one that could carry a label is no case for painting a part") {
  Crowd crowd(7);
  crowd.view.time_high = 1'500;
  crowd.view.byte_high = 20'000;
  const auto large = [&](BufferIndex i) {
    const std::vector<BufferIndex> one = {i};
    const std::vector<Shape> shapes = shapes_of(crowd.input(crowd.offsets), crowd.view, one);
    return !shapes.empty() && is_large(shapes.front(), 1);
  };
  BufferIndex found = 0;
  while (found < 3'000 && !large(found)) ++found;
  REQUIRE(found < 3'000);
  PlanSceneInput before = crowd.input(crowd.offsets);
  before.crowd = 20;
  std::vector<std::int64_t> to = crowd.offsets;
  to[found] += 1'000;
  PlanSceneInput after = crowd.input(to);
  after.crowd = 20;
  const PlanPicture picture = paint_plan(before, crowd.view, dark_theme());
  const std::vector<BufferIndex> moved = {found};
  CHECK_FALSE(repainted(picture, before, after, dark_theme(), moved));
}

TEST_CASE("picture: in another view an old one lies where its part of the plane is") {
  Crowd crowd(8);
  const PlanPicture picture = crowd.paint(crowd.offsets);
  REQUIRE(picture.image.pixels != nullptr);
  const PlanPicture same = seen_from(picture, crowd.input(crowd.offsets), crowd.view);
  CHECK(same.image.rect.left == doctest::Approx(crowd.view.area.left));
  CHECK(same.image.rect.right == doctest::Approx(crowd.view.area.right));
  CHECK(same.image.rect.top == doctest::Approx(crowd.view.area.top));
  CHECK(same.image.revision == picture.image.revision);
  Viewport view = crowd.view;
  view.pan_pixels(30, -20);
  view.zoom({200, 100}, 0.5, 0.25);
  const PlanPicture seen = seen_from(picture, crowd.input(crowd.offsets), view);
  const Rect& rect = seen.image.rect;
  CHECK(rect.left == doctest::Approx(view.x_of(crowd.view.time_low)));
  CHECK(rect.right == doctest::Approx(view.x_of(crowd.view.time_high)));
  CHECK(rect.top == doctest::Approx(view.y_of(crowd.view.byte_high)));
  CHECK(rect.bottom == doctest::Approx(view.y_of(crowd.view.byte_low)));
  // Far away nothing of it is to be seen.
  view.pan_pixels(50'000, 0);
  CHECK(seen_from(picture, crowd.input(crowd.offsets), view).image.pixels == nullptr);
}

TEST_CASE("picture: painting ends when it is told to, and an index never counts too few") {
  Crowd crowd(9, 80'000);
  std::stop_source stop;
  stop.request_stop();
  const PlanPicture picture = paint_plan(crowd.input(crowd.offsets), crowd.view, dark_theme(), stop.get_token());
  CHECK(picture.stats.visited < 40'000);
  for (const double low : {-5.0, 0.0, 3'000.0, 19'000.0, 30'000.0}) {
    std::size_t visited = 0;
    crowd.index.visit_entries(low, low + 500, [&](const ChartEntry&) { ++visited; });
    CHECK(crowd.index.at_most(low, low + 500) >= visited);
    CHECK(crowd.index.at_most(low, low + 500) <= 80'000);
  }
}

}  // namespace
}  // namespace stowage
