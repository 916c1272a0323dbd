#include "ui/chart/spaces.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/chart/minimap.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Two spaces with a plan; rows 0 to 2 on the device, 3 and 4 on the host.
std::string two_spaces() {
  return R"({"format":"stowage","version":1,"name":"two spaces",
    "problem":{"spaces":[{"id":"device","capacity":4096},{"id":"host"}],
      "buffers":[{"id":"a","lower":0,"upper":4,"size":1024,"space":"device"},
                 {"id":"b","lower":2,"upper":8,"size":2048,"space":"device"},
                 {"id":"c","lower":5,"upper":10,"size":1024,"space":"device"},
                 {"id":"d","lower":0,"upper":6,"size":64,"space":"host"},
                 {"id":"e","lower":4,"upper":10,"size":64,"space":"host"}]},
    "plans":[{"id":"p","allocator":"file","offsets":{"a":0,"b":1024,"c":0,"d":0,"e":64}}]})";
}

/// Two segments three tebibytes apart.
std::string far_apart() {
  return "id,lower,upper,size,offset\n"
         "low,0,6,65536,0\nlow too,4,9,65536,65536\nhigh,1,5,65536,3298534883328\nhigh too,5,9,131072,3298534883328\n";
}

struct OpenedSpaces {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedSpaces(const std::string& name, const std::string& text) { REQUIRE(ui.open(folder.write(name, text))); }
  Workbench::State& state() { return ui.state(); }
  void run(CommandId id) {
    state().push(action::Invoke{id});
    ui.frames(3);
  }
  /// The middle of a buffer on the screen, wherever its space is drawn.
  ImVec2 middle_of(BufferIndex i) {
    const std::uint16_t space = space_of_buffer(state(), i);
    const Viewport view = view_of_space(state(), space, state().camera);
    const Buffer& b = state().problem()[i];
    const std::int64_t offset = state().offsets()[i];
    const float x = (view.x_of_step(b.start) + view.x_of_step(b.end)) / 2;
    const float y = (view.y_of_address(offset) + view.y_of_address(offset + b.size)) / 2;
    const ImVec2 origin = ui.point("chart.canvas", 0, 0);
    return ImVec2(origin.x + x, origin.y + y);
  }
};

}  // namespace

TEST_CASE("spaces: the switch above the chart shows all of them, each a lane in which one points and selects") {
  OpenedSpaces o("two.json", two_spaces());
  o.ui.click("space");
  REQUIRE(o.ui.has("space.all"));
  o.ui.click("space.all");
  o.ui.frames(3);
  REQUIRE(draws_all_spaces(o.state()));
  for (BufferIndex i = 0; i < 5; ++i) {
    CAPTURE(i);
    o.ui.click(o.middle_of(i));
    CHECK(o.state().selection == std::vector<BufferIndex>{i});
    CHECK(o.state().space == (i < 3 ? 0 : 1));
  }
  o.ui.click("space");
  o.ui.click("space.0");
  o.ui.frames(3);
  CHECK_FALSE(draws_all_spaces(o.state()));
  CHECK(o.state().space == 0);
  CHECK(o.state().camera.byte_at(o.state().camera.area.bottom) == doctest::Approx(0));
}

TEST_CASE("spaces: a zoom about a lane keeps its addresses under the cursor, and framing finds the lane") {
  OpenedSpaces o("two.json", two_spaces());
  o.run(CommandId::stack_spaces);
  const ImVec2 at = o.middle_of(4);
  o.ui.move(at);
  REQUIRE(o.state().hovered == 4);
  const double byte = *o.state().cursor_byte;
  CHECK(byte == doctest::Approx(96).epsilon(0.05));
  o.ui.wheel(at, 3);
  CHECK(*o.state().cursor_byte == doctest::Approx(byte).epsilon(0.01));
  CHECK(o.state().hovered == 4);
  o.state().push(action::FrameBuffers{{1}});
  o.ui.frames(3);
  const Rect area = o.state().camera.area;
  const ImVec2 origin = o.ui.point("chart.canvas", 0, 0);
  const ImVec2 middle = o.middle_of(1);
  CHECK(middle.x - origin.x == doctest::Approx((area.left + area.right) / 2).epsilon(0.02));
  CHECK(middle.y - origin.y == doctest::Approx((area.top + area.bottom) / 2).epsilon(0.05));
  o.run(CommandId::view_back);
  CHECK(o.state().hovered != kNoBuffer);
}

