#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/ui/edited_file.h"
#include "tests/ui/hand.h"
#include "ui/chart/edit_gesture.h"
#include "ui/lifetime_keys.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("the body drags the offset in a plan by hand and names whom it collides with") {
  EditedFile one(roomy_problem());
  one.select(1);
  const ImVec2 from = one.hand.middle(1);
  const std::int64_t was = one.state().offsets()[1];
  const double height = static_cast<double>(one.state().problem()[1].size);
  one.hand.press(from);
  // Into the middle of a: they collide.
  const auto a = static_cast<double>(one.state().offsets()[0]);
  one.hand.move(one.hand.at(4, a + 2048 + height / 2 - height / 2));
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().part<EditDrag>().collision.with == std::vector<BufferIndex>{0});
  CHECK(one.state().shown_facts()->report.count == 1);
  // High above: nobody is there.
  one.hand.move(one.hand.at(4, 5500));
  CHECK(one.state().part<EditDrag>().collision.with.empty());
  CHECK(one.state().shown_facts()->report.valid());
  one.hand.release();
  CHECK(one.entries() == 2);
  CHECK(one.state().offsets()[1] != was);
  CHECK(one.state().offsets()[1] % 64 == 0);
  one.ui.press("P");
  CHECK(one.state().problem()[1].fixed == one.state().offsets()[1]);
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  CHECK(one.state().shown_plan != "hand");
}

TEST_CASE("keys place by hand: a step of the alignment, or the next gap; a series of presses is one entry") {
  EditedFile one(roomy_problem());
  one.ui.state().editing.mode = false;
  one.select(1);
  one.ui.press("Ctrl+Up");  // not outside of the edit mode
  CHECK(one.state().shown_plan != "hand");
  one.ui.press("E");
  const std::int64_t was = one.state().offsets()[1];
  REQUIRE(was == 4096);  // on top of a
  one.ui.press("Ctrl+Up");
  one.ui.press("Ctrl+Up");
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().offsets()[1] == was + 128);
  CHECK(one.entries() == 2);
  one.ui.press("Ctrl+Down");
  CHECK(one.state().offsets()[1] == was + 64);
  CHECK(one.entries() == 2);
  one.ui.host.time += 5;
  one.ui.press("Ctrl+Shift+Down");  // back onto a
  CHECK(one.state().offsets()[1] == was);
  CHECK(one.entries() == 3);
  CHECK(one.state().shown_facts()->report.valid());
  one.ui.press("Ctrl+Shift+Down");  // a fills everything below
  CHECK(one.state().offsets()[1] == was);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().offsets()[1] == was + 64);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().shown_plan != "hand");
}

TEST_CASE("keys move a fixed offset as what it is, and several selected go along by the same difference") {
  EditedFile one(roomy_problem());
  one.select(1);
  one.ui.press("P");
  REQUIRE(one.state().problem()[1].fixed == 4096);
  REQUIRE(one.ui.settle());
  one.ui.press("Ctrl+Up");
  REQUIRE(one.ui.settle());
  CHECK(one.state().problem()[1].fixed == 4096 + 64);
  CHECK(one.state().shown_plan != "hand");
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  REQUIRE(one.ui.settle());
  one.state().push(action::Select{{1, 2}, SelectMode::kReplace});
  one.ui.frame();
  one.ui.host.time += 5;
  const std::vector<std::int64_t> before = one.state().offsets();
  one.ui.press("Ctrl+Up");
  CHECK(one.state().offsets()[1] == before[1] + 64);
  CHECK(one.state().offsets()[2] == before[2] + 64);
  CHECK(one.state().offsets()[0] == before[0]);
}

