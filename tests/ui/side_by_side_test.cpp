#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
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
  add_plans_of_file(o.state(), path);
  REQUIRE(o.ui.settle());
  const Plan* added = o.state().document.find_plan("other.csv");
  REQUIRE(added != nullptr);
  CHECK(added->offsets[0] == 100);
  CHECK(added->offsets[1] == 200);
  CHECK(added->offsets[2] == 300);
  CHECK(added->offsets[3] == kNoOffset);
  CHECK(o.state().part<Comparing>().unmatched["other.csv"].ids == std::vector<std::string>{"stranger"});
  add_plans_of_file(o.state(), o.folder.file("absent.csv"));
  REQUIRE(o.ui.settle());
  CHECK(std::any_of(o.state().notices.begin(), o.state().notices.end(), [](const Notice& n) { return n.error; }));
}

TEST_CASE("compare: a plan of another file fits the problem as it is edited meanwhile") {
  OpenedCompare o;
  const std::string path =
      o.folder.write("other.csv", "id,lower,upper,size,offset\na,0,6,4,100\nb,0,3,5,200\nc,4,9,6,300\n");
  add_plans_of_file(o.state(), path);
  edit_problem(o.state(), EditRequest{"Removed a", {edit::Remove{{0}}}});
  REQUIRE(o.ui.settle());
  const Plan* added = o.state().document.find_plan("other.csv");
  REQUIRE(added != nullptr);
  REQUIRE(added->offsets.size() == o.state().problem().size());
  CHECK(added->offsets[0] == 200);
  CHECK(added->offsets[1] == 300);
  CHECK(o.state().part<Comparing>().unmatched["other.csv"].ids == std::vector<std::string>{"a"});
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

TEST_CASE("compare: every plan of a file joins, and what each file has unmatched is kept by plan") {
  OpenedCompare o;
  const std::string two = o.folder.write("two.json",
                                         R"({"format":"stowage","version":1,"problem":{"buffers":[
{"id":"a","lower":0,"upper":6,"size":4},{"id":"stranger","lower":1,"upper":2,"size":3}]},
"plans":[{"id":"p","allocator":"file","offsets":{"a":0,"stranger":400}},
{"id":"q","allocator":"file","offsets":{"a":8,"stranger":500}}]})");
  const std::string one = o.folder.write("one.csv", "id,lower,upper,size,offset\na,0,6,4,100\nalien,1,2,3,600\n");
  const std::string entry = "Added 2 plans of two.json";
  // The second one is asked for while the first is being read.
  add_plans_of_file(o.state(), two);
  add_plans_of_file(o.state(), one);
  REQUIRE(o.ui.settle());
  REQUIRE(o.state().document.find_plan("two.json: p") != nullptr);
  REQUIRE(o.state().document.find_plan("two.json: q") != nullptr);
  REQUIRE(o.state().document.find_plan("one.csv") != nullptr);
  CHECK(o.state().document.find_plan("two.json: p")->offsets[0] == 0);
  CHECK(o.state().document.find_plan("two.json: q")->offsets[0] == 8);
  CHECK(o.state().editing.history.position() == 2);
  CHECK(o.state().editing.history[1].label == entry);
  CHECK(o.state().part<Comparing>().other == "one.csv");
  CHECK(unmatched_there(o.state()).ids == std::vector<std::string>{"alien"});
  o.state().push(action::ShowPanel{"differences"});
  for (const auto& [plan, offset] : {std::pair("two.json: p", 400), std::pair("two.json: q", 500)}) {
    CAPTURE(plan);
    compare_with(o.state(), plan);
    REQUIRE(o.ui.settle());
    CHECK(unmatched_there(o.state()).ids == std::vector<std::string>{"stranger"});
    CHECK(unmatched_there(o.state()).offsets == std::vector<std::int64_t>{offset});
    CHECK(o.ui.has("differences.unmatched"));
  }
  o.ui.press("Ctrl+Z");
  o.ui.press("Ctrl+Z");
  REQUIRE(o.ui.settle());
  CHECK(o.state().document.find_plan("two.json: p") == nullptr);
}

