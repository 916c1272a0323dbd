#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

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
  ui.press("Escape");
  CHECK_FALSE(ui.has("chart.measure"));
  ImGui::GetIO().MouseDown[0] = false;
  ui.frames(2);
  ui.hold("M", false);
  CHECK(ui.state().selection.empty());
  CHECK(ui.state().camera == camera);
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