TEST_CASE("of many that are dragged the one that collides is found and named, whoever is grabbed") {
  std::string csv = "id,lower,upper,size,alignment\n";
  for (int k = 0; k < 20; ++k) csv += fmt::format("s{},{},{},2048,64\n", k, 2 * k, 2 * k + 1);
  EditedFile one(csv + "wall,38,39,1024,64\n");
  REQUIRE(one.state().offsets()[19] == 0);
  REQUIRE(one.state().offsets()[20] == 2048);
  std::vector<BufferIndex> chosen;
  for (BufferIndex i = 20; i-- > 0;) chosen.push_back(i);
  one.state().push(action::Select{chosen, SelectMode::kReplace});
  one.ui.frames(3);
  one.hand.press(one.hand.middle(0));
  one.hand.move(one.hand.at(0.5, 2048));
  one.ui.frames(2);
  const MovedCollision& found = one.state().part<EditDrag>().collision;
  CHECK(found.moved == 19);
  CHECK(found.with == std::vector<BufferIndex>{20});
  REQUIRE(found.found());
  CHECK(collision_words(one.state().problem(), found) == "s19 collides with wall");
  CHECK_FALSE(one.state().shown_facts()->report.valid());
  one.ui.press("Escape");
  one.hand.release();
}

TEST_CASE("a frame without time looks at one place, and the next ones go on from there") {
  EditedFile one(roomy_problem());
  const Places places = {{0, 100'000}, {2, 200'000}, {1, 4000}};  // b into a
  MovedCollision search;
  for (std::size_t frame = 1; frame <= 3; ++frame) {
    CHECK_FALSE(search.found());
    look_for_collision(one.state(), places, {}, -1, search);
    CHECK(search.next == frame);
  }
  CHECK(search.moved == 1);
  CHECK(search.with == std::vector<BufferIndex>{0});
}

TEST_CASE("keys name the pair that collides where they have placed, for as long as it does") {
  EditedFile one(roomy_problem());
  one.select(1);
  one.ui.until([&] { return one.state().notices.empty(); });
  one.ui.press("Ctrl+Down");
  one.ui.frames(2);
  REQUIRE(one.ui.has("notice"));
  CHECK(one.state().notices.back().text == "b collides with a");
  one.ui.press("Ctrl+Down");
  CHECK(one.state().notices.size() == 1);  // said once
  one.ui.press("Ctrl+Up");
  one.ui.press("Ctrl+Up");
  one.ui.frames(2);
  CHECK(one.state().notices.empty());
  CHECK_FALSE(one.ui.has("notice"));
}

TEST_CASE("lifetimes are changed by keys: both ends, one entry for a series, never to no step at all") {
  EditedFile one(roomy_problem());
  one.select(1);  // 2 to 6
  move_ends(one.state(), 1);
  move_ends(one.state(), 1);
  move_starts(one.state(), -1);
  one.ui.frames(2);
  CHECK(one.state().problem()[1].start == 1);
  CHECK(one.state().problem()[1].end == 8);
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Lifetime of b");
  one.ui.host.time += 5;
  move_ends(one.state(), -6);
  CHECK(one.state().problem()[1].end == 2);
  move_ends(one.state(), -1);
  CHECK(one.state().problem()[1].end == 2);
  CHECK(one.state().notices.back().text == "b would be live in no step");
  CHECK(one.entries() == 3);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().problem()[1].end == 8);
  move_ends(one.state(), 1);  // begins anew from what undo has brought back
  CHECK(one.state().problem()[1].end == 9);
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  CHECK(one.state().problem()[1].start == 2);
  CHECK(one.state().problem()[1].end == 6);
  one.state().push(action::Select{{0, 2}, SelectMode::kReplace});
  one.ui.frames(2);
  move_starts(one.state(), 1);
  CHECK(one.state().problem()[0].start == 1);
  CHECK(one.state().problem()[2].start == 13);
  CHECK(one.state().editing.history[1].label == "Lifetime of 2 buffers");
  one.ui.press("E");
  move_starts(one.state(), 1);  // not outside of the edit mode
  CHECK(one.state().problem()[0].start == 1);
}

TEST_CASE("a lifetime that grows into another buffer of a plan by hand names it") {
  EditedFile one(roomy_problem());
  one.select(2);
  one.ui.press("Ctrl+Up");
  one.ui.press("Ctrl+Down");
  REQUIRE(one.state().shown_plan == "hand");
  REQUIRE(one.state().offsets()[2] == one.state().offsets()[0]);
  one.ui.host.time += 5;
  move_starts(one.state(), -3);  // c to 9, a lives to 10
  one.ui.frames(2);
  REQUIRE(one.ui.has("notice"));
  CHECK(one.state().notices.back().text == "c collides with a");
}

