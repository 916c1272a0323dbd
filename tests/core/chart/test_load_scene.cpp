#include <algorithm>

#include <doctest/doctest.h>

#include "core/chart/load_scene.h"
#include "tests/core/chart/examples.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

constexpr Rect kLoadArea{84, 10, 884, 130};

Viewport load_view(const ProblemMetrics& facts) {
  Viewport view = fit_all(facts, 0, kLoadArea);
  view.byte_high = static_cast<double>(facts.load) * 1.1;
  return view;
}

TEST_CASE("load: at most two points for each pixel column, and the peak is among them") {
  const Problem problem = testing::random_problem(20'000, 61);
  const std::vector<LoadPoint> curve = load_curve(problem);
  const ProblemMetrics facts = measure(problem);
  LoadSceneInput input;
  input.curve = curve;
  input.facts = &facts;
  Scene scene;
  const Viewport view = load_view(facts);
  add_load(scene, input, view, dark_theme(), testing::FixedMeasure());
  const std::vector<draw::Polyline> lines = testing::items_of<draw::Polyline>(scene);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].points.size() <= 2 * 804 + 4);
  float highest = 1e9F;
  for (std::size_t i = 0; i < lines[0].points.size(); ++i) {
    highest = std::min(highest, lines[0].points[i].y);
    if (i > 0) CHECK(lines[0].points[i].x >= lines[0].points[i - 1].x);
  }
  CHECK(highest == doctest::Approx(view.y_of_address(facts.load)));
}

TEST_CASE("load: a few steps are drawn exactly, with level lines and upright edges") {
  const std::vector<LoadPoint> curve = {{0, 4}, {10, 8}, {20, 2}, {30, 0}};
  ProblemMetrics facts;
  facts.load = 8;
  facts.horizon_high = 30;
  facts.peak_start = 10;
  facts.peak_end = 20;
  LoadSceneInput input;
  input.curve = curve;
  input.facts = &facts;
  Scene scene;
  add_load(scene, input, load_view(facts), light_theme(), testing::FixedMeasure());
  const std::vector<Point> points = testing::items_of<draw::Polyline>(scene).at(0).points;
  for (std::size_t i = 1; i < points.size(); ++i) {
    CHECK((points[i].x == points[i - 1].x || points[i].y == points[i - 1].y));
  }
  const std::vector<draw::Line> lines = testing::items_of<draw::Line>(scene);
  CHECK(std::any_of(lines.begin(), lines.end(), [](const draw::Line& line) { return line.dash > 0; }));
}

TEST_CASE("load: a zoomed view shows the level that began before it") {
  const std::vector<LoadPoint> curve = {{0, 4}, {1000, 0}};
  LoadSceneInput input;
  input.curve = curve;
  Viewport view;
  view.area = kLoadArea;
  view.time_low = 400;
  view.time_high = 500;
  view.byte_high = 8;
  Scene scene;
  add_load(scene, input, view, dark_theme(), testing::FixedMeasure());
  const std::vector<draw::Polyline> lines = testing::items_of<draw::Polyline>(scene);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].points.back().x >= kLoadArea.right);
  CHECK(lines[0].points[1].y == doctest::Approx(70));
}

TEST_CASE("load: the brush dims what is outside and has two handles inside the area") {
  LoadSceneInput input;
  input.brush_low = 20;
  input.brush_high = 60;
  Viewport view;
  view.area = kLoadArea;
  view.time_high = 100;
  Scene without;
  Scene with;
  add_load(with, input, view, dark_theme(), testing::FixedMeasure());
  input.brush_low.reset();
  add_load(without, input, view, dark_theme(), testing::FixedMeasure());
  const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(with);
  CHECK(fills.size() == testing::items_of<draw::Fill>(without).size() + 4);
  for (const draw::Fill& fill : fills) {
    CHECK(fill.rect.left >= kLoadArea.left);
    CHECK(fill.rect.right <= kLoadArea.right);
  }
}

}  // namespace
}  // namespace stowage
