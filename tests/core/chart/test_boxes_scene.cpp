#include <algorithm>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/chart/boxes_scene.h"
#include "tests/core/chart/boxes_example.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

const BoxShape* shape_of_box(const BoxesLayout& layout, std::uint32_t box) {
  for (const BoxShape& shape : layout.shapes) {
    if (shape.what.box == box) return &shape;
  }
  return nullptr;
}

TEST_CASE("boxes: those that are disjoint share a row, contents lie inside, buffers are to scale") {
  const Problem problem = testing::boxed_problem();
  const std::vector<Box> boxes = testing::boxes_example();
  const BoxesLayout layout = layout_boxes(problem, boxes, 0);
  REQUIRE(layout.shapes.size() == 8);
  CHECK(layout.height == 70);  // box 2: 50 bytes below a box of 20
  CHECK(layout.start == 0);
  CHECK(layout.end == 12);
  CHECK(layout.outer_rows.empty());
  CHECK(shape_of_box(layout, 1)->low == 0);
  CHECK(shape_of_box(layout, 1)->high == 60);
  CHECK(shape_of_box(layout, 1)->height == 80);
  CHECK(shape_of_box(layout, 2)->low == 0);
  const BoxShape& inner = *shape_of_box(layout, 0);
  CHECK(inner.low == 50);
  CHECK(inner.high == 70);
  CHECK(inner.depth == 1);
  for (const BoxShape& shape : layout.shapes) {
    if (!shape.is_box()) CHECK(shape.high - shape.low == problem[shape.what.buffer].size);
  }
}

/// Shapes that lie in another one but reach out of it, or overlap a neighbour in time and address.
std::size_t faults(const BoxesLayout& layout) {
  std::size_t count = 0;
  std::vector<std::size_t> around;
  for (std::size_t k = 0; k < layout.shapes.size(); ++k) {
    const BoxShape& shape = layout.shapes[k];
    around.resize(static_cast<std::size_t>(shape.depth));
    if (!around.empty()) {
      const BoxShape& box = layout.shapes[around.back()];
      count += shape.start < box.start || shape.end > box.end || shape.low < box.low || shape.high > box.high;
    }
    for (std::size_t j = 0; j < k; ++j) {
      const BoxShape& other = layout.shapes[j];
      const bool apart =
          other.end <= shape.start || shape.end <= other.start || other.high <= shape.low || shape.high <= other.low;
      const bool holds = std::find(around.begin(), around.end(), j) != around.end();
      count += !apart && !holds;
    }
    around.push_back(k);
  }
  return count;
}

PlannedRun boxed_run(const Problem& problem, StepLog& steps, const ParamValues& params) {
  RunContext context;
  context.steps = &steps;
  return run_allocator(*find_allocator("idealloc"), problem, params, context).value();
}

TEST_CASE("boxes: every buffer of a run is drawn once, inside its boxes, and nothing overlaps") {
  const std::uint64_t seed = 4711;
  CAPTURE(seed);
  const Problem problem = testing::random_problem(120, seed);
  StepLog steps;
  const PlannedRun run = boxed_run(problem, steps, {{"bootstrap", "false"}});
  BoxesLayout layout = layout_boxes(problem, run.result.boxes, 0);
  REQUIRE(run.result.boxing.size() == 1);
  add_origins(layout, run.result.boxing[0]);
  CHECK(faults(layout) == 0);
  std::vector<int> drawn(problem.size(), 0);
  std::size_t with_points = 0;
  for (const BoxShape& shape : layout.shapes) {
    if (!shape.is_box()) {
      ++drawn[shape.what.buffer];
      continue;
    }
    CHECK(shape.origin.has_value());
    with_points += shape.points.size() > 0;
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) CHECK(drawn[i] == (problem[i].takes_memory() ? 1 : 0));
  CHECK(with_points > 0);
}

TEST_CASE("boxes: at each step the picture holds the boxes that were closed so far, where they will stay") {
  const std::uint64_t seed = 4712;
  CAPTURE(seed);
  const Problem problem = testing::random_problem(60, seed);
  StepLog steps;
  const PlannedRun run = boxed_run(problem, steps, {{"bootstrap", "false"}, {"lives", "3"}});
  const std::vector<Step>& log = steps.steps();
  BoxesStory story(problem, log, run.result.boxes, run.result.boxing, 0);
  std::vector<std::uint32_t> closed;  // counted from the steps alone
  std::optional<std::uint32_t> open;
  std::vector<BoxShape> before;
  std::size_t calls = 0;
  for (std::size_t k = 0; k < log.size(); ++k) {
    if (const auto* opened = std::get_if<step::OpenBox>(&log[k].fact)) {
      if (!closed.empty() && opened->box <= closed.back()) {
        closed.clear();
        before.clear();
      }
      open = opened->box;
    } else if (const auto* close = std::get_if<step::CloseBox>(&log[k].fact)) {
      closed.push_back(close->box);
      open.reset();
    } else if (k % 7 != 0) {
      continue;
    }
    const BoxesLayout layout = story.at(k + 1);
    REQUIRE(layout.count(BoxShape::State::kDone) == closed.size());
    REQUIRE(layout.count(BoxShape::State::kOpen) == (open ? 1U : 0U));
    for (const BoxShape& shape : layout.shapes) {
      if (shape.state != BoxShape::State::kDone || !shape.is_box()) continue;
      REQUIRE(std::find(closed.begin(), closed.end(), shape.what.box) != closed.end());
    }
    for (std::size_t s = 0; s < before.size(); ++s) {
      REQUIRE(before[s].low == layout.shapes[s].low);
      REQUIRE(before[s].what == layout.shapes[s].what);
    }
    before = layout.shapes;
    calls += !layout.call_points.empty();
  }
  CHECK(calls > 0);
  const BoxesLayout end = story.at(log.size() + 5);
  CHECK(end.count(BoxShape::State::kAbsent) == 0);
  CHECK(end.call_points.empty());
}

