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

TEST_CASE("history: the panel writes what each change did to makespan and load, whichever entry is the present") {
  const TemporaryFolder folder;
  UiDriver ui;
  // All at once, so that every plan is as high as the load.
  REQUIRE(ui.open(folder.write("three.csv", "id,lower,upper,size\na,0,10,4\nb,0,10,5\nc,0,10,6\n")));
  ui.press("H");
  change(ui, "Size of a", {edit::Size{0, 40}});
  change(ui, "Lifetime of c", {edit::Lifetime{2, 10, 20}});
  change(ui, "Kind of b", {edit::Kind{1, "weight"}});
  const auto all_written = [&] {
    CHECK(ui.state().ui.words["history.0"] == "15 B  load 15 B");
    CHECK(ui.state().ui.words["history.1"] == "51 B  makespan +36 B  load +36 B");
    CHECK(ui.state().ui.words["history.2"] == "45 B  makespan \u22126 B  load \u22126 B");
    CHECK(ui.state().ui.words["history.3"] == "45 B  makespan \u00B10  load \u00B10");
  };
  all_written();
  const auto present_after = [&](const char* key, std::size_t position, std::int64_t bytes) {
    CAPTURE(key);
    ui.press(key);
    REQUIRE(ui.settle());
    CHECK(ui.state().editing.history.position() == position);
    CHECK(ui.state().analysis.facts.load == bytes);
    CHECK(ui.state().shown_facts()->metrics.makespan == bytes);
    all_written();
  };
  present_after("Ctrl+Z", 2, 45);
  present_after("Ctrl+Z", 1, 51);
  present_after("Ctrl+Z", 0, 15);
  present_after("Ctrl+Y", 1, 51);
  ui.click(ui.point("history.3", 0.3F, 0.5F));
  REQUIRE(ui.settle());
  CHECK(ui.state().editing.history.position() == 3);
  all_written();
  ui.click(ui.point("history.0", 0.3F, 0.5F));
  REQUIRE(ui.settle());
  CHECK(ui.state().analysis.facts.load == 15);
  all_written();
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
