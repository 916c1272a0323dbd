#include <algorithm>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "tests/ui/edited_file.h"
#include "tests/ui/hand.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("a drag under the engine's plan changes that plan in each of its frames") {
  EditedFile one(roomy_problem());
  one.state().push(action::RunAllocator{"best"});
  REQUIRE(one.ui.settle());
  one.state().push(action::ShowPlan{"best"});
  REQUIRE(one.ui.settle());
  const std::size_t entries = one.entries();
  one.select(0);
  one.hand.press(one.hand.inside(0, 1, 0.3));
  for (const double time : {11.1, 12.9, 14.2, 15.8, 16.9}) {
    one.hand.move(one.hand.at(time, 500));
    CAPTURE(time);
    CHECK(one.state().problem()[0].end == static_cast<std::int64_t>(time + 0.5));
    REQUIRE(one.state().shown_plan == "best");
    CHECK(one.state().shown_facts()->report.valid());
  }
  one.hand.release();
  REQUIRE(one.ui.settle());
  CHECK(one.entries() == entries + 1);
  CHECK(one.state().shown_plan == "best");
  CHECK_FALSE(one.state().shown_facts()->stale);
  CHECK(one.state().shown_facts()->metrics.makespan == one.state().analysis.facts.load);
}

TEST_CASE("when the shown allocator refuses the new problem its plan before stays, dimmed, and the reason is said") {
  EditedFile one(roomy_problem());
  const auto refuses = std::find_if(allocators().begin(), allocators().end(), [&](const Allocator& allocator) {
    return !allocator.can.gaps && allocator.runs_unasked(one.state().problem());
  });
  REQUIRE(refuses != allocators().end());
  start_run(one.state(), refuses->id, true);
  REQUIRE(one.ui.settle());
  REQUIRE(one.state().shown_plan == refuses->id);
  one.state().plan_facts[refuses->id].seconds = 0;
  one.state().push(action::EditProblem{EditRequest{"a gap", {split_lifetime(one.state().problem(), 0, 4, 6)}, false}});
  one.ui.frame();
  CHECK(one.state().shown_plan == refuses->id);
  CHECK(one.state().shown_facts()->stale);
  CHECK(one.state().offsets().size() == 3);
  CHECK_FALSE(one.state().editing.impossible.empty());
  REQUIRE_FALSE(one.state().notices.empty());
  CHECK(one.state().notices.back().error);
}

TEST_CASE("rectangles that an edit moves glide to their places, the others stay") {
  EditedFile one(roomy_problem());
  // b lies on a; with a larger a it must move up.
  const std::int64_t b_was = one.state().offsets()[1];
  const std::int64_t c_was = one.state().offsets()[2];
  one.state().push(action::EditProblem{EditRequest{"larger", {edit::Size{0, 8192}}, false}});
  one.ui.frames(3);
  const std::int64_t b_is = one.state().offsets()[1];
  REQUIRE(b_is != b_was);
  CHECK(one.state().drawn_offsets()[1] > std::min(b_was, b_is));
  CHECK(one.state().drawn_offsets()[1] < std::max(b_was, b_is));
  CHECK(one.state().drawn_offsets()[2] == c_was);
  CHECK(one.ui.workbench().animating());
  one.ui.frames(12);
  CHECK(one.state().drawn_offsets()[1] == b_is);
  CHECK(one.state().drawn_instead == nullptr);
  // Reduced motion: there at once.
  one.ui.press("Ctrl+Comma");
  one.ui.click("settings.jump");
  one.ui.press("Escape");
  one.ui.press("Ctrl+Z");
  one.ui.frame();
  CHECK(one.state().drawn_offsets()[1] == b_was);
  CHECK(one.state().drawn_instead == nullptr);
}

TEST_CASE("a plan whose allocator is slow is stale until it has planned again") {
  EditedFile one(roomy_problem());
  const std::string shown = one.state().shown_plan;
  one.state().plan_facts[shown].seconds = 5;
  one.state().push(action::EditProblem{EditRequest{"larger", {edit::Size{0, 8192}}, false}});
  one.ui.frame();
  REQUIRE(one.state().shown_plan == shown);
  CHECK(one.state().shown_facts()->stale);
  // The last good plan is dimmed, and the allocator follows 150 ms after the last change.
  one.ui.frame();
  CHECK(one.ui.has("chart.stale"));
  const double changed = one.state().editing.replan_at.value() - 0.15;
  one.state().plan_facts[shown].seconds = 5;
  one.ui.host.time = changed + 0.1;
  one.ui.frame();
  CHECK(one.state().tasks.idle());
  one.state().push(action::EditProblem{EditRequest{"larger still", {edit::Size{0, 8256}}, false}});
  one.ui.frame();
  const double again = one.state().editing.replan_at.value() - 0.15;
  CHECK(again > changed);
  one.ui.host.time = again + 0.1;
  one.ui.frame();
  CHECK(one.state().tasks.idle());
  CHECK(one.ui.has("chart.stale"));
  one.ui.host.time = again + 0.16;
  one.ui.frame();
  CHECK_FALSE(one.state().editing.replan_at);
  REQUIRE(one.ui.settle());
  CHECK_FALSE(one.ui.has("chart.stale"));
  CHECK(one.state().shown_plan == shown);
  CHECK_FALSE(one.state().shown_facts()->stale);
  CHECK(one.state().shown_facts()->report.valid());
}

TEST_CASE("the curve of the edits moves while one drags, and a click goes to an entry") {
  EditedFile one(roomy_problem());
  CHECK_FALSE(one.ui.has("history_curve.canvas"));
  one.select(0);
  const std::int64_t load = one.state().editing.history[0].load;
  one.hand.press(one.hand.inside(0, 1, 0.3));
  one.hand.move(one.hand.at(17, 500));
  one.ui.frame();
  CHECK(one.ui.has("history_curve.canvas"));
  CHECK(one.state().editing.history[1].load > load);
  one.hand.release();
  one.ui.click(one.ui.point("history_curve.canvas", 0.02F, 0.5F));
  CHECK(one.state().editing.history.position() == 0);
  CHECK(one.state().problem()[0].end == 10);
}
