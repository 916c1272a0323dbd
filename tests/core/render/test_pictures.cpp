#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "core/chart/boxes_figure.h"
#include "core/chart/figure.h"
#include "core/render/cairo_painter.h"
#include "core/render/svg_ids.h"
#include "tests/core/chart/boxes_example.h"
#include "tests/core/chart/examples.h"
#include "tests/support/golden.h"

namespace stowage {
namespace {

Scene example(const Theme& theme, const Problem& problem, const Plan* plan) {
  const CairoTextMeasure measure;
  FigureInput input;
  input.problem = &problem;
  input.plan = plan;
  input.title = "example";
  input.subtitle = "first fit by falling size";
  input.width = 640;
  input.height = 400;
  return make_figure(input, theme, measure);
}

std::string painted(const Scene& scene, PictureFormat format, float scale) {
  return paint(scene, format, scale, rgb(0xFFFFFF)).value();
}

TEST_CASE("pictures: a PNG has the size of the scene times the scale") {
  const Problem problem = testing::everything();
  const Scene scene = example(dark_theme(), problem, nullptr);
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    const std::string png = painted(scene, PictureFormat::kPng, scale);
    CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1A\n");
    const testing::Pixels pixels = testing::decode(png);
    CHECK(pixels.width == std::lround(640 * scale));
    CHECK(pixels.height == std::lround(400 * scale));
  }
}

TEST_CASE("pictures: the same scene gives the same bytes in every format") {
  const Problem problem = testing::random_problem(2000, 81);
  const Plan plan = testing::first_fit(problem);
  ChartIndex index(problem, 0);
  PlanSceneInput chart;
  chart.problem = &problem;
  chart.index = &index;
  chart.offsets = &plan.offsets;
  const CairoTextMeasure measure;
  Scene scene;
  scene.width = 640;
  scene.height = 400;
  const Viewport view = fit_all(stowage::measure(problem), makespan_of_space(problem, plan, 0), Rect{84, 14, 620, 350});
  add_plan(scene, chart, view, dark_theme(), measure);
  for (const PictureFormat format : {PictureFormat::kPng, PictureFormat::kSvg, PictureFormat::kPdf}) {
    const std::string first = painted(scene, format, 1);
    CHECK(first.size() > 1000);
    CHECK(first == painted(scene, format, 1));
  }
  CHECK(painted(scene, PictureFormat::kSvg, 1).find("<svg") != std::string::npos);
  CHECK(painted(scene, PictureFormat::kPdf, 1).substr(0, 5) == "%PDF-");
}

TEST_CASE("pictures: stripes run the way they are told, in every format") {
  const auto scene_of = [](HatchLines lines) {
    Scene scene;
    scene.width = 64;
    scene.height = 64;
    scene.add(draw::Hatch{{0, 0, 64, 64}, rgb(0), 8, lines});
    return scene;
  };
  // Whether the picture stays the same when it is moved.
  const auto same_after = [](const testing::Pixels& pixels, int right, int down) {
    for (int y = 10; y < 50; ++y) {
      for (int x = 10; x < 50; ++x) {
        const auto at = static_cast<std::size_t>((y * 64 + x) * 4);
        const auto moved = static_cast<std::size_t>(((y + down) * 64 + x + right) * 4);
        if (std::abs(int{pixels.bytes[at]} - int{pixels.bytes[moved]}) > 16) return false;
      }
    }
    return true;
  };
  const struct {
    HatchLines lines;
    int right, down;
  } ways[] = {{HatchLines::kRising, 3, -3},
              {HatchLines::kFalling, 3, 3},
              {HatchLines::kUpright, 0, 3},
              {HatchLines::kLevel, 3, 0}};
  std::set<std::string> different;
  for (const auto& way : ways) {
    const testing::Pixels pixels = testing::decode(painted(scene_of(way.lines), PictureFormat::kPng, 1));
    for (const auto& other : ways) {
      CHECK(same_after(pixels, other.right, other.down) == (other.lines == way.lines));
    }
    for (const PictureFormat format : {PictureFormat::kSvg, PictureFormat::kPdf}) {
      different.insert(painted(scene_of(way.lines), format, 1));
    }
  }
  CHECK(different.size() == 8);
}

TEST_CASE("pictures: ids of an SVG are numbered in order") {
  CHECK(with_steady_ids("<a id=\"image7\"/><b href=\"#image7\"/><c fill=\"url(#x9)\"/>") ==
        "<a id=\"i0\"/><b href=\"#i0\"/><c fill=\"url(#i1)\"/>");
}

TEST_CASE("pictures: any bytes can be drawn as text") {
  Random random(82);
  Scene scene;
  scene.width = 300;
  scene.height = 100;
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes.push_back(static_cast<char>(random.uniform(0, 255)));
    scene.add(draw::Text{{10, 10}, bytes, rgb(0), 13, FontFace::kText, TextAlign::kLeft, {}, round % 2 == 0});
  }
  scene.add(draw::Text{
      {10, 10}, "\xF0\x9F\x98\x80 \xE6\xBC\xA2 \xD7\xA9", rgb(0), 13, FontFace::kMono, TextAlign::kRight, {}, false});
  for (const PictureFormat format : {PictureFormat::kPng, PictureFormat::kSvg, PictureFormat::kPdf}) {
    CHECK(paint(scene, format, 1, rgb(0xFFFFFF)).has_value());
  }
}