TEST_CASE("spaces: a rectangle is dragged to true addresses in its own lane") {
  OpenedSpaces o("two.json", two_spaces());
  o.run(CommandId::stack_spaces);
  o.ui.press("E");
  o.ui.click(o.middle_of(4));
  REQUIRE(o.state().selection == std::vector<BufferIndex>{4});
  const Viewport view = view_of_space(o.state(), 1, o.state().camera);
  const ImVec2 from = o.middle_of(4);
  const float up = view.y_of_address(64) - view.y_of_address(128);
  o.ui.hold("Alt", true);
  o.ui.drag(from, ImVec2(from.x, from.y - up / 4));
  o.ui.hold("Alt", false);
  REQUIRE(o.ui.settle());
  CHECK(o.state().shown_plan == "hand");
  CHECK(o.state().offsets()[4] > 70);
  CHECK(o.state().offsets()[4] < 90);
  CHECK(o.state().offsets()[1] == 1024);
}

TEST_CASE("gaps: far-apart addresses come together, and what is pointed at has its true address") {
  OpenedSpaces o("far.csv", far_apart());
  REQUIRE(o.state().camera.map != nullptr);
  REQUIRE(o.state().camera.map->breaks().size() == 1);
  for (BufferIndex i = 0; i < 4; ++i) {
    o.ui.move(o.middle_of(i));
    CHECK(o.state().hovered == i);
    const auto offset = static_cast<double>(o.state().offsets()[i]);
    REQUIRE(o.state().cursor_byte.has_value());
    CHECK(*o.state().cursor_byte >= offset);
    CHECK(*o.state().cursor_byte < offset + static_cast<double>(o.state().problem()[i].size));
  }
  o.ui.click("chart.options");
  REQUIRE(o.ui.has("chart.options.shorten_gaps"));
  o.ui.click("chart.options.shorten_gaps");
  CHECK(o.state().camera.map == nullptr);
  CHECK(o.state().camera.byte_at(o.state().camera.area.top) > 3e12);
  o.run(CommandId::shorten_gaps);
  CHECK(o.state().camera.map != nullptr);
}

TEST_CASE("gaps: a view stays at its addresses when another plan is shown that has none") {
  OpenedSpaces o("far.csv", far_apart());
  o.run(CommandId::run_all);
  REQUIRE(o.ui.settle());
  o.state().push(action::ShowPlan{"file"});
  o.ui.frames(3);
  o.state().push(action::FrameBuffers{{2}});
  o.ui.frames(3);
  const double high = o.state().camera.byte_at(o.state().camera.area.top);
  o.state().push(action::ShowPlan{"first-fit-size"});
  o.ui.frames(3);
  CHECK(o.state().camera.map == nullptr);
  CHECK(o.state().camera.byte_at(o.state().camera.area.top) == doctest::Approx(high).epsilon(1e-6));
}

TEST_CASE("gaps: dragging a body in the far segment gives a true offset") {
  OpenedSpaces o("far.csv", far_apart());
  o.ui.press("E");
  o.ui.click(o.middle_of(2));
  const ImVec2 from = o.middle_of(2);
  const Viewport view = o.state().camera;
  const float step = view.y_of_address(3298534883328) - view.y_of_address(3298534883328 + 65536);
  o.ui.drag(from, ImVec2(from.x, from.y - step));
  REQUIRE(o.ui.settle());
  CHECK(o.state().offsets()[2] > 3298534883328 + 60'000);
  CHECK(o.state().offsets()[2] < 3298534883328 + 71'000);
}

TEST_CASE("minimap: off for small problems until it is asked for; a click centres, a drag pans") {
  OpenedSpaces o("two.csv", small_problem());
  CHECK_FALSE(o.ui.has("chart.minimap"));
  o.run(CommandId::minimap);
  REQUIRE(o.ui.has("chart.minimap"));
  o.run(CommandId::zoom_in);
  o.run(CommandId::zoom_in);
  o.run(CommandId::zoom_in);
  o.run(CommandId::zoom_in);
  const ImVec2 low = o.ui.point("chart.minimap", 0.1F, 0.9F);
  o.ui.click(low);
  const Viewport view = o.state().camera;
  const double middle = view.time_at((view.area.left + view.area.right) / 2);
  CHECK(middle < 3);
  CHECK(o.state().selection.empty());
  const double byte = view.byte_at((view.area.top + view.area.bottom) / 2);
  const ImVec2 grip = o.ui.centre("chart.minimap.view");
  const ImVec2 to = o.ui.point("chart.minimap", 0.7F, 0.4F);
  o.ui.drag(grip, to);
  const Viewport moved = o.state().camera;
  CHECK(moved.time_at((view.area.left + view.area.right) / 2) > middle + 3);
  CHECK(moved.byte_at((view.area.top + view.area.bottom) / 2) > byte + 3);
  CHECK(moved.time_high - moved.time_low == doctest::Approx(view.time_high - view.time_low));
  const std::uint64_t built = o.state().part<Minimap>().scene.built;
  o.ui.frames(10);
  CHECK(o.state().part<Minimap>().scene.built == built);
  o.run(CommandId::minimap);
  CHECK_FALSE(o.ui.has("chart.minimap"));
}
