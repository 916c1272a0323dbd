#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/hand.h"
#include "tests/ui/sample.h"
#include "ui/measuring.h"
#include "ui/splitter_keys.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("chart: M and a drag measure, and neither select nor pan") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const Viewport camera = ui.state().camera;
  const ImVec2 from = ui.point("chart.area", 0.25F, 0.75F);
  const ImVec2 to = ui.point("chart.area", 0.75F, 0.25F);
  ui.hold("M", true);
  ui.move(from);
  ImGui::GetIO().MouseDown[0] = true;
  ui.frame();
  ui.move(ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2));
  ui.move(to);
  CHECK(ui.has("chart.measure"));
  const Ui::Box box = ui.state().ui.widgets.at("chart.measure");
  CHECK(box.low.x == doctest::Approx(from.x).epsilon(0.01));
  CHECK(box.high.x == doctest::Approx(to.x).epsilon(0.01));
  // Steps, bytes and the largest load inside; the peak of 13 B at step 8 lies within the half that was measured.
  const Viewport& view = ui.state().camera;
  const double steps = (view.time_high - view.time_low) / 2;
  const std::string& words = ui.state().part<Measuring>().words;
  CHECK(std::stod(words) == doctest::Approx(steps).epsilon(0.03));
  CHECK(words.find(" steps\n") != std::string::npos);
  CHECK(words.find(" B\nload up to 13 B") != std::string::npos);
  ui.press("Escape");
  CHECK_FALSE(ui.has("chart.measure"));
  ImGui::GetIO().MouseDown[0] = false;
  ui.frames(2);
  ui.hold("M", false);
  CHECK(ui.state().selection.empty());
  CHECK(ui.state().camera == camera);
}

TEST_CASE("chart: Shift+M measures the selection, without one the view, until it is pressed again") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  ui.state().push(action::Select{{0, 4}, SelectMode::kReplace});  // a and e: steps 0 to 12
  ui.frame();
  ui.press("Shift+M");
  REQUIRE(ui.has("chart.measured"));
  REQUIRE(ui.has("chart.measured.words"));
  const Measuring& measuring = ui.state().part<Measuring>();
  CHECK(measuring.words.find("12.0 steps") == 0);
  CHECK(measuring.words.find("load up to 13 B") != std::string::npos);
  ui.press("Shift+M");
  CHECK_FALSE(ui.has("chart.measured"));
  ui.press("Shift+M");
  ui.press("Escape");  // the selection is gone, and with it what it spans
  CHECK_FALSE(ui.has("chart.measured"));
  ui.press("Shift+M");
  REQUIRE(ui.has("chart.measured"));
  const Ui::Box box = ui.state().ui.widgets.at("chart.measured");
  const Ui::Box area = ui.state().ui.widgets.at("chart.area");
  CHECK(box.low.x == doctest::Approx(area.low.x).epsilon(0.01));
  CHECK(box.high.x == doctest::Approx(area.high.x).epsilon(0.01));
}

TEST_CASE("window: every splitter is chosen and moved by keys") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  ui.press("Alt+Shift+Right");  // none is chosen: nothing happens
  CHECK(ui.workbench().settings().layout.empty());
  const std::size_t count = ui.state().part<SplitterKeys>().names.size();
  REQUIRE(count >= 4);
  for (std::size_t k = 0; k < count; ++k) {
    ui.press("F6");
    ui.frames(2);
    REQUIRE(ui.has("splitter.chosen"));
    const std::string name = "splitter." + ui.state().part<SplitterKeys>().chosen;
    INFO(name);
    const Ui::Box before = ui.state().ui.widgets.at(name);
    const bool vertical = before.high.y - before.low.y > before.high.x - before.low.x;
    const auto middle = [&] {
      return vertical ? ui.centre(name).x : ui.centre(name).y;
    };
    const float was = middle();
    ui.press(vertical ? "Alt+Shift+Left" : "Alt+Shift+Up");
    ui.frames(3);
    CHECK(middle() == doctest::Approx(was - SplitterKeys::kStep).epsilon(0.01));
    ui.press(vertical ? "Alt+Shift+Right" : "Alt+Shift+Down");
    ui.frames(3);
    CHECK(middle() == doctest::Approx(was).epsilon(0.01));
  }
  ui.press("F6");
  ui.frames(2);
  CHECK_FALSE(ui.has("splitter.chosen"));
}

