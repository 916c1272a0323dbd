#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <doctest/doctest.h>

#include "core/chart/label.h"
#include "core/chart/levels.h"
#include "core/chart/plan_scene.h"
#include "tests/core/chart/examples.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

constexpr Rect kPlanArea{84, 14, 1384, 664};

/// A problem, a plan and what add_plan needs besides.
struct Shown {
  explicit Shown(Problem given) : problem(std::move(given)) {
    plan = testing::first_fit(problem);
    index = ChartIndex(problem, 0);
    facts = measure(problem);
    report = check_plan(problem, plan);
    makespan = makespan_of_space(problem, plan, 0);
  }
  PlanSceneInput input() const {
    PlanSceneInput result;
    result.problem = &problem;
    result.index = &index;
    result.facts = &facts;
    result.offsets = &plan.offsets;
    result.makespan = makespan;
    result.report = &report;
    return result;
  }
  Scene draw(const PlanSceneInput& what, const Viewport& view, SceneStats* stats = nullptr) const {
    Scene scene;
    add_plan(scene, what, view, dark_theme(), measure_, stats);
    return scene;
  }
  Viewport fitted() const { return fit_all(facts, makespan, kPlanArea); }

  Problem problem;
  Plan plan;
  ChartIndex index;
  ProblemMetrics facts;
  CheckReport report;
  std::int64_t makespan = 0;
  testing::FixedMeasure measure_;
};

