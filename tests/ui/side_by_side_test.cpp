#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/ui/opened_compare.h"
#include "ui/comparing.h"
#include "ui/difference_table.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

void edit_size(OpenedCompare& o, BufferIndex buffer, std::int64_t size) {
  o.state().push(action::EditProblem{EditRequest{"Another size", {edit::Size{buffer, size}}, false}});
  REQUIRE(o.ui.settle());
}

}  // namespace

TEST_CASE("compare: two plans lie side by side with one camera, one selection and one cursor") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  REQUIRE(o.ui.has("side_by_side"));
  REQUIRE(o.ui.has("side.canvas.0"));
  REQUIRE(o.ui.has("side.canvas.1"));
  const Plan* other = compared_plan(o.state());
  REQUIRE(other != nullptr);
  CHECK(other->id != o.state().shown_plan);
  // Zooming in one column moves both: the camera is the document's.
  const double before = o.state().camera.time_high - o.state().camera.time_low;
  const std::uint64_t built = o.state().part<Comparing>().scenes[1].built;
  o.ui.wheel(o.ui.centre("side.canvas.0"), 1);
  CHECK(o.state().camera.time_high - o.state().camera.time_low < before);
  CHECK(o.state().part<Comparing>().scenes[1].built > built);
  CHECK(o.state().cursor_time.has_value());
  // A third column, and its end.
  o.ui.click("side.add");
  o.ui.frames(2);
  CHECK(o.ui.has("side.canvas.2"));
  o.ui.click("side.close.2");
  o.ui.frames(2);
  CHECK_FALSE(o.ui.has("side.canvas.2"));
}

TEST_CASE("compare: swapping exchanges the two, and the overlay draws one chart") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  const std::string shown = o.state().shown_plan;
  const std::string other = compared_plan(o.state())->id;
  o.ui.click("side.swap");
  CHECK(o.state().shown_plan == other);
  CHECK(compared_plan(o.state())->id == shown);
  o.ui.click("side.overlay");
  o.ui.frames(2);
  CHECK(o.ui.has("side.canvas.0"));
  CHECK_FALSE(o.ui.has("side.canvas.1"));
}

TEST_CASE("compare: a plan of another file joins, its buffers matched by name or by shape") {
  OpenedCompare o;
  const std::string path = o.folder.write("other.csv",
                                          "id,lower,upper,size,offset\n"
                                          "a,0,6,4,100\n"
                                          "renamed,0,3,5,200\n"
                                          "c,4,9,6,300\n"
                                          "stranger,1,2,3,400\n");
  o.ui.press("3");
  o.ui.frames(3);
  add_plan_of_file(o.state(), path);
  REQUIRE(o.ui.settle());
  const Plan* added = o.state().document.find_plan("other.csv");
  REQUIRE(added != nullptr);
  CHECK(added->offsets[0] == 100);
  CHECK(added->offsets[1] == 200);
  CHECK(added->offsets[2] == 300);
  CHECK(added->offsets[3] == kNoOffset);
  CHECK(o.state().part<Comparing>().unmatched == std::vector<std::string>{"stranger"});
  add_plan_of_file(o.state(), o.folder.file("absent.csv"));
  REQUIRE(o.ui.settle());
  CHECK(std::any_of(o.state().notices.begin(), o.state().notices.end(), [](const Notice& n) { return n.error; }));
}

TEST_CASE("compare: a plan of another file fits the problem as it is edited meanwhile") {
  OpenedCompare o;
  const std::string path =
      o.folder.write("other.csv", "id,lower,upper,size,offset\na,0,6,4,100\nb,0,3,5,200\nc,4,9,6,300\n");
  add_plan_of_file(o.state(), path);
  edit_problem(o.state(), EditRequest{"Removed a", {edit::Remove{{0}}}});
  REQUIRE(o.ui.settle());
  const Plan* added = o.state().document.find_plan("other.csv");
  REQUIRE(added != nullptr);
  REQUIRE(added->offsets.size() == o.state().problem().size());
  CHECK(added->offsets[0] == 200);
  CHECK(added->offsets[1] == 300);
  CHECK(o.state().part<Comparing>().unmatched == std::vector<std::string>{"a"});
}

