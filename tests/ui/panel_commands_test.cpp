#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/ui/opened_player.h"
#include "tests/ui/sample.h"
#include "ui/history_compare.h"
#include "ui/issue_steps.h"
#include "ui/leaderboard.h"
#include "ui/peaks.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Three collisions, and d is above the capacity.
std::string four_issues() {
  return R"({"format":"stowage","version":1,"problem":{"capacity":20,"buffers":[
{"id":"a","lower":0,"upper":5,"size":8},{"id":"b","lower":2,"upper":7,"size":8},{"id":"c","lower":4,"upper":9,"size":3},
{"id":"d","lower":20,"upper":22,"size":4}]},
"plans":[{"id":"p","allocator":"file","offsets":{"a":0,"b":4,"c":6,"d":18}}]})";
}

void invoke(UiDriver& ui, CommandId id) {
  REQUIRE(why_disabled(ui.state(), id).empty());
  ui.state().push(action::Invoke{id});
  ui.frames(3);
}

}  // namespace

TEST_CASE("next_issue, previous_issue: one after the other with its flash, around the ends, out of folds") {
  const TemporaryFolder folder;
  UiDriver ui;
  CHECK_FALSE(why_disabled(ui.state(), CommandId::next_issue).empty());
  REQUIRE(ui.open(folder.write("broken.json", four_issues())));
  Workbench::State& state = ui.state();
  const CheckReport& report = state.shown_facts()->report;
  REQUIRE(report.issues.size() == 4);
  const auto current = [&] {
    const auto& at = state.part<IssueList>().current;
    REQUIRE(at.has_value());
    CHECK_FALSE(at->of_problem);
    return at->number;
  };
  ui.press("F8");
  REQUIRE(ui.has("issues.kind.collision"));
  const IssueList& list = fresh_issues(state);
  const std::vector<std::size_t> collisions = list.groups[0].issues;
  REQUIRE(collisions.size() == 3);
  CHECK(current() == collisions[0]);
  CHECK(state.selection ==
        std::vector<BufferIndex>{report.issues[collisions[0]].first, report.issues[collisions[0]].second});
  CHECK(ui.has("chart.flash"));
  ui.press("F8");
  CHECK(current() == collisions[1]);
  ui.press("F8");
  ui.press("F8");
  CHECK(report.issues[current()].kind == IssueKind::kOverCapacity);
  CHECK(state.selection == std::vector<BufferIndex>{3});
  ui.click("issues.kind.collision");  // folded
  REQUIRE_FALSE(ui.has("issues." + std::to_string(collisions[0])));
  ui.press("F8");
  CHECK(current() == collisions[0]);
  CHECK(ui.has("issues." + std::to_string(collisions[0])));
  ui.press("Shift+F8");
  CHECK(report.issues[current()].kind == IssueKind::kOverCapacity);
  // A click makes its issue the current one as well.
  ui.click("issues." + std::to_string(collisions[1]));
  ui.press("F8");
  CHECK(current() == collisions[2]);
}

TEST_CASE("next_issue: the list scrolls to it") {
  std::string csv = "id,lower,upper,size,offset\n";
  for (int k = 0; k < 60; ++k) {
    csv += "x" + std::to_string(k) + "," + std::to_string(4 * k) + "," + std::to_string(4 * k + 2) + ",8,0\n";
    csv += "y" + std::to_string(k) + "," + std::to_string(4 * k + 1) + "," + std::to_string(4 * k + 3) + ",8,4\n";
  }
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("many.csv", csv)));
  invoke(ui, CommandId::previous_issue);  // the last one
  ui.frames(2);
  const std::size_t last = ui.state().part<IssueList>().current->number;
  const std::string row = "issues." + std::to_string(last);
  REQUIRE(ui.has(row));
  CHECK(ui.state().ui.widgets.at(row).clickable);
  invoke(ui, CommandId::next_issue);
  ui.frames(2);
  const std::string first = "issues." + std::to_string(ui.state().part<IssueList>().current->number);
  REQUIRE(ui.has(first));
  CHECK(ui.state().ui.widgets.at(first).clickable);
}

TEST_CASE("next_peak, previous_peak: around the list of peaks") {
  const TemporaryFolder folder;
  UiDriver ui;
  CHECK_FALSE(why_disabled(ui.state(), CommandId::previous_peak).empty());
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const PeakList& list = ui.state().part<PeakList>();
  ui.press("K");
  REQUIRE(list.peaks.size() > 1);
  CHECK(list.chosen == 0);
  ui.press("Ctrl+K");
  CHECK(list.chosen == 1);
  ui.press("Ctrl+Shift+K");
  CHECK(list.chosen == 0);
  ui.press("Ctrl+Shift+K");
  CHECK(list.chosen == list.peaks.size() - 1);
}

TEST_CASE("sort_allocators: every order once, then the first again") {
  const TemporaryFolder folder;
  UiDriver ui;
  CHECK_FALSE(why_disabled(ui.state(), CommandId::sort_allocators).empty());
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  using Sort = Leaderboard::Sort;
  for (const Sort expected : {Sort::kTime, Sort::kIssues, Sort::kName, Sort::kMakespan}) {
    invoke(ui, CommandId::sort_allocators);
    CHECK(ui.state().part<Leaderboard>().sort == expected);
  }
  CHECK(ui.has("allocators"));
}