TEST_CASE("chart: of a hundred thousand buffers only some hundreds are rectangles, all others one image") {
  const Shown shown(testing::random_problem(4000, 51));
  // Many rows side by side instead of a slow first fit over all of them.
  ProblemInput input;
  Plan plan;
  for (int k = 0; k < 100'000; ++k) {
    input.add("b", testing::buffer(k % 1000, k % 1000 + 1, 8));
    plan.offsets.push_back(k / 1000 * 8);
  }
  const Problem problem = make_problem(std::move(input)).value();
  const ChartIndex index(problem, 0);
  const ProblemMetrics facts = measure(problem);
  PlanSceneInput what = shown.input();
  what.problem = &problem;
  what.index = &index;
  what.facts = &facts;
  what.offsets = &plan.offsets;
  what.makespan = 800;
  what.report = nullptr;
  SceneStats stats;
  const Scene scene = shown.draw(what, fit_all(facts, 800, kPlanArea), &stats);
  CHECK(stats.visited == 100'000);
  CHECK(stats.vectors <= 400);
  CHECK(stats.vectors + stats.raster == 100'000);
  CHECK(testing::items_of<draw::Image>(scene).size() == 1);
  CHECK(scene.items.size() < 3000);

  // The memory is full: nowhere does the background show between the rectangles.
  const draw::Image image = testing::items_of<draw::Image>(scene).front();
  const auto rows = static_cast<std::size_t>(image.height);
  for (std::size_t y = rows / 10; y < rows; ++y) {
    CHECK(((*image.pixels)[y * static_cast<std::size_t>(image.width) + 500] >> 24U) >= 250U);
  }
}

TEST_CASE("chart: few buffers are all rectangles, without an image") {
  const Shown shown(testing::random_problem(300, 52));
  SceneStats stats;
  const Scene scene = shown.draw(shown.input(), shown.fitted(), &stats);
  CHECK(stats.vectors == 300);
  CHECK(stats.raster == 0);
  CHECK(testing::items_of<draw::Image>(scene).empty());
}

TEST_CASE("chart: a label is never wider or higher than the rectangle that it names") {
  const Shown shown(testing::everything());
  for (const float width : {200.0F, 420.0F, 800.0F, 1600.0F}) {
    Viewport view = shown.fitted();
    view.area = Rect{84, 14, 84 + width, 14 + width / 2};
    PlanSceneInput input = shown.input();
    const std::size_t without = [&] {
      input.labels = false;
      return testing::items_of<draw::Text>(shown.draw(input, view)).size();
    }();
    input.labels = true;
    const Scene scene = shown.draw(input, view);
    const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(scene);
    std::size_t labels = 0;
    for (const draw::Text& text : testing::items_of<draw::Text>(scene)) {
      const bool name = text.face == FontFace::kSemibold && text.size == 12;
      if (!name) continue;
      ++labels;
      const Rect box = testing::box_of(text, shown.measure_);
      CHECK(std::any_of(fills.begin(), fills.end(), [&](const draw::Fill& fill) {
        return fill.rect.left <= box.left && fill.rect.right >= box.right && fill.rect.top <= box.top + 1 &&
               fill.rect.bottom >= box.bottom - 2;
      }));
    }
    if (width >= 800) CHECK(labels > 4);
    CHECK(testing::items_of<draw::Text>(scene).size() >= without + labels);
  }
}

TEST_CASE("labels: shortened with an ellipsis between letters, or dropped") {
  const testing::FixedMeasure measure;
  CHECK(shortened("abcdef", 100, 10, FontFace::kText, measure) == "abcdef");
  CHECK(shortened("abcdefghij", 48, 10, FontFace::kText, measure) == "abcde…");
  CHECK(shortened("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4", 50, 10, FontFace::kText, measure) == "\xC3\xA4\xC3\xB6…");
  CHECK(shortened("abcdef", 20, 10, FontFace::kText, measure).empty());
  CHECK(one_line("a\nb\tc") == "a b c");
  CHECK(one_line(std::string(100'000, 'x')).size() <= 400);
}

TEST_CASE("chart: tags of levels never overlap and equal levels share one") {
  const testing::FixedMeasure measure;
  const Theme& theme = dark_theme();
  Random random(53);
  for (int round = 0; round < 300; ++round) {
    Viewport view;
    view.area = Rect{84, 14, 884, 14 + static_cast<float>(random.uniform(70, 600))};
    view.byte_high = 1000;
    std::vector<Level> levels;
    for (const char* name : {"load", "makespan", "capacity"}) {
      levels.push_back(Level{name, random.uniform(0, 1100), theme.good});
    }
    Scene scene;
    add_levels(scene, levels, view, 1, theme, measure, ByteUnit::kAuto);
    const std::vector<draw::Fill> tags = testing::items_of<draw::Fill>(scene);
    CHECK(tags.size() == joined(levels).size());
    for (std::size_t a = 0; a < tags.size(); ++a) {
      CHECK(tags[a].rect.top >= view.area.top);
      CHECK(tags[a].rect.bottom <= view.area.bottom);
      for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(testing::overlap(tags[a].rect, tags[b].rect));
    }
  }
  const std::vector<Level> same = joined({Level{"load", 5, theme.good}, Level{"makespan", 5, theme.warn}});
  REQUIRE(same.size() == 1);
  CHECK(same[0].name == "load = makespan");
}

TEST_CASE("chart: far beyond the data there is nothing but the grid") {
  const Shown shown(testing::everything());
  Viewport view = shown.fitted();
  view.pan_pixels(-5e6F, 5e6F);
  PlanSceneInput input = shown.input();
  input.selected = {0, 1};
  SceneStats stats;
  const Scene scene = shown.draw(input, view, &stats);
  CHECK(stats.vectors == 0);
  CHECK(stats.raster == 0);
  CHECK(testing::items_of<draw::Hatch>(scene).empty());
}

TEST_CASE("chart: collisions are hatched and outlined, selected buffers outlined, others dimmed") {
  const Shown shown(testing::everything());
  REQUIRE_FALSE(shown.report.valid());
  const Theme& theme = dark_theme();
  PlanSceneInput input = shown.input();
  const auto borders_of = [](const Scene& scene, Color color) {
    const std::vector<draw::Border> borders = testing::items_of<draw::Border>(scene);
    return std::count_if(borders.begin(), borders.end(), [&](const draw::Border& b) { return b.color == color; });
  };
  const Scene plain = shown.draw(input, shown.fitted());
  CHECK(borders_of(plain, theme.bad) >= 3);
  CHECK(borders_of(plain, rgb(0xFFFFFF)) == 0);
  input.selected = {0};
  CHECK(borders_of(shown.draw(input, shown.fitted()), rgb(0xFFFFFF)) == 1);
  const std::vector<bool> matches(shown.problem.size(), false);
  input.matches = &matches;
  const Color fill = theme.fill(category_of(shown.problem, 0));
  const auto fills_of = [&](const Scene& scene, Color color) {
    const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(scene);
    return std::count_if(fills.begin(), fills.end(), [&](const draw::Fill& f) { return f.color == color; });
  };
  CHECK(fills_of(plain, fill) > 0);
  CHECK(fills_of(shown.draw(input, shown.fitted()), fill) == 0);
}

TEST_CASE("chart: a capacity that is asked about is a line, and what ends above it is outlined, or tinted in a crowd") {
  const Shown shown(testing::random_problem(300, 53));
  const Theme& theme = dark_theme();
  PlanSceneInput input = shown.input();
  input.report = nullptr;
  const std::int64_t asked = shown.makespan / 2;
  std::size_t above = 0;
  for (BufferIndex i = 0; i < shown.problem.size(); ++i) {
    const Buffer& b = shown.problem[i];
    if (b.size > 0 && shown.plan.offsets[i] + b.size > asked)
      above += std::max<std::size_t>(1, shown.problem.gaps(i).size() + 1);
  }
  REQUIRE(above > 10);
  const auto marked = [&](const Scene& scene) {
    const std::vector<draw::Border> borders = testing::items_of<draw::Border>(scene);
    return static_cast<std::size_t>(
        std::count_if(borders.begin(), borders.end(), [&](const draw::Border& b) { return b.color == theme.bad; }));
  };
  const auto named = [](const Scene& scene) {
    const std::vector<draw::Text> texts = testing::items_of<draw::Text>(scene);
    return std::any_of(texts.begin(), texts.end(), [](const draw::Text& t) { return t.text.starts_with("what if "); });
  };
  CHECK(marked(shown.draw(input, shown.fitted())) == 0);
  input.asked_capacity = asked;
  const Scene few = shown.draw(input, shown.fitted());
  CHECK(named(few));
  CHECK(marked(few) > 0);
  CHECK(marked(few) <= above);
  input.crowd = 0;
  const Scene crowd = shown.draw(input, shown.fitted());
  CHECK(named(crowd));
  const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(crowd);
  CHECK(std::any_of(fills.begin(), fills.end(), [&](const draw::Fill& f) {
    return f.color == with_alpha(theme.bad, 0.2) && f.rect.width() > kPlanArea.width() - 2;
  }));
  input.asked_capacity = shown.makespan;
  input.crowd = 400;
  CHECK(marked(shown.draw(input, shown.fitted())) == 0);
}

TEST_CASE("chart: where the palette is hatched each of the eight classes has stripes of its own") {
  ProblemInput rows;
  for (int k = 0; k < 8; ++k) rows.add("b", testing::buffer(k * 10, k * 10 + 10, 64));
  const Shown shown(make_problem(std::move(rows)).value());
  PlanSceneInput input = shown.input();
  CHECK(testing::items_of<draw::Hatch>(shown.draw(input, shown.fitted())).empty());
  input.hatched = true;
  const std::vector<draw::Hatch> hatches = testing::items_of<draw::Hatch>(shown.draw(input, shown.fitted()));
  std::map<float, std::set<std::pair<HatchLines, float>>> looks;  // by the left edge
  for (const draw::Hatch& hatch : hatches) looks[hatch.rect.left].insert({hatch.lines, hatch.spacing});
  CHECK(looks.size() == 7);  // the first has none
  std::set<std::set<std::pair<HatchLines, float>>> different;
  for (const auto& [left, look] : looks) different.insert(look);
  CHECK(different.size() == 7);
}

TEST_CASE("chart: edges of rectangles lie on device pixels and within half of one of their place") {
  const Shown shown(testing::random_problem(200, 54));
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    PlanSceneInput input = shown.input();
    input.scale = scale;
    input.labels = false;
    const Viewport view = shown.fitted();
    const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(shown.draw(input, view));
    std::size_t checked = 0;
    for (BufferIndex i = 0; i < shown.problem.size(); ++i) {
      const float left = view.x_of_step(shown.problem[i].start);
      const float bottom = view.y_of_address(shown.plan.offsets[i]);
      const bool found = std::any_of(fills.begin(), fills.end(), [&](const draw::Fill& fill) {
        return std::abs(fill.rect.left - left) <= 0.51F / scale && std::abs(fill.rect.bottom - bottom) <= 0.51F / scale;
      });
      CHECK(found);
      ++checked;
    }
    CHECK(checked == 200);
    for (const draw::Fill& fill : fills) {
      if (fill.radius == 0 || fill.radius > 3) continue;  // tags lie where their words need it
      CHECK(std::abs(fill.rect.left * scale - std::round(fill.rect.left * scale)) < 0.01F);
    }
  }
}

TEST_CASE("chart: one byte and one step at the far end of int64 is drawn at its size") {
  const std::int64_t start = std::int64_t{1} << 62;
  ProblemInput input;
  input.add("far", testing::buffer(start, start + 10, 16));
  const Shown shown(make_problem(std::move(input)).value());
  const std::vector<draw::Fill> fills = testing::items_of<draw::Fill>(shown.draw(shown.input(), shown.fitted()));
  CHECK(std::any_of(fills.begin(), fills.end(), [](const draw::Fill& fill) { return fill.rect.width() >= 1298; }));
}

TEST_CASE("chart: an empty problem has axes and no rectangles") {
  const Shown shown(make_problem(ProblemInput{}).value());
  SceneStats stats;
  const Scene scene = shown.draw(shown.input(), shown.fitted(), &stats);
  CHECK(stats.visited == 0);
  CHECK_FALSE(testing::items_of<draw::Text>(scene).empty());
}

}  // namespace
}  // namespace stowage
