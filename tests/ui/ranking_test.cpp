#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/opened_compare.h"
#include "tests/ui/sample.h"
#include "ui/comparing.h"

using namespace stowage;
using namespace stowage::testing;

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

TEST_CASE("plans: one that was asked for is an entry that undo takes back; what plans by itself is none") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("collide.csv", colliding_plan())));
  Workbench::State& state = ui.state();
  const auto& history = state.editing.history;
  REQUIRE(state.document.plans.size() == 1);
  state.push(action::RunAllocator{"first-fit-size"});
  REQUIRE(ui.settle());
  CHECK(history.position() == 1);
  CHECK(history.dirty());
  CHECK(state.shown_plan == "first-fit-size");
  // The same again says nothing new.
  state.push(action::RunAllocator{"first-fit-size"});
  REQUIRE(ui.settle());
  CHECK(history.position() == 1);
  ui.press("Ctrl+Z");
  REQUIRE(ui.settle());
  CHECK(state.document.plans.size() == 1);
  CHECK(state.shown_plan == "file");
  CHECK_FALSE(history.dirty());
  ui.press("Ctrl+Y");
  REQUIRE(ui.settle());
  CHECK(state.document.find_plan("first-fit-size") != nullptr);
  // All of them are one entry.
  ui.press("Ctrl+R");
  REQUIRE(ui.settle());
  CHECK(history.position() == 2);
  CHECK(state.document.plans.size() > 4);
  // So is a plan of another file.
  add_plans_of_file(state, folder.write("other.csv", "id,lower,upper,size,offset\nx,0,5,8,0\ny,2,7,8,64\nz,8,9,3,0\n"));
  REQUIRE(ui.settle());
  CHECK(history.position() == 3);
  ui.press("Ctrl+Z");
  REQUIRE(ui.settle());
  CHECK(state.document.find_plan("other.csv") == nullptr);
}

TEST_CASE("plans: a problem without a plan is planned by itself, and that leaves it as it was saved") {
  OpenedCompare o;
  CHECK(o.state().document.plans.size() > 1);
  CHECK(o.state().editing.history.position() == 0);
  CHECK_FALSE(o.state().editing.history.dirty());
}

TEST_CASE("scatter: a click on a point shows its plan") {
  OpenedCompare o;
  o.ui.press("4");
  o.ui.frames(3);
  std::size_t clicked = 0;
  for (const std::string& id : o.state().ranked_plans()) {
    if (!o.ui.has("scatter." + id) || id == o.state().shown_plan) continue;
    const ImVec2 at = o.ui.centre("scatter." + id);
    const std::vector<std::string> plans = o.state().ranked_plans();
    const bool alone = std::none_of(plans.begin(), plans.end(), [&](const std::string& two) {
      if (two == id || !o.ui.has("scatter." + two)) return false;
      const ImVec2 beside = o.ui.centre("scatter." + two);
      return std::abs(beside.x - at.x) < 14 && std::abs(beside.y - at.y) < 14;
    });
    if (!alone) continue;
    o.ui.click("scatter." + id);
    CHECK(o.state().shown_plan == id);
    ++clicked;
  }
  CHECK(clicked > 0);
}

TEST_CASE("allocators: plans are ranked by name, time, makespan or issues, and pinned ones stand above") {
  const TemporaryFolder folder;
  UiDriver ui(1600, 2000);
  REQUIRE(ui.open(folder.write("collide.csv", colliding_plan())));
  ui.press("Ctrl+R");
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  const auto order = [&] {
    std::vector<std::string> ids = state.ranked_plans();
    std::erase_if(ids, [&](const std::string& id) { return !ui.has("allocators." + id); });
    std::stable_sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
      return ui.centre("allocators." + a).y < ui.centre("allocators." + b).y;
    });
    return ids;
  };
  REQUIRE(order().size() > 4);
  const auto facts = [&](const std::string& id) -> const PlanFacts& {
    return *state.facts_of(id);
  };
  const auto sorted_by = [&](const char* word, auto less) {
    ui.click(std::string("allocators.sort.") + word);
    ui.frames(3);
    const std::vector<std::string> ids = order();
    return std::is_sorted(ids.begin(), ids.end(), less);
  };
  CHECK(sorted_by("name", [](const std::string& a, const std::string& b) {
    return Workbench::State::title_of_plan(a) < Workbench::State::title_of_plan(b);
  }));
  CHECK(sorted_by("time", [&](const std::string& a, const std::string& b) {
    const auto time = [&](const std::string& id) {
      return facts(id).seconds < 0 ? 1e300 : facts(id).seconds;
    };
    return time(a) < time(b);
  }));
  CHECK(sorted_by("issues", [&](const std::string& a, const std::string& b) {
    return facts(a).report.count < facts(b).report.count;
  }));
  CHECK(order().back() == "file");  // the only one that collides
  CHECK(sorted_by("makespan", [&](const std::string& a, const std::string& b) {
    if (facts(a).report.valid() != facts(b).report.valid()) return facts(a).report.valid();
    return facts(a).metrics.makespan < facts(b).metrics.makespan;
  }));
  const auto pin = [&](const std::string& id) {
    ui.move(ui.centre("allocators." + id));
    ImGui::GetIO().MouseDown[1] = true;
    ui.frame();
    ImGui::GetIO().MouseDown[1] = false;
    ui.frames(3);
    ui.click("allocators.pin." + id);
    ui.frames(3);
  };
  const std::string first = order().front();
  const std::string fourth = order()[3];
  pin(fourth);
  CHECK(order().front() == fourth);
  pin(fourth);
  CHECK(order().front() == first);
}

TEST_CASE("bars: of many plans each keeps a row that can be read; the rest is scrolled to") {
  OpenedCompare o;
  o.ui.press("2");
  REQUIRE(o.ui.has("compare.canvas"));
  const Ui::Box& canvas = o.state().ui.widgets.at("compare.canvas");
  const auto plans = static_cast<float>(o.state().document.plans.size());
  CHECK(plans > 10);
  CHECK(canvas.high.y - canvas.low.y >= 16 * plans);
}
