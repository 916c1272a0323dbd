#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/chart/flash.h"
#include "ui/easing.h"
#include "ui/explaining.h"
#include "ui/issue_list.h"
#include "ui/panels.h"
#include "ui/peaks.h"
#include "ui/problem_issues.h"
#include "ui/what_if.h"
#include "ui/why_here.h"

using namespace stowage;
using stowage::testing::csv_of;
using stowage::testing::TemporaryFolder;
using stowage::testing::UiDriver;

namespace {

/// Three collisions, and d is above the capacity.
std::string broken_plan() {
  return R"({"format":"stowage","version":1,"problem":{"capacity":16,"buffers":[
{"id":"a","lower":0,"upper":5,"size":8},{"id":"b","lower":2,"upper":7,"size":8},{"id":"c","lower":4,"upper":9,"size":3},
{"id":"d","lower":20,"upper":22,"size":4}]},
"plans":[{"id":"p","allocator":"file","offsets":{"a":0,"b":4,"c":6,"d":15}}]})";
}

/// At steps 2 to 3 three buffers of 8 are live; there is room for 20.
std::string too_much() {
  return R"({"format":"stowage","version":1,"problem":{"capacity":20,"buffers":[
{"id":"x","lower":0,"upper":4,"size":8},{"id":"y","lower":1,"upper":5,"size":8},{"id":"z","lower":2,"upper":6,"size":8},
{"id":"far","lower":10,"upper":12,"size":5}]}})";
}

}  // namespace

TEST_CASE("issues: all of them by kind with counts; a click zooms there, selects both and flashes") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("broken.json", broken_plan())));
  Workbench::State& state = ui.state();
  ui.press("I");
  REQUIRE(ui.has("issues.kind.collision"));
  CHECK(ui.has("issues.kind.over-capacity"));
  const auto& report = state.shown_facts()->report;
  CHECK(report.count == 4);
  std::size_t collision = 0;
  while (report.issues[collision].kind != IssueKind::kCollision) ++collision;
  ui.click("issues." + std::to_string(collision));
  CHECK(state.selection.size() == 2);
  CHECK_FALSE(state.camera_home);
  CHECK(ui.has("chart.flash"));
  ui.host.time += 2;
  ui.frames(2);
  CHECK_FALSE(ui.has("chart.flash"));
  // A group folds and opens again.
  ui.click("issues.kind.collision");
  CHECK_FALSE(ui.has("issues." + std::to_string(collision)));
  ui.click("issues.kind.collision");
  CHECK(ui.has("issues." + std::to_string(collision)));
}

TEST_CASE("issues: the outline that flashes stands still where motion is switched off") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("broken.json", broken_plan())));
  Workbench::State& state = ui.state();
  ui.press("I");
  const auto outline = [&] {
    const Ui::Box box = state.ui.widgets.find("chart.flash")->second;
    const testing::Bitmap picture = ui.screenshot();
    std::vector<std::uint32_t> pixels;
    for (int y = std::max(0, static_cast<int>(box.low.y) - 12); y < static_cast<int>(box.low.y) + 12; ++y) {
      for (int x = std::max(0, static_cast<int>(box.low.x) - 12); x < static_cast<int>(box.high.x) + 12; ++x) {
        const auto at = static_cast<std::size_t>(y * picture.width + x);
        if (x < picture.width && at < picture.pixels.size()) pixels.push_back(picture.pixels[at]);
      }
    }
    return pixels;
  };
  for (const bool moving : {true, false}) {
    state.settings.layout[kEasingSetting] = moving ? 1 : 0;
    state.later([](Workbench::State& s) { start_flash(s, 2, 5, 4, 8); });
    ui.frames(3);
    REQUIRE(ui.has("chart.flash"));
    const std::vector<std::uint32_t> first = outline();
    ui.host.time += 0.2;
    ui.frames(1);
    REQUIRE(ui.has("chart.flash"));
    CHECK((outline() != first) == moving);
    ui.host.time += 2;
    ui.frames(2);
    CHECK_FALSE(ui.has("chart.flash"));
  }
}