TEST_CASE("pictures: widths do not depend on what was drawn before, and grow with the text") {
  const CairoTextMeasure measure;
  const float before = measure.width("1.107 m_0.csv", 12, FontFace::kText);
  Scene scene;
  scene.width = 50;
  scene.height = 50;
  scene.add(draw::Text{{10, 40}, "xyz", rgb(0), 12, FontFace::kText, TextAlign::kLeft, {}, true});
  painted(scene, PictureFormat::kPng, 1);
  CHECK(CairoTextMeasure().width("1.107 m_0.csv", 12, FontFace::kText) == before);
  CHECK(measure.width("mm", 24, FontFace::kText) == doctest::Approx(2 * measure.width("mm", 12, FontFace::kText)));
  CHECK(measure.width("iii", 12, FontFace::kMono) == doctest::Approx(measure.width("mmm", 12, FontFace::kMono)));
  CHECK(measure.width("", 12, FontFace::kText) == 0);
}

TEST_CASE("pictures: numbers that are not finite, lost clips and empty images do no harm") {
  const float nan = std::nanf("");
  Scene scene;
  scene.width = 40;
  scene.height = 40;
  scene.add(draw::Fill{{0, nan, 10, 10}, rgb(0), 3});
  scene.add(draw::Line{{0, 0}, {nan, 3}, rgb(0), 1, 4});
  scene.add(draw::Polyline{{{0, 0}, {5, nan}}, rgb(0), 1, true, rgb(0), 0});
  scene.add(draw::Text{{nan, 0}, "x", rgb(0), 13, FontFace::kText, TextAlign::kLeft, {}, false});
  scene.add(draw::Image{{0, 0, 10, 10}, 4, 4, nullptr, 0});
  scene.add(draw::PopClip{});
  scene.add(draw::PushClip{{0, 0, 20, 20}});
  CHECK(paint(scene, PictureFormat::kPng, 1, rgb(0xFFFFFF)).has_value());
}

TEST_CASE("pictures: too large, empty and senseless sizes are refused in words") {
  Scene scene;
  scene.width = 9000;
  scene.height = 100;
  CHECK(paint(scene, PictureFormat::kPng, 2, rgb(0)).error().message.find("16384") != std::string::npos);
  CHECK_FALSE(paint(scene, PictureFormat::kPng, std::nanf(""), rgb(0)).has_value());
  CHECK_FALSE(paint(Scene{}, PictureFormat::kSvg, 1, rgb(0)).has_value());
}

/// Boxes of a log that ends while box 2 is open and its last member is still missing.
Scene boxes_at_a_step(const Problem& problem, const Theme& theme) {
  const std::vector<Box> boxes = testing::boxes_example();
  const BoxingReport report = testing::boxes_report();
  std::vector<Step> steps;
  for (std::uint32_t k = 0; k < boxes.size(); ++k) {
    steps.push_back({step::OpenBox{k, boxes[k].level}, {}});
    for (const BoxMember& member : boxes[k].members) steps.push_back({step::PutInBox{k, member}, {}});
    steps.push_back({step::CloseBox{k, boxes[k].level, boxes[k].start, boxes[k].end, boxes[k].height}, {}});
  }
  const BoxesLayout layout = BoxesStory(problem, steps, boxes, std::span(&report, 1), 0).at(steps.size() - 3);
  BoxesFigureInput input;
  input.problem = &problem;
  input.layout = &layout;
  input.report = &report;
  input.title = "boxes";
  input.subtitle = "a step";
  input.width = 640;
  input.height = 400;
  return make_boxes_figure(input, theme, CairoTextMeasure());
}

Scene finished_boxes(const Problem& problem, const Theme& theme) {
  BoxesLayout layout = layout_boxes(problem, testing::boxes_example(), 0);
  const BoxingReport report = testing::boxes_report();
  add_origins(layout, report);
  BoxesFigureInput input;
  input.problem = &problem;
  input.layout = &layout;
  input.report = &report;
  input.title = "boxes";
  input.width = 640;
  input.height = 400;
  return make_boxes_figure(input, theme, CairoTextMeasure());
}

TEST_CASE("pictures: look as they did (STOWAGE_UPDATE_GOLDEN=1 writes them anew)") {
  const Problem everything = testing::everything();
  const Problem many = testing::random_problem(900, 83);
  const Problem boxed = testing::boxed_problem();
  const auto planned = [](const Problem& problem, const Theme& theme) {
    const Plan plan = testing::first_fit(problem);
    return example(theme, problem, &plan);
  };
  const struct {
    const char* name;
    Scene scene;
  } pictures[] = {{"everything_dark", planned(everything, dark_theme())},
                  {"everything_light", planned(everything, light_theme())},
                  {"many_dark", planned(many, dark_theme())},
                  {"boxes_dark", finished_boxes(boxed, dark_theme())},
                  {"boxes_step_light", boxes_at_a_step(boxed, light_theme())}};
  for (const auto& picture : pictures) {
    CAPTURE(picture.name);
    const std::string png = painted(picture.scene, PictureFormat::kPng, 1);
    CHECK(testing::difference_from_golden(picture.name, png) < 0.01);
  }
}

}  // namespace
}  // namespace stowage
