#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/edited_file.h"
#include "tests/ui/hand.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("Ctrl+N opens an empty board on which a drag draws a buffer") {
  UiDriver ui;
  const Hand hand{ui};
  ui.press("Ctrl+N");
  Workbench::State& state = ui.state();
  REQUIRE(ui.has("chart.area"));
  CHECK(state.editing.mode);
  CHECK(ui.host.title.find("untitled") != std::string::npos);
  CHECK_FALSE(state.editing.history.dirty());
  CHECK(ui.has("chart.board.hint"));  // what to do with an empty chart
  hand.press(hand.at(2, 1000));
  hand.move(hand.at(7.1, 9300));
  CHECK(state.problem().size() == 1);  // already while it is drawn
  hand.release();
  CHECK_FALSE(ui.has("chart.board.hint"));
  REQUIRE(state.problem().size() == 1);
  const Buffer first = state.problem()[0];
  CHECK(first.start == 2);
  CHECK(first.end == 7);
  CHECK(first.size > 7000);
  CHECK(first.size % 256 == 0);
  REQUIRE(state.shown_facts() != nullptr);
  CHECK(state.shown_facts()->metrics.makespan == first.size);
  CHECK(state.selection == std::vector<BufferIndex>{0});
  CHECK(state.editing.history.size() == 2);
  CHECK(state.editing.history.dirty());
  // The next one needs Ctrl: a plain drag pans as soon as there is something to look at.
  ui.hold("Ctrl", true);
  hand.drag(hand.at(4, 30000), hand.at(9, 40000));
  ui.hold("Ctrl", false);
  REQUIRE(state.problem().size() == 2);
  CHECK(state.problem()[1].start == 4);
  CHECK(state.shown_facts()->metrics.makespan == state.analysis.facts.load);
  ui.press("Ctrl+Z");
  ui.press("Ctrl+Z");
  CHECK(state.problem().size() == 0);
  CHECK_FALSE(state.editing.history.dirty());
  ui.frames(2);
  CHECK(ui.has("chart.area"));
}

TEST_CASE("a new problem gets its capacity before or after its first buffer") {
  UiDriver ui;
  const Hand hand{ui};
  ui.press("Ctrl+N");
  const auto enter = [&](const char* text) {
    ui.click("edit.capacity");
    ui.press("Ctrl+A");
    ui.type(text);
    ui.press("Enter");
    ui.frames(3);
  };
  enter("16 KiB");
  CHECK(ui.state().problem().capacity() == 16 * 1024);
  CHECK(ui.state().editing.history.size() == 2);
  CHECK(ui.state().editing.history.dirty());
  REQUIRE(ui.has("chart.board.hint"));
  hand.drag(hand.at(2, 1000), hand.at(7, 30000));
  REQUIRE(ui.state().problem().size() == 1);
  CHECK(ui.state().problem().capacity() == 16 * 1024);
  REQUIRE(ui.settle());
  REQUIRE(ui.state().shown_facts() != nullptr);
  CHECK_FALSE(ui.state().shown_facts()->report.valid());  // larger than that
  ui.press("Escape");
  REQUIRE(ui.state().selection.empty());
  enter("1 MiB");
  REQUIRE(ui.settle());
  CHECK(ui.state().problem().capacity() == 1 << 20);
  CHECK(ui.state().shown_facts()->report.valid());
}

TEST_CASE("Esc while drawing leaves the board empty") {
  UiDriver ui;
  const Hand hand{ui};
  ui.press("Ctrl+N");
  hand.press(hand.at(2, 1000));
  hand.move(hand.at(7, 9000));
  REQUIRE(ui.state().problem().size() == 1);
  ui.press("Escape");
  hand.release();
  CHECK(ui.state().problem().size() == 0);
  CHECK(ui.state().selection.empty());
}

TEST_CASE("the board is offered where no file is open, and E opens it as well") {
  UiDriver ui;
  ui.click("welcome.new");
  CHECK(ui.has("chart.area"));
  UiDriver other;
  other.press("E");
  CHECK(other.has("chart.area"));
}

TEST_CASE("what is drawn in a plan by hand lies where it was drawn") {
  EditedFile one(roomy_problem());
  one.select(1);
  one.hand.drag(one.hand.middle(1), one.hand.at(4, 6000));
  REQUIRE(one.state().shown_plan == "hand");
  const std::size_t before = one.entries();
  one.ui.hold("Ctrl", true);
  one.hand.drag(one.hand.at(14, 4500), one.hand.at(18, 5500));
  one.ui.hold("Ctrl", false);
  REQUIRE(one.state().problem().size() == 4);
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.entries() == before + 1);
  REQUIRE(one.state().offsets()[3] != kNoOffset);
  CHECK(std::abs(one.state().offsets()[3] - 4500) < 600);
}
