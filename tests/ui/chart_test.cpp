#include <string>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedChart {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedChart() {
    const std::string path = folder.write("small.csv", small_problem());
    REQUIRE(ui.open(path));
  }
  double times() { return ui.state().camera.time_high - ui.state().camera.time_low; }
  double bytes() { return ui.state().camera.byte_high - ui.state().camera.byte_low; }
  /// The middle of a buffer's rectangle on the screen.
  ImVec2 middle_of(BufferIndex i) {
    const Viewport& view = ui.state().camera;
    const Buffer& b = ui.state().problem()[i];
    const float x = (view.x_of_step(b.start) + view.x_of_step(b.end)) / 2;
    const float y =
        (view.y_of_address(ui.state().offsets()[i]) + view.y_of_address(ui.state().offsets()[i] + b.size)) / 2;
    const ImVec2 origin = ui.point("chart.canvas", 0, 0);
    return ImVec2(origin.x + x, origin.y + y);
  }
};

}  // namespace

TEST_CASE("chart: the wheel zooms both axes, with a modifier or over an axis only one") {
  OpenedChart o;
  const ImVec2 inside = o.ui.point("chart.area", 0.5F, 0.5F);
  double times = o.times(), bytes = o.bytes();
  o.ui.wheel(inside, 1);
  CHECK(o.times() < times);
  CHECK(o.bytes() < bytes);

  times = o.times(), bytes = o.bytes();
  o.ui.hold("Shift", true);
  o.ui.wheel(inside, 1);
  o.ui.hold("Shift", false);
  CHECK(o.times() == doctest::Approx(times));
  CHECK(o.bytes() < bytes);

  times = o.times(), bytes = o.bytes();
  o.ui.hold("Ctrl", true);
  o.ui.wheel(inside, 1);
  o.ui.hold("Ctrl", false);
  CHECK(o.times() < times);
  CHECK(o.bytes() == doctest::Approx(bytes));

  times = o.times(), bytes = o.bytes();
  const ImVec2 low_left = o.ui.point("chart.area", 0, 0.5F);
  o.ui.wheel(ImVec2(low_left.x - 20, low_left.y), -1);
  CHECK(o.times() == doctest::Approx(times));
  CHECK(o.bytes() > bytes);

  times = o.times(), bytes = o.bytes();
  const ImVec2 below = o.ui.point("chart.area", 0.5F, 1);
  o.ui.wheel(ImVec2(below.x, below.y + 12), -1);
  CHECK(o.times() > times);
  CHECK(o.bytes() == doctest::Approx(bytes));
}

TEST_CASE("chart: the wheel keeps the point under the cursor") {
  OpenedChart o;
  const ImVec2 at = o.ui.point("chart.area", 0.3F, 0.7F);
  o.ui.move(at);
  REQUIRE(o.ui.state().cursor_time.has_value());
  const double time = *o.ui.state().cursor_time;
  const double byte = *o.ui.state().cursor_byte;
  o.ui.wheel(at, 2);
  CHECK(*o.ui.state().cursor_time == doctest::Approx(time).epsilon(0.001));
  CHECK(*o.ui.state().cursor_byte == doctest::Approx(byte).epsilon(0.001));
}

TEST_CASE("chart: a drag pans, and Backspace and Alt+Right walk through the views") {
  OpenedChart o;
  const Viewport home = o.ui.state().camera;
  o.ui.drag(o.ui.point("chart.area", 0.5F, 0.5F), o.ui.point("chart.area", 0.4F, 0.5F));
  const Viewport moved = o.ui.state().camera;
  CHECK(moved.time_low > home.time_low);
  CHECK(o.ui.state().selection.empty());
  o.ui.press("Backspace");
  CHECK(o.ui.state().camera == home);
  o.ui.press("Alt+Right");
  CHECK(o.ui.state().camera == moved);
  o.ui.press("Home");
  CHECK(o.ui.state().camera.time_low == doctest::Approx(home.time_low));
}

TEST_CASE("chart: click selects and stays, Ctrl adds, empty space and Esc clear") {
  OpenedChart o;
  o.ui.click(o.middle_of(0));
  CHECK(o.ui.state().selection == std::vector<BufferIndex>{0});
  o.ui.click(o.middle_of(0));
  CHECK(o.ui.state().selection == std::vector<BufferIndex>{0});
  o.ui.hold("Ctrl", true);
  o.ui.click(o.middle_of(4));
  o.ui.hold("Ctrl", false);
  CHECK(o.ui.state().selection == std::vector<BufferIndex>{0, 4});
  o.ui.click(o.ui.point("chart.area", 0.01F, 0.01F));
  CHECK(o.ui.state().selection.empty());
  o.ui.click(o.middle_of(1));
  o.ui.press("Escape");
  CHECK(o.ui.state().selection.empty());
}

