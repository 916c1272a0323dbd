#include <string>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/opened_player.h"
#include "tests/ui/sample.h"
#include "ui/replay.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("player: closing it, another plan and an edit all end the replay and show the plan again") {
  for (const std::string way : {"close", "plan", "edit", "layout"}) {
    INFO(way);
    OpenedPlayer o;
    o.go(2);
    REQUIRE(o.state().drawn_instead != nullptr);
    if (way == "close") {
      o.ui.click("player.close");
      CHECK_FALSE(o.ui.has("player"));
      CHECK_FALSE(o.ui.has("steps"));
    } else if (way == "plan") {
      o.state().push(action::ShowPlan{"naive"});
    } else if (way == "edit") {
      o.state().push(action::EditProblem{EditRequest{"a change", {edit::Size{0, 99}}, false}});
    } else {
      o.state().push(action::UseLayout{"standard"});
    }
    o.ui.frames(4);
    REQUIRE(o.ui.settle());
    CHECK_FALSE(o.replay().ready());
    CHECK(o.state().drawn_instead == nullptr);
  }
}

TEST_CASE("player: without steps it says why, and its button records them") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  ui.state().push(action::UseLayout{"teach"});
  ui.frames(3);
  CHECK(ui.has("player.record"));
  ui.click("player.record");
  CHECK_FALSE(ui.state().part<Replay>().work.running());
  // The plan of a file is nobody's run.
  REQUIRE(ui.open(folder.write("plan.csv", testing::colliding_plan())));
  CHECK(std::string(why_no_steps(ui.state())) == "no allocator of this program has made the shown plan");
  ui.press("Space");
  REQUIRE(ui.settle());
  CHECK_FALSE(ui.state().part<Replay>().ready());
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.click("player.record");
  REQUIRE(ui.settle());
  CHECK(ui.state().part<Replay>().ready());
}

TEST_CASE("player: Space alone records and plays") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.press("Space");
  CHECK(ui.until([&] { return ui.state().part<Replay>().playing; }));
  CHECK(ui.has("player.play"));
}

TEST_CASE("player: a log that was cut says so") {
  OpenedPlayer o;
  o.replay().limit = 5;
  o.invoke(CommandId::record_steps);
  REQUIRE(o.ui.settle());
  REQUIRE(o.replay().ready());
  CHECK(o.replay().recording->log.truncated());
  CHECK(o.ui.has("player.cut"));
}

TEST_CASE("player: recording can be cancelled") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("many.csv", testing::csv_of(synthetic_family(3000, 1)))));
  ui.state().push(action::Invoke{CommandId::record_steps});
  ui.frame();
  Replay& replay = ui.state().part<Replay>();
  REQUIRE(replay.work.running());
  ui.state().later([](Workbench::State& s) { cancel_recording(s); });
  ui.frames(3);
  CHECK_FALSE(replay.work.running());
  CHECK_FALSE(replay.ready());
  CHECK(ui.has("player.record"));
}

TEST_CASE("player: every registered allocator can be stepped through, and its last step is its plan") {
  OpenedPlayer o;
  for (const Allocator& allocator : allocators()) {
    INFO(allocator.id);
    o.show(allocator.id);
    o.invoke(CommandId::record_steps);
    REQUIRE(o.ui.settle());
    REQUIRE(o.replay().ready());
    CHECK(o.ui.has("steps.body"));
    CHECK(o.replay().recording->code != nullptr);
    o.go(o.size());
    o.ui.frames(2);
    CHECK(o.state().drawn_offsets() == o.state().offsets());
    o.go(o.size() / 2);
    o.ui.frames(2);
    CHECK(o.ui.has("decision"));
  }
}
