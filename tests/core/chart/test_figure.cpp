#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "core/chart/colouring.h"
#include "core/chart/figure.h"
#include "tests/core/chart/examples.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

/// Texts that overlap each other or leave the picture. Names inside rectangles are left out: in a plan with collisions
/// rectangles lie on each other.
std::size_t faults(const Scene& scene, const TextMeasure& measure, bool with_names) {
  std::vector<Rect> boxes;
  std::size_t count = 0;
  const std::vector<draw::PushClip> clips = testing::items_of<draw::PushClip>(scene);
  for (const draw::Text& text : testing::items_of<draw::Text>(scene)) {
    const Rect box = testing::box_of(text, measure);
    const bool inside = !clips.empty() && testing::overlap(box, clips[0].rect);
    if (inside && !with_names) continue;
    count += box.left < 0 || box.top < -1 || box.right > scene.width + 0.5F || box.bottom > scene.height + 0.5F;
    for (const Rect& other : boxes) count += testing::overlap(box, other);
    boxes.push_back(box);
  }
  return count;
}

TEST_CASE("figure: nothing overlaps or leaves the picture at any size") {
  const testing::FixedMeasure measure;
  for (const Problem& problem : {testing::everything(), testing::random_problem(300, 71)}) {
    const Plan plan = testing::first_fit(problem);
    FigureInput input;
    input.problem = &problem;
    input.title = "A title of some length for the picture";
    input.subtitle = "first fit by falling size";
    const float sizes[][2] = {{640, 400}, {1600, 1000}, {3840, 2160}, {800, 1200}};
    for (const auto& size : sizes) {
      for (const float scale : {1.0F, 2.0F}) {
        for (const Plan* shown : {&plan, static_cast<const Plan*>(nullptr)}) {
          input.plan = shown;
          input.width = size[0];
          input.height = size[1];
          input.scale = scale;
          const Scene scene = make_figure(input, dark_theme(), measure);
          CHECK(scene.width == doctest::Approx(size[0]));
          CHECK(scene.height == doctest::Approx(size[1]));
          CAPTURE(size[0]);
          CHECK(faults(scene, measure, false) == 0);
        }
      }
    }
  }
}

TEST_CASE("figure: says what the plan is worth, exactly, and that there is none") {
  const testing::FixedMeasure measure;
  const Problem problem = testing::random_problem(100, 72);
  const Plan plan = testing::first_fit(problem);
  FigureInput input;
  input.problem = &problem;
  const auto says = [&](const std::string& words) {
    const Scene scene = make_figure(input, light_theme(), measure);
    const std::vector<draw::Text> texts = testing::items_of<draw::Text>(scene);
    return std::any_of(texts.begin(), texts.end(), [&](const draw::Text& text) { return text.text == words; });
  };
  CHECK(says("no plan yet"));
  input.plan = &plan;
  CHECK_FALSE(says("no plan yet"));
  CHECK(says(format_exact_bytes(stowage::measure(problem).load)));
  CHECK(says(format_exact_bytes(makespan_of_space(problem, plan, 0))));
}

TEST_CASE("figure: the legend lists kinds only when there are some, and never runs out of the picture") {
  const testing::FixedMeasure measure;
  ProblemInput with_kinds;
  for (int k = 0; k < 40; ++k) {
    Buffer b = testing::buffer(k, k + 2, 10);
    b.kind = with_kinds.kind_index("kind-" + std::to_string(k));
    with_kinds.add("b", b);
  }
  const Problem problem = make_problem(std::move(with_kinds)).value();
  const Plan plan = testing::first_fit(problem);
  FigureInput input;
  input.problem = &problem;
  input.plan = &plan;
  input.title = "kinds";
  input.width = 640;
  input.height = 400;
  const Scene scene = make_figure(input, dark_theme(), measure);
  CHECK(faults(scene, measure, false) == 0);
  const std::vector<draw::Text> texts = testing::items_of<draw::Text>(scene);
  const auto holds = [&](std::string_view part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const draw::Text& text) { return text.text.find(part) != std::string::npos; });
  };
  CHECK(holds("kind-0"));
  CHECK(holds(" more"));
}