TEST_CASE("chart: Shift+drag selects what the box meets, Esc during the drag selects nothing") {
  OpenedChart o;
  o.ui.hold("Shift", true);
  o.ui.drag(o.ui.point("chart.area", 0.001F, 0.001F), o.ui.point("chart.area", 0.999F, 0.999F));
  o.ui.hold("Shift", false);
  CHECK(o.ui.state().selection.size() == 6);
}

TEST_CASE("chart: F and a double-click frame the buffer, a double-click on nothing shows all") {
  OpenedChart o;
  o.ui.click(o.middle_of(2));
  o.ui.press("F");
  const Buffer& c = o.ui.state().problem()[2];
  CHECK(o.ui.state().camera.time_low < static_cast<double>(c.start));
  CHECK(o.ui.state().camera.time_high > static_cast<double>(c.end));
  CHECK(o.times() < 2.0 * static_cast<double>(c.lifetime()));
  o.ui.press("0");
  CHECK(o.ui.state().camera_home);
  o.ui.double_click(o.middle_of(4));
  CHECK_FALSE(o.ui.state().camera_home);
  CHECK(o.ui.state().chosen() == 4);
  o.ui.press("0");
  o.ui.double_click(o.ui.point("chart.area", 0.01F, 0.01F));
  CHECK(o.ui.state().camera_home);
}

TEST_CASE("chart: an arrow selects a neighbour in its direction") {
  OpenedChart o;
  o.ui.click(o.middle_of(1));
  o.ui.press("Right");
  REQUIRE(o.ui.state().chosen() != kNoBuffer);
  CHECK(o.ui.state().chosen() != 1);
  CHECK(o.ui.state().problem()[o.ui.state().chosen()].end > o.ui.state().problem()[1].end);
}

TEST_CASE("load curve: dragging inside the brush pans time, dragging a handle changes its length") {
  OpenedChart o;
  o.ui.click(o.middle_of(2));
  o.ui.press("F");
  const double low = o.ui.state().camera.time_low, length = o.times();
  const ImVec2 middle = o.ui.point("load.area", 0.54F, 0.5F);
  o.ui.drag(middle, ImVec2(middle.x - 60, middle.y));
  CHECK(o.ui.state().camera.time_low < low);
  CHECK(o.times() == doctest::Approx(length));
  o.ui.press("0");
  const ImVec2 right = o.ui.point("load.area", 0.9F, 0.5F);
  const double all = o.times();
  o.ui.drag(o.ui.point("load.area", 0.2F, 0.5F), right);
  CHECK(o.times() < all);
}

TEST_CASE("chart: nothing is made again while nothing changes") {
  OpenedChart o;
  o.ui.frames(3);
  const std::uint64_t map = o.ui.state().map.built;
  const std::uint64_t load = o.ui.state().load.built;
  const std::size_t uploads = o.ui.host.uploads;
  o.ui.frames(10);
  o.ui.move(o.ui.point("chart.area", 0.5F, 0.5F));
  o.ui.move(o.ui.point("chart.area", 0.6F, 0.5F));
  CHECK(o.ui.state().map.built == map);
  CHECK(o.ui.state().load.built == load);
  CHECK(o.ui.host.uploads == uploads);
  CHECK_FALSE(o.ui.workbench().animating());
}

TEST_CASE("chart: a hundred thousand buffers become a few hundred shapes") {
  const TemporaryFolder folder;
  const ProblemInput input = synthetic_family(100'000, 1);
  std::string csv = "id,lower,upper,size\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += std::to_string(i) + "," + std::to_string(b.start) + "," + std::to_string(b.end) + "," +
           std::to_string(b.size) + "\n";
  }
  UiDriver ui;
  REQUIRE(ui.open(folder.write("large.csv", csv)));
  REQUIRE(ui.state().plan() != nullptr);
  CHECK(ui.state().shown_plan == "first-fit-size");
  CHECK(ui.state().document.plans.size() == 1);
  CHECK(ui.state().map.stats.vectors <= 1000);
  CHECK(ui.state().map.scene.items.size() < 4000);
  ui.frame();
  CHECK(ImGui::GetDrawData()->TotalVtxCount < 120'000);
  ui.click("buffers.sort.name");
  REQUIRE(ui.settle());
  CHECK(ui.state().rows.order.front() == 0);
  CHECK(ui.has("buffers.row.0"));
}
