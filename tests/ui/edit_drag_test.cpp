#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/ui/edited_file.h"
#include "tests/ui/hand.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("an edge of a selected rectangle drags its lifetime: live, one entry, taken back by undo") {
  EditedFile one(roomy_problem());
  one.select(0);
  const Buffer was = one.state().problem()[0];
  one.hand.press(one.hand.inside(0, 1, 0.3));
  one.hand.move(one.hand.at(14.2, 500));
  CHECK(one.state().problem()[0].end == 14);
  CHECK(one.state().gesture.kind() == GestureKind::kEdit);
  one.hand.move(one.hand.at(16.9, 500));
  CHECK(one.state().problem()[0].end == 17);
  one.hand.release();
  CHECK(one.state().problem()[0].start == was.start);
  REQUIRE(one.state().shown_facts() != nullptr);
  CHECK(one.state().shown_facts()->report.valid());
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Lifetime of a");
  CHECK(one.state().selection == std::vector<BufferIndex>{0});
  one.ui.press("Ctrl+Z");
  CHECK(one.state().problem()[0] == was);
}

TEST_CASE("the left edge moves the start, and never past the end") {
  EditedFile one(roomy_problem());
  one.select(2);
  one.hand.drag(one.hand.inside(2, 0, 0.3), one.hand.at(15.1, 300));
  CHECK(one.state().problem()[2].start == 15);
  CHECK(one.state().problem()[2].end == 20);
  one.hand.drag(one.hand.inside(2, 0, 0.3), one.hand.at(40, 300));
  CHECK(one.state().problem()[2].start == 19);
}

TEST_CASE("a drag pans outside of edit mode and on what is not selected") {
  EditedFile one(roomy_problem());
  one.ui.press("E");
  one.select(0);
  Viewport before = one.state().camera;
  one.hand.drag(one.hand.inside(0, 1, 0.3), one.hand.at(14, 500));
  CHECK(one.entries() == 1);
  CHECK_FALSE(one.state().camera == before);
  one.ui.press("Home");
  one.ui.press("E");
  one.ui.press("Escape");
  REQUIRE(one.state().selection.empty());
  before = one.state().camera;
  one.hand.drag(one.hand.middle(0), one.hand.at(14, 500));
  CHECK(one.entries() == 1);
  CHECK_FALSE(one.state().camera == before);
}

TEST_CASE("an edge in time snaps to those of others while steps are far apart in pixels") {
  std::string csv = "id,lower,upper,size\na,0,40000,4096\nb,0,61234,4096\n";
  EditedFile one(csv);
  one.select(0);
  const double per_pixel = 1 / one.state().camera.pixels_per_time();
  REQUIRE(per_pixel > 10);
  one.hand.drag(one.hand.inside(0, 1, 0.5), one.hand.at(61234 - 4 * per_pixel, 2000));
  CHECK(one.state().problem()[0].end == 61234);
  one.hand.drag(one.hand.inside(0, 1, 0.5), one.hand.at(61234 - 40 * per_pixel, 2000));
  CHECK(one.state().problem()[0].end != 61234);
}

TEST_CASE("Esc ends a drag without a trace, and the rest of the press is ignored") {
  EditedFile one(roomy_problem());
  one.select(0);
  const Buffer was = one.state().problem()[0];
  const std::string shown = one.state().shown_plan;
  one.hand.press(one.hand.inside(0, 1, 0.3));
  one.hand.move(one.hand.at(15, 500));
  REQUIRE(one.state().problem()[0].end == 15);
  one.ui.press("Escape");
  CHECK(one.state().problem()[0] == was);
  CHECK(one.entries() == 1);
  one.hand.move(one.hand.at(18, 500));
  one.hand.release();
  CHECK(one.state().problem()[0] == was);
  CHECK(one.state().selection == std::vector<BufferIndex>{0});
  one.hand.press(one.hand.middle(0));
  one.hand.move(one.hand.at(5, 6000));
  REQUIRE(one.state().shown_plan == "hand");
  one.ui.press("Escape");
  one.hand.release();
  CHECK(one.state().shown_plan == shown);
  CHECK(one.state().document.find_plan("hand") == nullptr);
}

TEST_CASE("the upper edge drags the size, and several selected go along") {
  EditedFile one(roomy_problem());
  one.select(0);
  one.ui.hold("Ctrl", true);
  one.ui.click(one.hand.middle(2));
  one.ui.hold("Ctrl", false);
  REQUIRE(one.state().selection.size() == 2);
  const ImVec2 top = one.hand.inside(2, 0.5, 1);
  const std::int64_t before = one.state().problem()[2].size;
  one.hand.drag(top, ImVec2(top.x, top.y - 60));
  const std::int64_t grown = one.state().problem()[2].size - before;
  CHECK(grown > 0);
  CHECK(one.state().problem()[0].size == 4096 + grown);
  CHECK(one.state().problem()[2].size % 64 == 0);  // round sizes
  CHECK(one.entries() == 2);
}