TEST_CASE("find: what does not match is dimmed in the memory map, the matches keep their colours") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const auto color_of = [&](BufferIndex i) {
    const Viewport& view = ui.state().camera;
    const Buffer& b = ui.state().problem()[i];
    const float x = view.x_of(static_cast<double>(b.start + b.end) / 2);
    const float y = view.y_of(static_cast<double>(ui.state().offsets()[i]) + static_cast<double>(b.size) / 4);
    Color found;
    for (const DrawItem& item : ui.state().map.scene.items) {
      const auto* fill = std::get_if<draw::Fill>(&item);
      if (fill != nullptr && fill->color.a == 255 && fill->rect.contains(Point{x, y})) found = fill->color;
    }
    return found;
  };
  const auto count = static_cast<BufferIndex>(ui.state().problem().size());
  std::vector<Color> before;
  for (BufferIndex i = 0; i < count; ++i) before.push_back(color_of(i));
  ui.press("Ctrl+F");
  ui.type("size>5");  // c and e
  REQUIRE(ui.settle());
  for (BufferIndex i = 0; i < count; ++i) {
    INFO(ui.state().problem().id(i));
    CHECK((color_of(i) == before[i]) == (ui.state().problem()[i].size > 5));
  }
  ui.press("Escape");
  REQUIRE(ui.settle());
  for (BufferIndex i = 0; i < count; ++i) CHECK(color_of(i) == before[i]);
}

TEST_CASE("window: each splitter changes its size, and the window keeps it") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const auto size_of = [&](const char* pane) {
    const Ui::Box box = ui.state().ui.widgets.at(pane);
    return ImVec2(box.high.x - box.low.x, box.high.y - box.low.y);
  };
  const auto drag = [&](const char* name, float dx, float dy) {
    const ImVec2 bar = ui.centre(name);
    ui.drag(bar, ImVec2(bar.x + dx, bar.y + dy));
    ui.frames(3);
  };
  float before = size_of("inspector").x;
  drag("splitter.right", -50, 0);
  CHECK(size_of("inspector").x == doctest::Approx(before + 50).epsilon(0.02));
  before = size_of("buffers").y;
  drag("splitter.left_split", 0, -60);
  CHECK(size_of("buffers").y == doctest::Approx(before - 60).epsilon(0.02));
  before = size_of("load").y;
  drag("splitter.centre", 0, -40);
  CHECK(size_of("load").y == doctest::Approx(before + 40).epsilon(0.02));
  CHECK(ui.workbench().settings().layout.contains("right"));
  CHECK(ui.workbench().settings().layout.contains("left_split"));
  CHECK(ui.workbench().settings().layout.contains("centre_split"));
}

TEST_CASE("allocators: a running one is cancelled by its button and leaves no plan") {
  const TemporaryFolder folder;
  const ProblemInput input = synthetic_family(30'000, 2);
  std::string csv = "id,lower,upper,size\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += fmt::format("{},{},{},{}\n", i, b.start, b.end, b.size);
  }
  UiDriver ui(1600, 3000);  // high enough for every row of the list
  REQUIRE(ui.open(folder.write("many.csv", csv)));
  ui.state().push(action::MovePanel{"buffers", "hidden"});
  ui.state().push(action::RunAllocator{"genetic"});
  ui.frame();
  REQUIRE(ui.until([&] { return ui.has("allocators.cancel.genetic"); }, 200));
  ui.click("allocators.cancel.genetic");
  REQUIRE(ui.settle());
  CHECK(ui.state().document.find_plan("genetic") == nullptr);
  CHECK_FALSE(ui.has("allocators.cancel.genetic"));
  CHECK(ui.state().runs["genetic"].stage == AllocatorRun::Stage::kIdle);
}

TEST_CASE("chart: what a double click has framed stays selected, though the view has moved under the pointer") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const Hand hand{ui};
  constexpr BufferIndex kLast = 5;  // ends with the problem: framed, it leaves the right edge of the view
  ui.double_click(hand.inside(kLast, 0.95, 0.5));
  CHECK_FALSE(ui.state().camera_home);
  CHECK(ui.state().selection == std::vector<BufferIndex>{kLast});
}
