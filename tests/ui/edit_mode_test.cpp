#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/model/generate.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/hand.h"
#include "tests/ui/sample.h"
#include "ui/chart/edit_gesture.h"
#include "ui/easing.h"

using namespace stowage;
using stowage::testing::Hand;
using stowage::testing::UiDriver;

namespace {

/// A file that is open, planned and in edit mode.
struct EditedFile {
  explicit EditedFile(const std::string& csv) {
    REQUIRE(ui.open(folder.write("small.csv", csv)));
    REQUIRE(ui.settle());
    ui.state().push(action::ShowPlan{"first-fit-size"});  // where it puts what is known
    ui.frames(2);
    for (auto& [id, facts] : ui.state().plan_facts) facts.seconds = 0;  // fast on any machine
    ui.press("E");
    REQUIRE(ui.state().editing.mode);
  }
  void select(BufferIndex i) {
    ui.click(hand.middle(i));
    REQUIRE(ui.state().selection == std::vector<BufferIndex>{i});
  }
  Workbench::State& state() { return ui.state(); }
  std::size_t entries() { return ui.state().editing.history.size(); }

  testing::TemporaryFolder folder;
  UiDriver ui;
  Hand hand{ui};
};

/// Large enough for hands: a KiB or more each, 64 aligned.
std::string roomy_problem() {
  return "id,lower,upper,size,alignment\n"
         "a,0,10,4096,64\n"
         "b,2,6,2048,64\n"
         "c,12,20,4096,64\n";
}

}  // namespace

TEST_CASE("an edge of a selected rectangle drags its lifetime: live, one entry, taken back by undo") {
  EditedFile one(roomy_problem());
  one.select(0);
  const Buffer was = one.state().problem()[0];
  one.hand.press(one.hand.inside(0, 1, 0.3));
  one.hand.move(one.hand.at(14.2, 500));
  CHECK(one.state().problem()[0].end == 14);
  CHECK(one.state().gesture.kind() == GestureKind::kEdit);
  one.hand.move(one.hand.at(16.9, 500));
  CHECK(one.state().problem()[0].end == 17);
  one.hand.release();
  CHECK(one.state().problem()[0].start == was.start);
  REQUIRE(one.state().shown_facts() != nullptr);
  CHECK(one.state().shown_facts()->report.valid());
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Lifetime of a");
  CHECK(one.state().selection == std::vector<BufferIndex>{0});
  one.ui.press("Ctrl+Z");
  CHECK(one.state().problem()[0] == was);
}

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

TEST_CASE("the left edge moves the start, and never past the end") {
  EditedFile one(roomy_problem());
  one.select(2);
  one.hand.drag(one.hand.inside(2, 0, 0.3), one.hand.at(15.1, 300));
  CHECK(one.state().problem()[2].start == 15);
  CHECK(one.state().problem()[2].end == 20);
  one.hand.drag(one.hand.inside(2, 0, 0.3), one.hand.at(40, 300));
  CHECK(one.state().problem()[2].start == 19);
}

TEST_CASE("a drag pans outside of edit mode and on what is not selected") {
  EditedFile one(roomy_problem());
  one.ui.press("E");
  one.select(0);
  Viewport before = one.state().camera;
  one.hand.drag(one.hand.inside(0, 1, 0.3), one.hand.at(14, 500));
  CHECK(one.entries() == 1);
  CHECK_FALSE(one.state().camera == before);
  one.ui.press("Home");
  one.ui.press("E");
  one.ui.press("Escape");
  REQUIRE(one.state().selection.empty());
  before = one.state().camera;
  one.hand.drag(one.hand.middle(0), one.hand.at(14, 500));
  CHECK(one.entries() == 1);
  CHECK_FALSE(one.state().camera == before);
}

TEST_CASE("the body drags the offset in a plan by hand and names whom it collides with") {
  EditedFile one(roomy_problem());
  one.select(1);
  const ImVec2 from = one.hand.middle(1);
  const std::int64_t was = one.state().offsets()[1];
  const double height = static_cast<double>(one.state().problem()[1].size);
  one.hand.press(from);
  // Into the middle of a: they collide.
  const auto a = static_cast<double>(one.state().offsets()[0]);
  one.hand.move(one.hand.at(4, a + 2048 + height / 2 - height / 2));
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().part<EditDrag>().collides == std::vector<BufferIndex>{0});
  CHECK(one.state().shown_facts()->report.count == 1);
  // High above: nobody is there.
  one.hand.move(one.hand.at(4, 5500));
  CHECK(one.state().part<EditDrag>().collides.empty());
  CHECK(one.state().shown_facts()->report.valid());
  one.hand.release();
  CHECK(one.entries() == 2);
  CHECK(one.state().offsets()[1] != was);
  CHECK(one.state().offsets()[1] % 64 == 0);
  one.ui.press("P");
  CHECK(one.state().problem()[1].fixed == one.state().offsets()[1]);
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  CHECK(one.state().shown_plan != "hand");
}

