#include "ui/editing.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/panels.h"

using namespace stowage;
using stowage::testing::csv_of;
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

/// So many buffers that edits, filters and sorts run in the background.
struct OpenedMany {
  testing::TemporaryFolder folder;
  UiDriver ui;
  OpenedMany() {
    REQUIRE(ui.open(folder.write("many.csv", csv_of(synthetic_family(21'000, 1)))));
    REQUIRE(ui.settle());
    REQUIRE(state().problem().size() > Editing::kAtOnce + 600);
  }
  Workbench::State& state() { return ui.state(); }
  /// Asks without waiting.
  void ask(std::vector<Edit> edits, bool drag = false) {
    edit_problem(state(), EditRequest{"a change", std::move(edits), drag});
  }
  const Buffer& named(std::string_view name) {
    BufferIndex i = 0;
    while (state().problem().id(i) != name) ++i;
    return state().problem()[i];
  }
};

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
  REQUIRE(ui.open(folder.write("many.csv", csv_of(synthetic_family(25'000, 1)))));
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

TEST_CASE("above twenty thousand buffers the table names none that is gone while it is made again") {
  OpenedMany o;
  Workbench::State& state = o.state();
  state.push(action::SetQuery{"b"});
  REQUIRE(o.ui.settle());
  const std::size_t before = state.problem().size();
  REQUIRE(state.rows.order.size() == before);
  const auto whole = [&] {
    const std::size_t count = state.problem().size();
    const auto& relations = state.relations;
    const auto exists = [count](BufferIndex i) {
      return i < count;
    };
    return std::all_of(state.rows.order.begin(), state.rows.order.end(), exists) &&
           (state.rows.matches == nullptr || state.rows.matches->size() == count) &&
           std::all_of(relations.conflicts.begin(), relations.conflicts.end(), exists) &&
           std::all_of(relations.neighbours.begin(), relations.neighbours.end(), exists);
  };
  const auto search = [&] {
    for (int k = 0; k < 5; ++k) {
      o.ui.press("F3");
      CHECK(whole());
      CHECK(state.chosen() < state.problem().size());
    }
    REQUIRE(o.ui.settle());
    CHECK(state.rows.order.size() == state.problem().size());
  };
  edit::Remove half;
  for (auto i = static_cast<BufferIndex>(before - 500); i < before; ++i) half.buffers.push_back(i);
  state.push(action::SortBy{SortColumn::kRow});
  state.push(action::SortBy{SortColumn::kRow});  // those that go are above
  REQUIRE(o.ui.settle());
  state.push(action::Select{{half.buffers.back()}, SelectMode::kReplace});
  REQUIRE(o.ui.settle());
  o.ask({half});
  REQUIRE(o.ui.until([&] {
    CHECK(whole());
    return state.problem().size() < before;
  }));
  search();
  o.ui.press("Ctrl+Z");
  CHECK(state.problem().size() == before);
  search();
  edit::Add add;
  add.name = "b new";
  add.buffer = state.problem()[0];
  o.ask({add});
  REQUIRE(o.ui.settle());
  CHECK(state.problem().size() == before + 1);
  o.ui.press("Ctrl+Z");
  CHECK(state.problem().size() == before);
  search();
}

TEST_CASE("an edit in the background is made on top of what comes meanwhile") {
  OpenedMany o;
  const std::int64_t wanted = o.state().problem()[0].size * 2;
  o.ask({edit::Size{0, wanted}});
  place_by_hand(o.state(), {{3, 1 << 20}}, false);
  REQUIRE(o.ui.settle());
  CHECK(o.state().problem()[0].size == wanted);
  CHECK(o.state().offsets()[3] == 1 << 20);
  CHECK(o.state().editing.history.size() == 3);
}

TEST_CASE("edits that wait mean the same buffers after one that renumbers them, and what is gone is said") {
  OpenedMany o;
  o.ask({edit::Remove{{0, 2}}});
  o.ask({edit::Size{5, 12'345}});
  o.ask({edit::Size{2, 77}});
  o.ask({edit::Remove{{1, 2}}});
  REQUIRE(o.ui.settle());
  CHECK(o.named("b5").size == 12'345);
  CHECK(o.state().problem().id(0) == "b3");
  CHECK(std::any_of(o.state().notices.begin(), o.state().notices.end(), [](const Notice& n) { return n.error; }));
}

TEST_CASE("revoking a drag leaves other edits that wait, and undo does not overtake one") {
  OpenedMany o;
  const Buffer was = o.state().problem()[7];
  o.ask({edit::Size{0, 4'321}});
  o.ask({edit::Size{1, 5'432}});
  begin_edit_drag(o.state());
  o.ask({edit::Lifetime{7, was.start, was.end + 5}}, true);
  revoke_edit_drag(o.state());
  go_to_entry(o.state(), 0);
  REQUIRE(o.ui.settle());
  CHECK(o.state().problem()[0].size == 4'321);
  CHECK(o.state().problem()[1].size == 5'432);
  CHECK(o.state().problem()[7] == was);
  go_to_entry(o.state(), 1);
  CHECK(o.state().problem()[0].size == 4'321);
  go_to_entry(o.state(), 0);
  CHECK(o.state().problem()[0].size != 4'321);
  // The last frame of a drag stays when the next drag begins before it is done.
  begin_edit_drag(o.state());
  o.ask({edit::Lifetime{7, was.start, was.end + 1}}, true);
  o.ask({edit::Lifetime{7, was.start, was.end + 2}}, true);
  begin_edit_drag(o.state());
  o.ask({edit::Size{9, 999}}, true);
  REQUIRE(o.ui.settle());
  CHECK(o.state().problem()[7].end == was.end + 2);
  CHECK(o.state().problem()[9].size == 999);
  CHECK(o.state().editing.history.size() == 3);
}