TEST_CASE("issues: the filter leaves what it finds, and what it leaves is copied") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("broken.json", broken_plan())));
  ui.press("I");
  ui.click("issues.copy");
  CHECK(std::count(ui.host.clipboard.begin(), ui.host.clipboard.end(), '\n') == 5);
  ui.click("issues.filter");
  ui.type("CAPACITY");
  CHECK(ui.has("issues.kind.over-capacity"));
  CHECK_FALSE(ui.has("issues.kind.collision"));
  ui.click("issues.copy");
  CHECK(std::count(ui.host.clipboard.begin(), ui.host.clipboard.end(), '\n') == 2);
  CHECK(ui.host.clipboard.find("d") != std::string::npos);
  CHECK(ui.host.clipboard.find("the load of memory") != std::string::npos);
}

TEST_CASE("issues: none is said, and without a plan there is a way to one") {
  const TemporaryFolder folder;
  UiDriver ui;
  ui.press("I");
  CHECK(ui.has("issues.start"));
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  CHECK(ui.has("issues.none"));
}

TEST_CASE("issues: what is odd about a problem is listed without a plan and beside one") {
  const TemporaryFolder folder;
  UiDriver ui(1600, 1000);
  REQUIRE(ui.open(folder.write("odd.json", R"({"format":"stowage","version":1,"problem":{"capacity":100,"buffers":[
    {"id":"a","lower":0,"upper":4,"size":80},{"id":"b","lower":2,"upper":6,"size":64},
    {"id":"empty","lower":3,"upper":3,"size":8},{"id":"nothing","lower":1,"upper":5,"size":0},
    {"id":"p","lower":7,"upper":9,"size":16,"fixed":0},{"id":"q","lower":8,"upper":10,"size":16,"fixed":8},
    {"id":"huge","lower":20,"upper":21,"size":128}]}})")));
  Workbench::State& state = ui.state();
  ui.press("I");
  ui.frames(3);
  const ProblemReport& report = problem_issues(state);
  CHECK(report.breaking == 3);
  CHECK(report.count == 5);
  for (const char* kind : {"load-over-capacity", "larger-than-capacity", "pin", "empty-lifetime", "zero-size"}) {
    CAPTURE(kind);
    CHECK(ui.has(std::string("issues.kind.") + kind));
  }
  CHECK(ui.has("status.problem"));
  // Without any plan they are there as well, and a click selects.
  for (int k = 0; k < 300 && !state.document.plans.empty(); ++k) {
    state.push(action::RemovePlan{state.document.plans.front().id});
    ui.frames(2);
  }
  REQUIRE(state.plan() == nullptr);
  CHECK(ui.has("issues.no_plan"));
  REQUIRE(ui.has("issues.problem.3"));
  ui.click("issues.problem.3");
  CHECK(state.selection == std::vector<BufferIndex>{2});
  ui.click("issues.filter");
  ui.type("zero");
  CHECK_FALSE(ui.has("issues.kind.pin"));
  REQUIRE(ui.has("issues.problem.4"));
  ui.click("issues.copy");
  CHECK(ui.host.clipboard == "nothing: its size is zero, so it takes no memory\n");
  ui.click("issues.kind.zero-size");
  ui.frames(2);
  CHECK_FALSE(ui.has("issues.problem.4"));
  // An edit that mends one takes it off the list.
  state.push(action::EditProblem{EditRequest{"Size", {edit::Size{3, 4}}, false}});
  REQUIRE(ui.settle());
  CHECK(problem_issues(state).count == 4);
}

