#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/history_compare.h"
#include "ui/panels.h"

using namespace stowage;
using stowage::testing::TemporaryFolder;
using stowage::testing::UiDriver;

namespace {

void change(UiDriver& ui, const char* label, std::vector<Edit> edits) {
  ui.state().push(action::EditProblem{EditRequest{label, std::move(edits), false}});
  REQUIRE(ui.settle());
}

}  // namespace

TEST_CASE("history: its key shows it, a click jumps to any entry, and what can be done again stays") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  CHECK_FALSE(place_of(state, "history"));
  ui.press("H");
  REQUIRE(ui.has("history.0"));
  change(ui, "Size of a", {edit::Size{0, 40}});
  change(ui, "Size of b", {edit::Size{1, 50}});
  change(ui, "Size of c", {edit::Size{2, 60}});
  REQUIRE(ui.has("history.3"));
  CHECK(ui.has("history.bytes"));
  CHECK(state.editing.history.position() == 3);
  ui.click(ui.point("history.1", 0.3F, 0.5F));
  CHECK(state.editing.history.position() == 1);
  CHECK(state.problem()[0].size == 40);
  CHECK(state.problem()[1].size == 5);
  CHECK(ui.has("history.3"));
  ui.click(ui.point("history.3", 0.3F, 0.5F));
  CHECK(state.problem()[2].size == 60);
  ui.click(ui.point("history.0", 0.3F, 0.5F));
  CHECK(state.problem()[0].size == 4);
  CHECK_FALSE(state.editing.history.dirty());
}

TEST_CASE("history: the present is compared with an entry, buffer by buffer, and follows it") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  ui.press("H");
  const std::int64_t makespan = state.shown_facts()->metrics.makespan;
  change(ui, "Size of a", {edit::Size{0, 40}});
  change(ui, "Removed b", {edit::Remove{{1}}});
  ui.click("history.compare.0");
  REQUIRE(ui.settle());
  const auto& compared = state.part<ComparedEntry>();
  REQUIRE(compared.changes);
  CHECK(compared.changes->edited == 1);
  CHECK(compared.changes->removed == 1);
  CHECK(compared.makespan == makespan);
  CHECK(ui.has("history.compare.counts"));
  REQUIRE(ui.has("history.change.0"));
  ui.click("history.change.0");
  CHECK(state.selection == std::vector<BufferIndex>{0});
  CHECK_FALSE(state.camera_home);
  change(ui, "Size of c", {edit::Size{1, 60}});
  REQUIRE(compared.changes);
  CHECK(compared.changes->edited == 2);
  // The compared entry as the present has nothing beside it.
  ui.click(ui.point("history.0", 0.3F, 0.5F));
  REQUIRE(ui.settle());
  CHECK(compared.entry == 0);
  CHECK_FALSE(ui.has("history.compare.counts"));
  ui.click("history.compare.2");
  REQUIRE(ui.settle());
  CHECK(compared.entry != 0);
  ui.click("history.compare.close");
  CHECK(compared.entry == 0);
}