TEST_CASE("a body snaps to the edge of a neighbour, and Alt lets it lie anywhere") {
  EditedFile one(roomy_problem());
  one.select(1);
  const std::int64_t top = one.state().offsets()[0] + 4096;
  const double per_pixel = 1 / one.state().camera.pixels_per_byte();
  const auto grab = static_cast<double>(one.state().offsets()[1]) + 1024;
  const auto up_to = [&](double offset) {
    return one.hand.at(4, offset + grab - static_cast<double>(one.state().offsets()[1]));
  };
  REQUIRE(one.state().offsets()[1] == top);  // planned on top of a
  one.hand.drag(one.hand.middle(1), up_to(static_cast<double>(top) + 700));
  const std::int64_t moved = one.state().offsets()[1];
  REQUIRE(moved != top);
  one.hand.press(one.hand.middle(1));
  one.hand.move(one.hand.at(4, static_cast<double>(top) + 1024 + 4 * per_pixel));
  CHECK(one.state().offsets()[1] == top);
  CHECK(one.state().part<EditDrag>().byte_guide == top);
  one.ui.hold("Alt", true);
  CHECK(one.state().offsets()[1] != top);
  one.ui.hold("Alt", false);
  one.ui.frames(2);
  CHECK(one.state().offsets()[1] == top);
  one.hand.release();
  CHECK(one.entries() == 3);
}

TEST_CASE("a fixed offset is dragged as what it is: the others make room") {
  EditedFile one(roomy_problem());
  one.select(0);
  one.ui.press("P");
  REQUIRE(one.state().problem()[0].fixed == one.state().offsets()[0]);
  REQUIRE(one.ui.settle());
  const std::string shown = one.state().shown_plan;
  one.hand.drag(one.hand.middle(0), one.hand.at(5, 5000));
  CHECK(one.state().problem()[0].fixed > 0);
  CHECK(one.state().offsets()[0] == one.state().problem()[0].fixed);
  CHECK(one.state().shown_plan == shown);
  CHECK(one.state().shown_facts()->report.valid());
  CHECK(one.entries() == 3);
}

TEST_CASE("a fixed offset on top of another one is red while dragging") {
  EditedFile one("id,lower,upper,size,alignment,offset\na,0,10,4096,64,0\nb,2,8,4096,64,4096\nc,2,6,1024,1,\n");
  REQUIRE(one.state().problem()[0].is_fixed());
  REQUIRE(one.state().shown_facts()->report.valid());
  one.select(1);
  one.hand.press(one.hand.middle(1));
  one.hand.move(one.hand.at(5, 4000));
  CHECK(one.state().part<EditDrag>().collision.with == std::vector<BufferIndex>{0});
  CHECK_FALSE(one.state().shown_facts()->report.valid());
  one.ui.press("Escape");
  one.hand.release();
  CHECK(one.state().shown_facts()->report.valid());
}

TEST_CASE("in a large problem a dragged body is an outline until the release") {
  const ProblemInput input = synthetic_family(20'500, 1);
  std::string csv = "id,lower,upper,size\nfirst,0,20000,67108864\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += fmt::format("b{},{},{},{}\n", i, b.start, b.end, b.size);
  }
  EditedFile one(csv);
  one.select(0);
  const std::string shown = one.state().shown_plan;
  one.hand.press(one.hand.middle(0));
  const ImVec2 from = one.hand.middle(0);
  one.hand.move(ImVec2(from.x, from.y - 40));
  CHECK(one.state().shown_plan == shown);
  REQUIRE(one.state().part<EditDrag>().wish);
  const std::int64_t wish = one.state().part<EditDrag>().wish->offset;
  one.hand.release();
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().offsets()[0] == wish);
  CHECK(one.entries() == 2);
}