TEST_CASE("issues: what does not fit is explained by the fewest buffers, the others are dimmed") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("too_much.json", too_much())));
  Workbench::State& state = ui.state();
  ui.press("I");
  REQUIRE(ui.has("issues.explain"));
  ui.click("issues.explain");
  REQUIRE(ui.settle());
  REQUIRE(ui.has("issues.explained"));
  CHECK(state.selection == std::vector<BufferIndex>{0, 1, 2});
  const auto& explaining = state.part<Explaining>();
  CHECK(explaining.members == std::vector<bool>{true, true, true, false});
  REQUIRE(explaining.result);
  CHECK(explaining.result->reason == CapacityExplanation::Reason::kLoad);
  const std::vector<std::string> words = words_of(state, *explaining.result);
  REQUIRE(words.size() == 3);
  CHECK(words[0].find("3 buffers") != std::string::npos);
  CHECK(words[1].find("24 B") != std::string::npos);
  CHECK(words[2].find("smaller by 4 B") != std::string::npos);
  ui.click("issues.explain.end");
  CHECK(explaining.members.empty());
  CHECK(ui.has("issues.explain"));
  // An edit makes an explanation worthless.
  ui.click("issues.explain");
  REQUIRE(ui.settle());
  state.push(action::EditProblem{EditRequest{"Size of far", {edit::Size{3, 6}}, false}});
  REQUIRE(ui.settle());
  CHECK_FALSE(explaining.result);
}

TEST_CASE("peaks: the key shows the highest, the buttons and the command go round all of them") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  ui.press("K");
  REQUIRE(ui.has("peaks.0"));
  const PeakList& list = state.part<PeakList>();
  CHECK(list.peaks.front().load == state.space_facts().load);
  CHECK(list.live.size() == 2);  // c and e at step 8
  CHECK(ui.has("peaks.live.1"));
  const auto shows = [&](const LoadPeak& peak) {
    return state.camera.time_at(state.camera.area.left) < static_cast<double>(peak.start) &&
           state.camera.time_at(state.camera.area.right) > static_cast<double>(peak.end);
  };
  CHECK(shows(list.peaks[0]));
  REQUIRE(list.peaks.size() > 1);
  ui.click("peaks.next");
  CHECK(list.chosen == 1);
  CHECK(shows(list.peaks[1]));
  ui.click("peaks.previous");
  CHECK(list.chosen == 0);
  ui.click("peaks.previous");
  CHECK(list.chosen == list.peaks.size() - 1);
  state.push(action::Invoke{CommandId::next_peak});
  ui.frames(2);
  CHECK(list.chosen == 0);
  ui.click("peaks.select");
  CHECK(state.selection.size() == list.live.size());
  ui.click("peaks.live.0");
  CHECK(state.selection == std::vector<BufferIndex>{list.live[0].buffer});
}

TEST_CASE("what if: the slider says which plans fit, stops at their marks, and changes nothing") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  state.push(action::Invoke{CommandId::show_what_if});
  ui.frames(3);
  REQUIRE(ui.has("what_if.capacity"));
  const ProblemMetrics& facts = state.space_facts();
  const std::int64_t makespan = state.space_metrics(*state.shown_facts()).makespan;
  CHECK(what_if_capacity(state) == makespan);  // for there is no capacity
  ui.click(ui.point("what_if.capacity", 0.2F, 0.5F));
  CHECK(what_if_capacity(state) < facts.load);
  CHECK(ui.has("what_if.impossible"));
  ui.click(ui.point("what_if.capacity", 0.995F, 0.5F));
  CHECK(what_if_capacity(state) >= facts.load);
  CHECK_FALSE(ui.has("what_if.impossible"));
  ui.click("what_if.reset");
  CHECK(what_if_capacity(state) == makespan);
  CHECK_FALSE(state.editing.history.can_undo());
  CHECK_FALSE(state.problem().capacity());
}

TEST_CASE("what if: near the mark of a plan the slider means its makespan") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("many.csv", csv_of(synthetic_family(300, 3)))));
  Workbench::State& state = ui.state();
  state.push(action::Invoke{CommandId::show_what_if});
  ui.frames(3);
  ui.click(ui.point("what_if.capacity", 0.25F, 0.5F));
  const double span = 4.0 * static_cast<double>(what_if_capacity(state));
  const std::int64_t makespan = state.space_metrics(*state.shown_facts()).makespan;
  REQUIRE(static_cast<double>(makespan) < span);
  const auto share = static_cast<float>(static_cast<double>(makespan) / span);
  ImVec2 at = ui.point("what_if.capacity", share, 0.5F);
  at.x -= 3;
  ui.click(at);
  CHECK(what_if_capacity(state) == makespan);
  at.x -= 27;
  ui.click(at);
  CHECK(what_if_capacity(state) < makespan);
}

