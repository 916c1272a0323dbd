#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/ui/edited_file.h"
#include "tests/ui/hand.h"
#include "ui/chart/edit_gesture.h"

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
  CHECK(one.state().part<EditDrag>().collides == std::vector<BufferIndex>{0});
  CHECK(one.state().shown_facts()->report.count == 1);
  // High above: nobody is there.
  one.hand.move(one.hand.at(4, 5500));
  CHECK(one.state().part<EditDrag>().collides.empty());
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
  CHECK(one.state().part<EditDrag>().collides == std::vector<BufferIndex>{0});
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