TEST_CASE("keys place by hand: a step of the alignment, or the next gap; a series of presses is one entry") {
  EditedFile one(roomy_problem());
  one.ui.state().editing.mode = false;
  one.select(1);
  one.ui.press("Ctrl+Up");  // not outside of the edit mode
  CHECK(one.state().shown_plan != "hand");
  one.ui.press("E");
  const std::int64_t was = one.state().offsets()[1];
  REQUIRE(was == 4096);  // on top of a
  one.ui.press("Ctrl+Up");
  one.ui.press("Ctrl+Up");
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().offsets()[1] == was + 128);
  CHECK(one.entries() == 2);
  one.ui.press("Ctrl+Down");
  CHECK(one.state().offsets()[1] == was + 64);
  CHECK(one.entries() == 2);
  one.ui.host.time += 5;
  one.ui.press("Ctrl+Shift+Down");  // back onto a
  CHECK(one.state().offsets()[1] == was);
  CHECK(one.entries() == 3);
  CHECK(one.state().shown_facts()->report.valid());
  one.ui.press("Ctrl+Shift+Down");  // a fills everything below
  CHECK(one.state().offsets()[1] == was);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().offsets()[1] == was + 64);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().shown_plan != "hand");
}

TEST_CASE("keys move a fixed offset as what it is, and several selected go along by the same difference") {
  EditedFile one(roomy_problem());
  one.select(1);
  one.ui.press("P");
  REQUIRE(one.state().problem()[1].fixed == 4096);
  REQUIRE(one.ui.settle());
  one.ui.press("Ctrl+Up");
  REQUIRE(one.ui.settle());
  CHECK(one.state().problem()[1].fixed == 4096 + 64);
  CHECK(one.state().shown_plan != "hand");
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  REQUIRE(one.ui.settle());
  one.state().push(action::Select{{1, 2}, SelectMode::kReplace});
  one.ui.frame();
  one.ui.host.time += 5;
  const std::vector<std::int64_t> before = one.state().offsets();
  one.ui.press("Ctrl+Up");
  CHECK(one.state().offsets()[1] == before[1] + 64);
  CHECK(one.state().offsets()[2] == before[2] + 64);
  CHECK(one.state().offsets()[0] == before[0]);
}

TEST_CASE("a body snaps to the edge of a neighbour, and Alt lets it lie anywhere") {
  EditedFile one(roomy_problem());
  one.select(1);
  const std::int64_t top = one.state().offsets()[0] + 4096;
  const double per_pixel = 1 / one.state().camera.pixels_per_byte();
  const auto grab = static_cast<double>(one.state().offsets()[1]) + 1024;
  const auto up_to = [&](double offset) {
    return one.hand.at(4, offset + grab - static_cast<double>(one.state().offsets()[1]));
  };
  REQUIRE(one.state().offsets()[1] == top);  // planned on top of a
  one.hand.drag(one.hand.middle(1), up_to(static_cast<double>(top) + 700));
  const std::int64_t moved = one.state().offsets()[1];
  REQUIRE(moved != top);
  one.hand.press(one.hand.middle(1));
  one.hand.move(one.hand.at(4, static_cast<double>(top) + 1024 + 4 * per_pixel));
  CHECK(one.state().offsets()[1] == top);
  CHECK(one.state().part<EditDrag>().byte_guide == top);
  one.ui.hold("Alt", true);
  CHECK(one.state().offsets()[1] != top);
  one.ui.hold("Alt", false);
  one.ui.frames(2);
  CHECK(one.state().offsets()[1] == top);
  one.hand.release();
  CHECK(one.entries() == 3);
}

TEST_CASE("an edge in time snaps to those of others while steps are far apart in pixels") {
  std::string csv = "id,lower,upper,size\na,0,40000,4096\nb,0,61234,4096\n";
  EditedFile one(csv);
  one.select(0);
  const double per_pixel = 1 / one.state().camera.pixels_per_time();
  REQUIRE(per_pixel > 10);
  one.hand.drag(one.hand.inside(0, 1, 0.5), one.hand.at(61234 - 4 * per_pixel, 2000));
  CHECK(one.state().problem()[0].end == 61234);
  one.hand.drag(one.hand.inside(0, 1, 0.5), one.hand.at(61234 - 40 * per_pixel, 2000));
  CHECK(one.state().problem()[0].end != 61234);
}