TEST_CASE("side by side: the present beside any entry of the history, as the buffers were then") {
  OpenedCompare o;
  edit_size(o, 0, 40);
  o.state().push(action::EditProblem{EditRequest{"Removed b", {edit::Remove{{1}}}, false}});
  REQUIRE(o.ui.settle());
  o.ui.press("H");
  o.ui.click("history.compare.0");
  REQUIRE(o.ui.settle());
  o.ui.click("history.compare.beside");
  o.ui.frames(4);
  REQUIRE(o.ui.has("side.canvas.1"));
  auto side = compared_side(o.state());
  REQUIRE(side.has_value());
  CHECK(side->past);
  CHECK(side->problem->size() == 6);
  CHECK((*side->problem)[0].size == 4);
  CHECK(o.state().problem()[0].size == 40);
  const Differences& found = differences(o.state());
  CHECK(found.changes.edited == 1);
  CHECK(found.changes.removed == 1);
  CHECK(found.gone == 1);
  // The selection is that of the same buffer there: c is row 2 there and row 1 here.
  CHECK(found.partner[1] == 2);
  o.state().push(action::Select{{1}, SelectMode::kReplace});
  o.ui.frames(3);
  CHECK(o.state().part<Comparing>().looks[1].selected == std::vector<BufferIndex>{2});
  // A click there selects it here.
  o.state().push(action::Select{{}, SelectMode::kReplace});
  o.ui.frames(2);
  const std::int64_t low = side->plan->offsets[2];
  const Viewport& view = o.state().part<Comparing>().scenes[1].key.view;
  const Ui::Box box = o.state().ui.widgets.find("side.canvas.1")->second;
  o.ui.click(ImVec2(box.low.x + (view.x_of_step(4) + view.x_of_step(9)) / 2,
                    box.low.y + (view.y_of_address(low) + view.y_of_address(low + 6)) / 2));
  o.ui.frames(2);
  CHECK(o.state().selection == std::vector<BufferIndex>{1});
  // The overlay draws it too, and the keyboard goes to the other entries.
  o.ui.click("side.overlay");
  o.ui.frames(3);
  CHECK_FALSE(o.ui.has("side.canvas.1"));
  o.ui.click("side.overlay");
  o.ui.frames(2);
  const std::string first = o.state().part<Comparing>().other;
  o.state().push(action::Invoke{CommandId::compare_later});
  o.ui.frames(3);
  CHECK(o.state().part<Comparing>().other != first);
  o.state().push(action::Invoke{CommandId::compare_earlier});
  o.ui.frames(3);
  CHECK(o.state().part<Comparing>().other == first);
  // Swapped, the entry is the present and what was the present stands beside it.
  o.ui.click("side.swap");
  REQUIRE(o.ui.settle());
  CHECK(o.state().problem().size() == 6);
  side = compared_side(o.state());
  REQUIRE(side.has_value());
  CHECK(side->past);
  CHECK(side->problem->size() == 5);
  CHECK(differences(o.state()).changes.added == 1);
}

TEST_CASE("side by side: an entry is chosen from the list of a column, and is gone when it is the present") {
  OpenedCompare o;
  edit_size(o, 0, 40);
  o.ui.press("3");
  o.ui.frames(3);
  const std::uint64_t entry = o.state().editing.history[0].id;
  o.ui.click("side.plan.1");
  o.ui.frames(2);
  o.ui.click(fmt::format("side.plan.1.entry.{}", entry));
  o.ui.frames(3);
  REQUIRE(compared_side(o.state()).has_value());
  CHECK(compared_side(o.state())->key == entry_key(entry));
  o.ui.press("Ctrl+Z");
  REQUIRE(o.ui.settle());
  REQUIRE(compared_side(o.state()).has_value());
  CHECK_FALSE(compared_side(o.state())->past);
}

TEST_CASE("side by side: another plan is chosen for a column from its list") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  const std::string shown = o.state().shown_plan;
  const std::string other = compared_plan(o.state())->id;
  std::string third;
  for (const std::string& id : o.state().ranked_plans()) {
    if (id != shown && id != other && third.empty()) third = id;
  }
  REQUIRE_FALSE(third.empty());
  o.ui.click("side.plan.1");
  o.ui.frames(2);
  o.ui.click("side.plan.1." + third);
  o.ui.frames(3);
  CHECK(compared_plan(o.state())->id == third);
  o.ui.click("side.plan.0");
  o.ui.frames(2);
  o.ui.click("side.plan.0." + other);
  o.ui.frames(3);
  CHECK(o.state().shown_plan == other);
}

TEST_CASE("side by side: the keys of the map and of the bars bring the chart before it") {
  OpenedCompare o;
  o.ui.press("3");
  REQUIRE(o.ui.has("side_by_side"));
  REQUIRE_FALSE(o.ui.has("chart.canvas"));
  o.ui.press("1");
  CHECK(o.ui.has("chart.canvas"));
  o.ui.press("3");
  o.ui.press("2");
  CHECK(o.ui.has("compare.canvas"));
  o.ui.press("3");
  o.ui.click("toolbar.show_map");
  CHECK(o.ui.has("chart.canvas"));
}

TEST_CASE("side by side: Esc closes the open list of a column first, then ends the rest") {
  OpenedCompare o;
  o.ui.press("3");
  o.state().push(action::Select{{0}, SelectMode::kReplace});
  o.ui.click("side.plan.1");
  const std::string item = "side.plan.1." + o.state().shown_plan;
  REQUIRE(o.ui.has(item));
  o.ui.press("Escape");
  CHECK_FALSE(o.ui.has(item));
  CHECK(o.state().selection.size() == 1);
  o.ui.press("Escape");
  CHECK(o.state().selection.empty());
}