TEST_CASE("boxes: of a log, an open box is as high as what is in it") {
  const Problem problem = testing::boxed_problem();
  const std::vector<Step> steps = {{step::OpenBox{4, 0}, {}},
                                   {step::PutInBox{4, BoxMember{0, BoxMember::kNone}}, {}},
                                   {step::PutInBox{4, BoxMember{1, BoxMember::kNone}}, {}},
                                   {step::CloseBox{4, 0, 0, 5, 99}, {}}};
  StepPlayer player(steps, problem.size());
  player.seek(1);
  CHECK(layout_boxes(problem, player.boxes(), 0).shapes.empty());
  player.seek(2);
  const BoxesLayout open = layout_boxes(problem, player.boxes(), 0);
  REQUIRE(open.shapes.size() == 2);
  CHECK(open.shapes[0].height == 30);
  player.seek(4);
  const BoxesLayout closed = layout_boxes(problem, player.boxes(), 0);
  REQUIRE(closed.shapes.size() == 3);
  CHECK(closed.shapes[0].height == 99);
}

TEST_CASE("boxes: each is filled and named, everything inside the area") {
  const Problem problem = testing::boxed_problem();
  const BoxesLayout layout = layout_boxes(problem, testing::boxes_example(), 0);
  BoxesSceneInput input;
  input.problem = &problem;
  input.layout = &layout;
  Scene scene;
  const Rect area{92, 14, 792, 414};
  add_boxes(scene, input, fit_boxes(layout, area), dark_theme(), testing::FixedMeasure());
  CHECK(testing::items_of<draw::Fill>(scene).size() == 8);
  for (const draw::Fill& fill : testing::items_of<draw::Fill>(scene)) {
    CHECK(fill.rect.left >= area.left);
    CHECK(fill.rect.right <= area.right);
    CHECK(fill.rect.top >= area.top);
    CHECK(fill.rect.bottom <= area.bottom);
  }
  const std::vector<draw::Text> texts = testing::items_of<draw::Text>(scene);
  for (const char* name : {"a", "b", "c", "d", "e", "box 0", "box 1", "box 2"}) {
    CHECK(std::any_of(texts.begin(), texts.end(),
                      [&](const draw::Text& text) { return text.text.substr(0, text.text.find(" ·")) == name; }));
  }
}

TEST_CASE("boxes: those of strips are hatched") {
  const Problem problem = testing::boxed_problem();
  BoxesLayout layout = layout_boxes(problem, testing::boxes_example(), 0);
  const auto hatched = [&] {
    BoxesSceneInput input;
    input.problem = &problem;
    input.layout = &layout;
    Scene scene;
    add_boxes(scene, input, fit_boxes(layout, Rect{92, 14, 792, 414}), dark_theme(), testing::FixedMeasure());
    return testing::items_of<draw::Hatch>(scene);
  };
  const auto origin = [&](std::uint32_t box, BoxingSet::Kind kind) {
    for (BoxShape& shape : layout.shapes) {
      if (shape.what.box == box) shape.origin = kind;
    }
  };
  for (const std::uint32_t box : {0U, 1U, 2U}) origin(box, BoxingSet::Kind::kRow);
  CHECK(hatched().empty());
  origin(1, BoxingSet::Kind::kInnerVertical);
  REQUIRE(hatched().size() == 1);
  const Color vertical = hatched()[0].color;
  origin(2, BoxingSet::Kind::kInnerHorizontal);
  REQUIRE(hatched().size() == 2);
  origin(1, BoxingSet::Kind::kRow);
  REQUIRE(hatched().size() == 1);
  CHECK_FALSE(hatched()[0].color == vertical);
}

TEST_CASE("boxes: what lies under the pointer is the innermost shape, and few shapes are the largest") {
  const Problem problem = testing::boxed_problem();
  BoxesLayout layout = layout_boxes(problem, testing::boxes_example(), 0);
  BoxesSceneInput input;
  input.problem = &problem;
  input.layout = &layout;
  const Viewport view = fit_boxes(layout, Rect{92, 14, 792, 414});
  const auto at = [&](double time, double byte) {
    return shape_at(input, view, Point{view.x_of(time), view.y_of(byte)});
  };
  REQUIRE(at(7, 52).has_value());
  CHECK(layout.shapes[*at(7, 52)].what.buffer == 2);
  CHECK(layout.shapes[*at(8, 20)].what.buffer == 4);
  CHECK_FALSE(shape_at(input, view, Point{10, 10}).has_value());
  for (BoxShape& shape : layout.shapes) {
    if (shape.what.box == 2) shape.state = BoxShape::State::kAbsent;
  }
  const auto between = at(5.5, 60);
  CHECK(!between.has_value());
  input.most = 3;
  Scene scene;
  add_boxes(scene, input, view, dark_theme(), testing::FixedMeasure());
  CHECK(testing::items_of<draw::Fill>(scene).size() <= 3);
}

}  // namespace
}  // namespace stowage