TEST_CASE("Esc ends a drag without a trace, and the rest of the press is ignored") {
  EditedFile one(roomy_problem());
  one.select(0);
  const Buffer was = one.state().problem()[0];
  const std::string shown = one.state().shown_plan;
  one.hand.press(one.hand.inside(0, 1, 0.3));
  one.hand.move(one.hand.at(15, 500));
  REQUIRE(one.state().problem()[0].end == 15);
  one.ui.press("Escape");
  CHECK(one.state().problem()[0] == was);
  CHECK(one.entries() == 1);
  one.hand.move(one.hand.at(18, 500));
  one.hand.release();
  CHECK(one.state().problem()[0] == was);
  CHECK(one.state().selection == std::vector<BufferIndex>{0});
  one.hand.press(one.hand.middle(0));
  one.hand.move(one.hand.at(5, 6000));
  REQUIRE(one.state().shown_plan == "hand");
  one.ui.press("Escape");
  one.hand.release();
  CHECK(one.state().shown_plan == shown);
  CHECK(one.state().document.find_plan("hand") == nullptr);
}

TEST_CASE("the upper edge drags the size, and several selected go along") {
  EditedFile one(roomy_problem());
  one.select(0);
  one.ui.hold("Ctrl", true);
  one.ui.click(one.hand.middle(2));
  one.ui.hold("Ctrl", false);
  REQUIRE(one.state().selection.size() == 2);
  const ImVec2 top = one.hand.inside(2, 0.5, 1);
  const std::int64_t before = one.state().problem()[2].size;
  one.hand.drag(top, ImVec2(top.x, top.y - 60));
  const std::int64_t grown = one.state().problem()[2].size - before;
  CHECK(grown > 0);
  CHECK(one.state().problem()[0].size == 4096 + grown);
  CHECK(one.state().problem()[2].size % 64 == 0);  // round sizes
  CHECK(one.entries() == 2);
}

TEST_CASE("a fixed offset is dragged as what it is: the others make room") {
  EditedFile one(roomy_problem());
  one.select(0);
  one.ui.press("P");
  REQUIRE(one.state().problem()[0].fixed == one.state().offsets()[0]);
  REQUIRE(one.ui.settle());
  const std::string shown = one.state().shown_plan;
  one.hand.drag(one.hand.middle(0), one.hand.at(5, 5000));
  CHECK(one.state().problem()[0].fixed > 0);
  CHECK(one.state().offsets()[0] == one.state().problem()[0].fixed);
  CHECK(one.state().shown_plan == shown);
  CHECK(one.state().shown_facts()->report.valid());
  CHECK(one.entries() == 3);
}

TEST_CASE("a fixed offset on top of another one is red while dragging") {
  EditedFile one("id,lower,upper,size,alignment,offset\na,0,10,4096,64,0\nb,2,8,4096,64,4096\nc,2,6,1024,1,\n");
  REQUIRE(one.state().problem()[0].is_fixed());
  REQUIRE(one.state().shown_facts()->report.valid());
  one.select(1);
  one.hand.press(one.hand.middle(1));
  one.hand.move(one.hand.at(5, 4000));
  CHECK(one.state().part<EditDrag>().collides == std::vector<BufferIndex>{0});
  CHECK_FALSE(one.state().shown_facts()->report.valid());
  one.ui.press("Escape");
  one.hand.release();
  CHECK(one.state().shown_facts()->report.valid());
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

TEST_CASE("Ctrl+N opens an empty board on which a drag draws a buffer") {
  UiDriver ui;
  const Hand hand{ui};
  ui.press("Ctrl+N");
  Workbench::State& state = ui.state();
  REQUIRE(ui.has("chart.area"));
  CHECK(state.editing.mode);
  CHECK(ui.host.title.find("untitled") != std::string::npos);
  CHECK_FALSE(state.editing.history.dirty());
  hand.press(hand.at(2, 1000));
  hand.move(hand.at(7.1, 9300));
  CHECK(state.problem().size() == 1);  // already while it is drawn
  hand.release();
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

TEST_CASE("in a large problem a dragged body is an outline until the release") {
  const ProblemInput input = synthetic_family(20'500, 1);
  std::string csv = "id,lower,upper,size\nfirst,0,20000,67108864\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += fmt::format("b{},{},{},{}\n", i, b.start, b.end, b.size);
  }
  EditedFile one(csv);
  one.select(0);
  const std::string shown = one.state().shown_plan;
  one.hand.press(one.hand.middle(0));
  const ImVec2 from = one.hand.middle(0);
  one.hand.move(ImVec2(from.x, from.y - 40));
  CHECK(one.state().shown_plan == shown);
  REQUIRE(one.state().part<EditDrag>().wish);
  const std::int64_t wish = one.state().part<EditDrag>().wish->offset;
  one.hand.release();
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().offsets()[0] == wish);
  CHECK(one.entries() == 2);
}
