#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/panels.h"
#include "ui/presentation.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedCompare {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedCompare() {
    const std::string path = folder.write("small.csv", small_problem());
    REQUIRE(ui.open(path));
  }
  Workbench::State& state() { return ui.state(); }
};

}  // namespace

TEST_CASE("compare: two plans lie side by side with one camera, one selection and one cursor") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  REQUIRE(o.ui.has("side_by_side"));
  REQUIRE(o.ui.has("side.canvas.0"));
  REQUIRE(o.ui.has("side.canvas.1"));
  const Plan* other = compared_plan(o.state());
  REQUIRE(other != nullptr);
  CHECK(other->id != o.state().shown_plan);
  // Zooming in one column moves both: the camera is the document's.
  const double before = o.state().camera.time_high - o.state().camera.time_low;
  const std::uint64_t built = o.state().part<Comparing>().scenes[1].built;
  o.ui.wheel(o.ui.centre("side.canvas.0"), 1);
  CHECK(o.state().camera.time_high - o.state().camera.time_low < before);
  CHECK(o.state().part<Comparing>().scenes[1].built > built);
  CHECK(o.state().cursor_time.has_value());
  // A third column, and its end.
  o.ui.click("side.add");
  o.ui.frames(2);
  CHECK(o.ui.has("side.canvas.2"));
  o.ui.click("side.close.2");
  o.ui.frames(2);
  CHECK_FALSE(o.ui.has("side.canvas.2"));
}

TEST_CASE("compare: swapping exchanges the two, and the overlay draws one chart") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  const std::string shown = o.state().shown_plan;
  const std::string other = compared_plan(o.state())->id;
  o.ui.click("side.swap");
  CHECK(o.state().shown_plan == other);
  CHECK(compared_plan(o.state())->id == shown);
  o.ui.click("side.overlay");
  o.ui.frames(2);
  CHECK(o.ui.has("side.canvas.0"));
  CHECK_FALSE(o.ui.has("side.canvas.1"));
}

TEST_CASE("compare: the differences are exactly the buffers at other addresses, and a click frames one") {
  OpenedCompare o;
  o.state().push(action::ShowPlan{"naive"});
  o.ui.frame();
  o.state().part<Comparing>().other = "first-fit-size";
  o.state().push(action::ShowPanel{"differences"});
  o.ui.frames(3);
  REQUIRE(o.ui.has("differences"));
  const Plan* here = o.state().document.find_plan("naive");
  const Plan* there = o.state().document.find_plan("first-fit-size");
  std::size_t moved = 0;
  for (std::size_t i = 0; i < here->offsets.size(); ++i) moved += here->offsets[i] != there->offsets[i] ? 1U : 0U;
  REQUIRE(moved > 0);
  CHECK(differences(o.state()).moved == moved);
  CHECK(o.ui.has("differences.waste"));
  o.ui.click("differences.0");
  CHECK(o.state().selection.size() == 1);
  std::size_t up = 0;
  for (std::size_t i = 0; i < here->offsets.size(); ++i) up += here->offsets[i] > there->offsets[i] ? 1U : 0U;
  for (const auto& [filter, count] : {std::pair("differences.up", up), std::pair("differences.down", moved - up)}) {
    o.ui.click(filter);
    o.ui.frames(3);
    CHECK(o.ui.has(fmt::format("differences.{}", count)) == false);
    if (count > 0) CHECK(o.ui.has(fmt::format("differences.{}", count - 1)));
  }
}

TEST_CASE("compare: a plan of another file joins, its buffers matched by name or by shape") {
  OpenedCompare o;
  const std::string path = o.folder.write("other.csv",
                                          "id,lower,upper,size,offset\n"
                                          "a,0,6,4,100\n"
                                          "renamed,0,3,5,200\n"
                                          "c,4,9,6,300\n"
                                          "stranger,1,2,3,400\n");
  o.ui.press("3");
  o.ui.frames(3);
  add_plan_of_file(o.state(), path);
  REQUIRE(o.ui.settle());
  const Plan* added = o.state().document.find_plan("other.csv");
  REQUIRE(added != nullptr);
  CHECK(added->offsets[0] == 100);
  CHECK(added->offsets[1] == 200);
  CHECK(added->offsets[2] == 300);
  CHECK(added->offsets[3] == kNoOffset);
  CHECK(o.state().part<Comparing>().unmatched == std::vector<std::string>{"stranger"});
  add_plan_of_file(o.state(), o.folder.file("absent.csv"));
  REQUIRE(o.ui.settle());
  CHECK(std::any_of(o.state().notices.begin(), o.state().notices.end(), [](const Notice& n) { return n.error; }));
}

TEST_CASE("scatter: every timed plan is a point, and a click shows it") {
  OpenedCompare o;
  o.ui.press("4");
  o.ui.frames(3);
  REQUIRE(o.ui.has("scatter"));
  for (const std::string& id : o.state().ranked_plans()) {
    const PlanFacts* facts = o.state().facts_of(id);
    if (facts != nullptr && facts->seconds >= 0) CHECK(o.ui.has("scatter." + id));
  }
}

TEST_CASE("colours: each choice draws, C goes round, and the palette stays for the next start") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  {
    UiDriver ui(1600, 1000, folder.path());
    REQUIRE(ui.open(csv));
    for (std::size_t k = 0; k < colour_choices().size(); ++k) {
      const std::uint64_t built = ui.state().map.built;
      ui.press("C");
      ui.frames(2);
      CHECK(chosen_colouring(ui.state()) == colour_choices()[(k + 1) % colour_choices().size()].by);
      CHECK(ui.state().map.built > built);
    }
    ui.state().later([](Workbench::State& state) {
      choose_palette(state, "okabe-ito");
      choose_colouring(state, ColourBy::kSize);
    });
    ui.frames(3);
    REQUIRE(colouring_of(ui.state()).legend.size() > 1);
    const std::string query = colouring_of(ui.state()).legend[0].query;
    ui.click("legend." + colouring_of(ui.state()).legend[0].title);
    CHECK(ui.state().query == query);
    CHECK(ui.state().query_error.empty());
  }
  UiDriver again(1600, 1000, folder.path());
  CHECK(chosen_palette(again.state()).id == "okabe-ito");
  CHECK(chosen_colouring(again.state()) == ColourBy::kSize);
}

TEST_CASE("presentation: only the chart and its load, larger; Esc brings everything back") {
  OpenedCompare o;
  const Settings before = o.state().settings;
  o.ui.press("F10");
  o.ui.frames(3);
  CHECK(o.ui.has("chart.canvas"));
  CHECK_FALSE(o.ui.has("buffers"));
  CHECK_FALSE(o.ui.has("inspector"));
  CHECK(o.ui.workbench().font_scale() == doctest::Approx(1.5F));
  CHECK(o.ui.host.full);
  o.ui.press("Escape");
  o.ui.frames(3);
  CHECK(o.ui.has("buffers"));
  CHECK(o.state().settings.panels == before.panels);
  CHECK(o.ui.workbench().font_scale() == doctest::Approx(1.0F));
  CHECK_FALSE(o.ui.host.full);
}