TEST_CASE("figure: colours, patterns and the filter are those of the chart, and the legend lists the classes") {
  const testing::FixedMeasure measure;
  const Problem problem = testing::random_problem(30, 74);
  const Plan plan = testing::first_fit(problem);
  Colouring colouring;
  colouring.by = ColourBy::kRow;
  for (std::size_t i = 0; i < problem.size(); ++i) colouring.classes.push_back(static_cast<std::uint8_t>(i % 3));
  colouring.legend = {{"one", ""}, {"two", ""}, {"three", ""}};
  FigureInput input;
  input.problem = &problem;
  input.plan = &plan;
  input.colouring = &colouring;
  const Theme& theme = light_theme();
  const auto fills = [&](std::size_t category) {
    std::size_t count = 0;
    for (const draw::Fill& fill : testing::items_of<draw::Fill>(make_figure(input, theme, measure))) {
      count += fill.color == theme.fill(category);
    }
    return count;
  };
  CHECK(fills(0) > 1);
  CHECK(fills(2) > 1);
  CHECK(fills(3) == 0);
  const std::vector<draw::Text> texts = testing::items_of<draw::Text>(make_figure(input, theme, measure));
  for (const ColourClass& one : colouring.legend) {
    CHECK(std::any_of(texts.begin(), texts.end(), [&](const draw::Text& text) { return text.text == one.title; }));
  }
  const std::size_t before = testing::items_of<draw::Hatch>(make_figure(input, theme, measure)).size();
  input.hatched = true;
  CHECK(testing::items_of<draw::Hatch>(make_figure(input, theme, measure)).size() > before + 2);
  const std::vector<bool> none(problem.size(), false);
  input.matches = &none;
  CHECK(fills(0) == 1);  // the swatch
}

TEST_CASE("bars: from one to twenty files and allocators every result is written, and no text overlaps") {
  const testing::FixedMeasure measure;
  Random random(73);
  for (const std::size_t rows : {1U, 2U, 5U, 11U, 20U}) {
    for (const std::size_t columns : {1U, 2U, 4U, 9U, 20U}) {
      BarsInput input;
      input.title = "Comparison";
      for (std::size_t c = 0; c < columns; ++c) input.columns.push_back("allocator-" + std::to_string(c));
      for (std::size_t r = 0; r < rows; ++r) {
        input.rows.push_back("file-" + std::to_string(r) + ".csv");
        std::vector<double> ratios;
        for (std::size_t c = 0; c < columns; ++c) ratios.push_back(1 + random.unit() * 0.4);
        input.ratios.push_back(ratios);
      }
      input.ratios[0][0] = std::numeric_limits<double>::quiet_NaN();
      const Scene scene = make_bars(input, light_theme(), measure);
      CAPTURE(rows);
      CAPTURE(columns);
      CHECK(faults(scene, measure, true) == 0);
      std::size_t values = 0;
      for (const draw::Text& text : testing::items_of<draw::Text>(scene)) {
        values += text.text.size() == 5 && text.text.substr(1, 1) == ".";
      }
      CHECK(values >= rows * columns - 1);
    }
  }
}

TEST_CASE("bars: nothing to compare and infinite ratios draw a picture all the same") {
  const testing::FixedMeasure measure;
  CHECK_FALSE(make_bars(BarsInput{}, dark_theme(), measure).items.empty());
  BarsInput input;
  input.rows = {"a"};
  input.columns = {"x", "y"};
  input.ratios = {{1.0, std::numeric_limits<double>::infinity()}};
  CHECK_FALSE(make_bars(input, dark_theme(), measure).items.empty());
}

}  // namespace
}  // namespace stowage