TEST_CASE("since_earlier, since_later, since_nothing: the history compares the present with entry after entry") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  CHECK_FALSE(why_disabled(ui.state(), CommandId::since_earlier).empty());
  for (const std::int64_t size : {20, 21}) {
    ui.state().push(action::EditProblem{EditRequest{"Another size", {edit::Size{0, size}}, false}});
    REQUIRE(ui.settle());
  }
  const auto& history = ui.state().editing.history;
  REQUIRE(history.size() == 3);
  const auto& compared = ui.state().part<ComparedEntry>();
  invoke(ui, CommandId::since_earlier);
  CHECK(compared.entry == history[1].id);
  CHECK(ui.has("history.compare.makespan"));
  invoke(ui, CommandId::since_earlier);
  CHECK(compared.entry == history[0].id);
  CHECK_FALSE(why_disabled(ui.state(), CommandId::since_earlier).empty());
  invoke(ui, CommandId::since_later);
  CHECK(compared.entry == history[1].id);
  CHECK_FALSE(why_disabled(ui.state(), CommandId::since_later).empty());  // after it comes the present
  invoke(ui, CommandId::since_nothing);
  CHECK(compared.entry == 0);
  CHECK_FALSE(why_disabled(ui.state(), CommandId::since_nothing).empty());
}

TEST_CASE("oldest_entry, newest_entry: all changes back, and all of them again") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  CHECK_FALSE(why_disabled(ui.state(), CommandId::oldest_entry).empty());
  for (const std::int64_t size : {20, 21, 22}) {
    ui.state().push(action::EditProblem{EditRequest{"Another size", {edit::Size{0, size}}, false}});
    REQUIRE(ui.settle());
  }
  CHECK_FALSE(why_disabled(ui.state(), CommandId::newest_entry).empty());
  invoke(ui, CommandId::oldest_entry);
  REQUIRE(ui.settle());
  CHECK(ui.state().problem()[0].size == 4);
  invoke(ui, CommandId::newest_entry);
  REQUIRE(ui.settle());
  CHECK(ui.state().problem()[0].size == 22);
}

TEST_CASE("range_begin, range_end, range_whole, loop_steps: the range by commands") {
  OpenedPlayer o;
  REQUIRE(o.size() > 6);
  CHECK_FALSE(why_disabled(o.state(), CommandId::range_end).empty());  // before the first step
  CHECK_FALSE(why_disabled(o.state(), CommandId::range_whole).empty());
  o.go(2);
  o.ui.press("Shift+I");
  CHECK(o.replay().from() == 2);
  CHECK(o.replay().to() == o.size());
  o.go(5);
  o.ui.press("Shift+O");
  CHECK(o.replay().from() == 2);
  CHECK(o.replay().to() == 5);
  o.ui.press("Shift+L");
  CHECK(o.replay().loop);
  o.ui.press("Shift+L");
  CHECK_FALSE(o.replay().loop);
  o.invoke(CommandId::range_whole);
  CHECK_FALSE(o.replay().range_from);
  CHECK(o.replay().to() == o.size());
  o.go(o.size());
  CHECK_FALSE(why_disabled(o.state(), CommandId::range_begin).empty());
}

TEST_CASE("faster, slower: through the speeds that there are, and no further") {
  OpenedPlayer o;
  o.replay().speed = 4;
  o.ui.press("Shift+Period");
  CHECK(o.replay().speed == 8);
  o.ui.press("Shift+Comma");
  o.ui.press("Shift+Comma");
  CHECK(o.replay().speed == 2);
  for (int k = 0; k < 12; ++k) o.invoke(CommandId::faster);
  CHECK(o.replay().speed == Replay::kSpeeds.back());
  for (int k = 0; k < 12; ++k) o.invoke(CommandId::slower);
  CHECK(o.replay().speed == Replay::kSpeeds.front());
}

TEST_CASE("buffer_step_on, buffer_step_back: only the steps of the selected buffer") {
  OpenedPlayer o;
  CHECK_FALSE(why_disabled(o.state(), CommandId::buffer_step_on).empty());
  o.state().push(action::Select{{2}, SelectMode::kReplace});
  o.ui.frames(2);
  const std::vector<Step>& steps = o.replay().recording->log.steps();
  std::vector<std::size_t> expected;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto* considered = std::get_if<step::Consider>(&steps[k].fact);
    const auto* rejected = std::get_if<step::Reject>(&steps[k].fact);
    const auto* placed = std::get_if<step::Place>(&steps[k].fact);
    const bool about = (considered != nullptr && considered->buffer == 2) ||
                       (rejected != nullptr && rejected->buffer == 2) || (placed != nullptr && placed->buffer == 2);
    if (about) expected.push_back(k + 1);
  }
  REQUIRE(expected.size() > 1);
  for (const std::size_t position : expected) {
    o.ui.press("J");
    CHECK(o.replay().position == position);
  }
  o.ui.press("J");  // there is no other
  CHECK(o.replay().position == expected.back());
  o.ui.press("Shift+J");
  CHECK(o.replay().position == expected[expected.size() - 2]);
}
