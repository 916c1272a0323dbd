#include "ui/editing.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/panels.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// The same, as far as a user can tell.
bool same_present(const Snapshot& a, Workbench::State& state) {
  return a.document.problem == state.document.problem && a.document.plans.size() == state.document.plans.size() &&
         a.shown_plan == state.shown_plan;
}

Snapshot present(Workbench::State& state) {
  return Snapshot{state.document, state.analysis, state.plan_facts, state.shown_plan};
}

void change(UiDriver& ui, std::vector<Edit> edits, bool drag = false) {
  ui.state().push(action::EditProblem{EditRequest{"a change", std::move(edits), drag}});
  ui.frame();
}

}  // namespace

TEST_CASE("an edit plans again at once, is one entry, and undo gives back every plan") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  const Snapshot before = present(state);
  REQUIRE(before.document.plans.size() > 3);
  change(ui, {edit::Size{0, state.problem()[0].size * 2}});
  CHECK(state.problem()[0].size == before.document.problem->buffers()[0].size * 2);
  REQUIRE(state.shown_facts() != nullptr);
  CHECK(state.shown_facts()->report.valid());
  CHECK(state.editing.history.position() == 1);
  REQUIRE(ui.settle());
  CHECK(state.document.plans.size() >= before.document.plans.size());  // the others followed
  ui.press("Ctrl+Z");
  CHECK(same_present(before, state));
  ui.press("Ctrl+Y");
  CHECK(state.problem()[0].size == before.document.problem->buffers()[0].size * 2);
}

TEST_CASE("a drag is one entry, and revoking it leaves no trace") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  const Buffer was = state.problem()[1];
  begin_edit_drag(state);
  for (int step = 1; step <= 5; ++step) change(ui, {edit::Lifetime{1, was.start, was.end + step}}, true);
  CHECK(state.problem()[1].end == was.end + 5);
  CHECK(state.editing.history.size() == 2);
  // What cannot be is said, and the last good change stays.
  change(ui, {edit::Lifetime{1, was.end + 9, was.start}}, true);
  CHECK_FALSE(state.editing.impossible.empty());
  CHECK(state.problem()[1].end == was.end + 5);
  revoke_edit_drag(state);
  CHECK(state.problem()[1] == was);
  CHECK(state.editing.history.size() == 1);
  revoke_edit_drag(state);
  CHECK(state.editing.history.size() == 1);
}

TEST_CASE("a buffer placed by hand is in a plan of its own, which edits keep") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  const std::string planned = state.shown_plan;
  state.push(action::PlaceByHand{{{0, 4096}}, false});
  ui.frame();
  CHECK(state.shown_plan == "hand");
  CHECK(state.offsets()[0] == 4096);
  CHECK(state.document.find_plan(planned) != nullptr);
  change(ui, {edit::Lifetime{1, state.problem()[1].start, state.problem()[1].end + 1}});
  CHECK(state.shown_plan == "hand");
  CHECK(state.offsets()[0] == 4096);
  ui.press("Ctrl+Z");
  ui.press("Ctrl+Z");
  CHECK(state.document.find_plan("hand") == nullptr);
  CHECK(state.shown_plan == planned);
}

TEST_CASE("a large problem is edited in the background and the newest wish wins") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  const ProblemInput input = synthetic_family(25'000, 1);
  std::string csv = "id,lower,upper,size\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += fmt::format("b{},{},{},{}\n", i, b.start, b.end, b.size);
  }
  REQUIRE(ui.open(folder.write("many.csv", csv)));
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  REQUIRE(state.problem().size() > 20'000);
  const Buffer was = state.problem()[7];
  begin_edit_drag(state);
  for (int step = 1; step <= 30; ++step) change(ui, {edit::Lifetime{7, was.start, was.end + step}}, true);
  REQUIRE(ui.settle());
  CHECK(state.problem()[7].end == was.end + 30);
  CHECK(state.editing.history.size() == 2);
  ui.press("Ctrl+Z");
  CHECK(state.problem()[7] == was);
}

TEST_CASE("panels move between slots, become tabs, and layouts put them back") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  REQUIRE(ui.settle());
  CHECK_FALSE(ui.has("tab.buffers"));
  ui.state().push(action::MovePanel{"inspector", "left 1"});
  ui.frames(3);
  CHECK(ui.has("tab.buffers"));
  CHECK(ui.has("tab.inspector"));
  CHECK(ui.has("inspector"));
  CHECK_FALSE(ui.has("buffers"));
  ui.click("tab.buffers");
  ui.frames(2);
  CHECK(ui.has("buffers"));
  ui.state().push(action::MovePanel{"inspector", "hidden"});
  ui.frames(3);
  CHECK_FALSE(ui.has("tab.buffers"));
  ui.state().push(action::UseLayout{"standard"});
  ui.frames(3);
  CHECK(ui.has("inspector"));
  for (const LayoutFile& layout : layouts()) {
    ui.state().push(action::UseLayout{layout.name});
    ui.frames(3);
    for (const auto& entry : layout.panels) {
      const auto& [panel, place] = entry;
      INFO(layout.name, " ", entry.first);
      CHECK(parse_place(place));
      CHECK((ui.has(panel) || ui.has("tab." + panel)));
    }
  }
}