TEST_CASE("side by side: the popup takes the path of a file, and its buttons and Enter do what they say") {
  OpenedCompare o;
  const std::string path =
      o.folder.write("other.csv", "id,lower,upper,size,offset\na,0,6,4,100\nb,0,3,5,200\nc,4,9,6,300\n");
  o.ui.press("3");
  o.ui.frames(3);
  o.ui.click("side.file");
  REQUIRE(o.ui.has("side.file.path"));
  CHECK(ImGui::GetIO().WantTextInput);  // one types at once
  // Without a path there is nothing to add.
  o.ui.click("side.file.add");
  CHECK(o.ui.has("side.file.path"));
  CHECK_FALSE(o.ui.has("notice.error"));
  o.ui.click("side.file.path");
  o.ui.type("nowhere.csv");
  o.ui.click("side.file.cancel");
  CHECK_FALSE(o.ui.has("side.file.path"));
  REQUIRE(o.ui.settle());
  CHECK_FALSE(o.ui.has("notice.error"));
  CHECK(o.state().editing.history.position() == 0);
  // The field keeps its words; they are replaced.
  o.ui.click("side.file");
  o.ui.click("side.file.path");
  o.ui.press("Ctrl+A");
  o.ui.type(path);
  CHECK(o.state().part<Comparing>().path_text == path);
  o.ui.click("side.file.add");
  CHECK_FALSE(o.ui.has("side.file.path"));
  REQUIRE(o.ui.settle());
  REQUIRE(o.state().document.find_plan("other.csv") != nullptr);
  CHECK(o.state().part<Comparing>().other == "other.csv");
  o.ui.click("side.file");
  o.ui.click("side.file.path");
  o.ui.press("Enter");
  CHECK_FALSE(o.ui.has("side.file.path"));
  REQUIRE(o.ui.settle());
  CHECK(o.state().document.find_plan("other.csv 2") != nullptr);
}

TEST_CASE("side by side: the wheel over one axis zooms that axis only") {
  OpenedCompare o;
  o.ui.press("3");
  o.ui.frames(3);
  const auto times = [&] {
    return o.state().camera.time_high - o.state().camera.time_low;
  };
  const auto bytes = [&] {
    return o.state().camera.byte_high - o.state().camera.byte_low;
  };
  const Ui::Box box = o.state().ui.widgets.find("side.canvas.1")->second;
  const double all_times = times();
  const double all_bytes = bytes();
  o.ui.wheel(ImVec2(box.low.x + 4, (box.low.y + box.high.y) / 2), 1);
  CHECK(times() == doctest::Approx(all_times));
  CHECK(bytes() < 0.95 * all_bytes);
  const double some_bytes = bytes();
  o.ui.wheel(ImVec2((box.low.x + box.high.x) / 2, box.high.y - 4), 1);
  CHECK(times() < 0.95 * all_times);
  CHECK(bytes() == doctest::Approx(some_bytes));
}

TEST_CASE("side by side: a double click frames the buffer where the column has it, beside everything shows all") {
  OpenedCompare o;
  o.state().push(action::ShowPlan{"naive"});
  o.ui.press("3");
  compare_with(o.state(), "first-fit-size");
  o.ui.frames(3);
  REQUIRE(compared_plan(o.state())->id == "first-fit-size");
  // In the naive plan the last one lies on top of all, in the other one much lower.
  constexpr BufferIndex kLast = 5;
  const std::int64_t low = compared_plan(o.state())->offsets[kLast];
  const Buffer last = o.state().problem()[kLast];
  REQUIRE(low + last.size < o.state().offsets()[kLast]);
  const Ui::Box box = o.state().ui.widgets.find("side.canvas.1")->second;
  const Viewport view = o.state().part<Comparing>().scenes[1].key.view;
  o.ui.double_click(ImVec2(box.low.x + view.x_of(static_cast<double>(last.end) - 0.3),
                           box.low.y + view.y_of(static_cast<double>(low) + 0.5)));
  CHECK(o.state().selection == std::vector<BufferIndex>{kLast});
  const Viewport& camera = o.state().camera;
  CHECK(camera.x_of_step(last.start) >= camera.area.left);
  CHECK(camera.x_of_step(last.end) <= camera.area.right);
  CHECK(camera.y_of_address(low) <= camera.area.bottom);
  CHECK(camera.y_of_address(low + last.size) >= camera.area.top);
  CHECK(camera.time_high - camera.time_low < 2.0 * static_cast<double>(last.lifetime()));
  CHECK(camera.byte_high - camera.byte_low < 3.0 * static_cast<double>(last.size));
  o.ui.press("0");
  o.ui.wheel(o.ui.centre("side.canvas.1"), -2);
  REQUIRE_FALSE(o.state().camera_home);
  o.ui.double_click(ImVec2(box.low.x + view.area.left + 4, box.low.y + view.area.top + 4));
  CHECK(o.state().camera_home);
}