TEST_CASE("what if: a capacity too small is explained from there as well") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  state.push(action::Invoke{CommandId::show_what_if});
  ui.frames(3);
  ui.click(ui.point("what_if.capacity", 0.5F, 0.5F));
  REQUIRE(what_if_capacity(state) < state.space_facts().load);
  ui.click("what_if.explain");
  REQUIRE(ui.settle());
  CHECK(ui.has("what_if.explained"));
  CHECK(state.part<Explaining>().result->verdict == CapacityExplanation::Verdict::kDoesNotFit);
}

TEST_CASE("what if: alignments and the ranking of buffers come from the background") {
  const TemporaryFolder folder;
  UiDriver ui(1600, 1600);
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  Workbench::State& state = ui.state();
  state.push(action::Invoke{CommandId::show_what_if});
  state.push(action::MovePanel{"what_if", "right 1"});
  state.push(action::MovePanel{"inspector", "hidden"});
  ui.frames(3);
  const auto& what_if = state.part<WhatIf>();
  state.later([](Workbench::State& s) {
    try_alignments_now(s);
    rank_buffers_now(s);
  });
  REQUIRE(ui.settle());
  REQUIRE(what_if.alignments.size() > 3);
  CHECK(what_if.alignments.front().makespan >= state.space_facts().load);
  CHECK(what_if.alignments.back().makespan > what_if.alignments.front().makespan);
  REQUIRE(what_if.ranking);
  CHECK(what_if.ranking->now.load == state.space_facts().load);
  CHECK(what_if.ranking->ranks.size() == 6);
  CHECK(what_if.ranking->ranks.front().without->makespan < what_if.ranking->now.makespan);
  CHECK_FALSE(state.editing.history.can_undo());
  // Another problem makes both worthless.
  state.push(action::EditProblem{EditRequest{"Size of a", {edit::Size{0, 6}}, false}});
  REQUIRE(ui.settle());
  CHECK(what_if.alignments.empty());
  CHECK_FALSE(what_if.ranking);
}

TEST_CASE(
    "why here: supports, blockers and holes of the selected buffer, drawn in the chart while the panel is shown") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("stack.csv",
                               "id,lower,upper,size,offset\nlow,0,9,4,0\nmid,2,7,4,4\ntop,3,6,4,8\n"
                               "free,20,25,4,8\n")));
  Workbench::State& state = ui.state();
  state.push(action::ShowPanel{"why"});
  ui.frames(3);
  CHECK_FALSE(ui.has("why.verdict"));
  state.push(action::Select{{1}, SelectMode::kReplace});
  REQUIRE(ui.settle());
  REQUIRE(ui.has("why.verdict"));
  CHECK(ui.has("chart.why"));
  CHECK(ui.has("why.support.0"));
  CHECK(ui.has("why.block.0"));
  const WhyHere* here = why_here(state);
  REQUIRE(here != nullptr);
  CHECK(here->supports == std::vector<BufferIndex>{0});
  CHECK(here->blocks == std::vector<BufferIndex>{2});
  ui.click("why.block.0");
  REQUIRE(ui.settle());
  CHECK(state.chosen() == 2);
  state.push(action::Select{{3}, SelectMode::kReplace});
  REQUIRE(ui.settle());
  REQUIRE(ui.has("why.sink"));  // nothing holds it up
  ui.click("why.sink");
  REQUIRE(ui.settle());
  CHECK(state.shown_plan == "hand");
  CHECK(state.offsets()[3] == 0);
  CHECK_FALSE(ui.has("why.sink"));
  // Above everything there is always room.
  state.push(action::Select{{1}, SelectMode::kReplace});
  REQUIRE(ui.settle());
  REQUIRE(ui.has("why.hole.0"));
  ui.click("why.hole.0");
  REQUIRE(ui.settle());
  CHECK(state.offsets()[1] == 12);
  state.push(action::MovePanel{"why", "hidden"});
  ui.frames(4);
  CHECK_FALSE(ui.has("chart.why"));
}
