#include <algorithm>

#include <doctest/doctest.h>

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

TEST_CASE("boxes: equally high ones that are disjoint share a row, and contents lie inside") {
  const Problem problem = testing::boxed_problem();
  const std::vector<Box> boxes = testing::boxes_example();
  const BoxesLayout layout = layout_boxes(problem, boxes, 0);
  REQUIRE(layout.shapes.size() == 8);
  CHECK(layout.height == 80);
  CHECK(layout.start == 0);
  CHECK(layout.end == 12);
  CHECK(shape_of_box(layout, 1)->low == 0);
  CHECK(shape_of_box(layout, 2)->low == 0);
  const BoxShape& inner = *shape_of_box(layout, 0);
  CHECK(inner.low == 50);
  CHECK(inner.high == 70);
  CHECK(inner.depth == 1);
  for (const BoxShape& shape : layout.shapes) {
    CHECK(shape.low >= 0);
    CHECK(shape.high <= 80);
    CHECK(shape.low < shape.high);
  }
}

TEST_CASE("boxes: contents that reach out of their box are drawn inside it") {
  ProblemInput input;
  input.add("long", testing::buffer(0, 2, 60));
  input.add("longer", testing::buffer(1, 4, 40));
  input.add("late", testing::buffer(3, 5, 55));
  const Problem problem = make_problem(input).value();
  std::vector<Box> boxes(1);
  boxes[0].end = 5;
  boxes[0].height = 100;  // the load, but three sizes are three rows
  for (BufferIndex i = 0; i < 3; ++i) boxes[0].members.push_back(BoxMember{i, BoxMember::kNone});
  const BoxesLayout layout = layout_boxes(problem, boxes, 0);
  REQUIRE(layout.shapes.size() == 4);
  for (const BoxShape& shape : layout.shapes) CHECK(shape.high <= 100);
}

TEST_CASE("boxes: at a step, an open box is drawn around what is in it") {
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
  CHECK(open.shapes[0].open);
  CHECK(open.height == 30);
  player.seek(4);
  const BoxesLayout closed = layout_boxes(problem, player.boxes(), 0);
  REQUIRE(closed.shapes.size() == 3);
  CHECK_FALSE(closed.shapes[0].open);
  CHECK(closed.height == 99);
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
    CHECK(std::any_of(texts.begin(), texts.end(), [&](const draw::Text& text) { return text.text == name; }));
  }
}

}  // namespace
}  // namespace stowage
