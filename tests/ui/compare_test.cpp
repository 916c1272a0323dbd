#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/difference_table.h"
#include "ui/panels.h"
#include "ui/presentation.h"
#include "ui/services.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedCompare {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedCompare() {
    const std::string path = folder.write("small.csv", small_problem());
    REQUIRE(ui.open(path));
  }
  Workbench::State& state() { return ui.state(); }
};

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

TEST_CASE("compare: the differences are exactly the buffers at other addresses, and a click frames one") {
  OpenedCompare o;
  o.state().push(action::ShowPlan{"naive"});
  o.ui.frame();
  o.state().part<Comparing>().other = "first-fit-size";
  o.state().push(action::ShowPanel{"differences"});
  o.ui.frames(3);
  REQUIRE(o.ui.has("differences"));
  const Plan* here = o.state().document.find_plan("naive");
  const Plan* there = o.state().document.find_plan("first-fit-size");
  std::size_t moved = 0;
  for (std::size_t i = 0; i < here->offsets.size(); ++i) moved += here->offsets[i] != there->offsets[i] ? 1U : 0U;
  REQUIRE(moved > 0);
  CHECK(differences(o.state()).changes.moved == moved);
  CHECK(o.ui.has("differences.waste"));
  o.ui.click("differences.0");
  CHECK(o.state().selection.size() == 1);
  std::size_t up = 0;
  for (std::size_t i = 0; i < here->offsets.size(); ++i) up += here->offsets[i] > there->offsets[i] ? 1U : 0U;
  for (const auto& [filter, count] : {std::pair("differences.up", up), std::pair("differences.down", moved - up)}) {
    o.ui.click(filter);
    o.ui.frames(3);
    CHECK(o.ui.has(fmt::format("differences.{}", count)) == false);
    if (count > 0) CHECK(o.ui.has(fmt::format("differences.{}", count - 1)));
  }
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

TEST_CASE("scatter: every timed plan is a point, and a click shows it") {
  OpenedCompare o;
  o.ui.press("4");
  o.ui.frames(3);
  REQUIRE(o.ui.has("scatter"));
  for (const std::string& id : o.state().ranked_plans()) {
    const PlanFacts* facts = o.state().facts_of(id);
    if (facts != nullptr && facts->seconds >= 0) CHECK(o.ui.has("scatter." + id));
  }
}

TEST_CASE("colours: each choice draws, C goes round, and the palette stays for the next start") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  {
    UiDriver ui(1600, 1000, folder.path());
    REQUIRE(ui.open(csv));
    for (std::size_t k = 0; k < colour_choices().size(); ++k) {
      const std::uint64_t built = ui.state().map.built;
      ui.press("C");
      ui.frames(2);
      CHECK(chosen_colouring(ui.state()) == colour_choices()[(k + 1) % colour_choices().size()].by);
      CHECK(ui.state().map.built > built);
    }
    ui.state().later([](Workbench::State& state) {
      choose_palette(state, "okabe-ito");
      choose_colouring(state, ColourBy::kSize);
    });
    ui.frames(3);
    REQUIRE(colouring_of(ui.state()).legend.size() > 1);
    const std::string query = colouring_of(ui.state()).legend[0].query;
    ui.click("legend." + colouring_of(ui.state()).legend[0].title);
    CHECK(ui.state().query == query);
    CHECK(ui.state().query_error.empty());
  }
  UiDriver again(1600, 1000, folder.path());
  CHECK(chosen_palette(again.state()).id == "okabe-ito");
  CHECK(chosen_colouring(again.state()) == ColourBy::kSize);
}

TEST_CASE("presentation: nothing but the chart, larger; Esc brings everything back") {
  OpenedCompare o;
  const Settings before = o.state().settings;
  o.ui.press("F10");
  o.ui.frames(3);
  CHECK(o.ui.has("chart.canvas"));
  for (const char* name : {"buffers", "inspector", "allocators", "load", "toolbar.open", "find", "status.plan"}) {
    CAPTURE(name);
    CHECK_FALSE(o.ui.has(name));
  }
  CHECK(o.ui.workbench().font_scale() == doctest::Approx(1.5F));
  CHECK(o.ui.host.full);
  o.ui.press("Escape");
  o.ui.frames(3);
  for (const char* name : {"buffers", "load", "toolbar.open", "status.plan"}) CHECK(o.ui.has(name));
  CHECK(o.state().settings == before);
  CHECK(o.ui.workbench().font_scale() == doctest::Approx(1.0F));
  CHECK_FALSE(o.ui.host.full);
}

TEST_CASE("presentation: the next start knows nothing of it, and what was chosen meanwhile stays") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  Settings before;
  {
    UiDriver ui(1600, 1000, folder.path());
    REQUIRE(ui.open(csv));
    before = ui.state().settings;
    ui.press("F10");
    ui.press("C");
    ui.frames(3);
  }
  UiDriver again(1600, 1000, folder.path());
  REQUIRE(again.open(csv));
  CHECK((again.has("buffers") && again.has("load") && again.has("inspector")));
  CHECK(again.workbench().font_scale() == doctest::Approx(1.0F));
  CHECK(again.state().settings.panels == before.panels);
  CHECK(chosen_colouring(again.state()) == colour_choices()[1].by);
  again.press("F10");
  again.press("C");
  again.press("F10");
  again.frames(3);
  CHECK(again.has("buffers"));
  CHECK(chosen_colouring(again.state()) == colour_choices()[2].by);
}

TEST_CASE("layouts: an item of the menu changes where panels lie, not what else is chosen") {
  OpenedCompare o;
  choose_colouring(o.state(), ColourBy::kSize);
  choose_palette(o.state(), "okabe-ito");
  o.state().settings.layout["easing"] = 0;
  o.state().settings.layout["pinned.naive"] = 1;
  o.state().settings.layout["left_hidden"] = 1;
  o.state().settings.layout["bottom_split"] = 0.3;
  for (const LayoutFile& layout : layouts()) {
    CAPTURE(layout.name);
    o.ui.click("toolbar.panels");
    o.ui.frames(2);
    o.ui.click("layout." + layout.name);
    o.ui.frames(3);
    for (const auto& entry : layout.panels) CHECK(o.state().settings.panels.at(entry.first) == entry.second);
    CHECK(chosen_colouring(o.state()) == ColourBy::kSize);
    CHECK(chosen_palette(o.state()).id == "okabe-ito");
    CHECK(o.state().settings.layout.at("easing") == 0);
    CHECK(o.state().settings.layout.at("pinned.naive") == 1);
    CHECK(o.state().settings.layout.count("left_hidden") == 0);
    CHECK(o.state().settings.layout.count("bottom_split") == layout.sizes.count("bottom_split"));
  }
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

TEST_CASE("differences: what lies at the same address, and what of the other file is not matched, have lists") {
  OpenedCompare o;
  const std::vector<std::int64_t> here = o.state().offsets();
  add_plan_of_file(o.state(), o.folder.write("other.csv", fmt::format("id,lower,upper,size,offset\na,0,6,4,{}\n"
                                                                      "b,0,3,5,{}\nstranger,1,2,3,400\n",
                                                                      here[0], here[1] + 1000)));
  o.state().push(action::ShowPanel{"differences"});
  REQUIRE(o.ui.settle());
  o.ui.click("differences.same");
  o.ui.frames(3);
  CHECK(o.ui.has("differences.0"));
  CHECK_FALSE(o.ui.has("differences.1"));
  o.ui.click("differences.0");
  CHECK(o.state().chosen() == 0);
  o.ui.click("differences.unmatched");
  o.ui.frames(3);
  CHECK(o.ui.has("differences.unmatched.0"));
  CHECK_FALSE(o.ui.has("differences.unmatched.1"));
  // Against another plan nothing of that file is listed.
  o.state().part<Comparing>().other = "naive";
  o.ui.frames(3);
  CHECK_FALSE(o.ui.has("differences.unmatched"));
}

TEST_CASE("differences: the curve of waste is that of the space that is shown") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("spaces.json",
                               R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"host"}],
    "buffers":[{"id":"a","lower":0,"upper":4,"size":1024,"space":"device"},
               {"id":"b","lower":2,"upper":8,"size":2048,"space":"device"},
               {"id":"c","lower":0,"upper":3,"size":64,"space":"host"},
               {"id":"d","lower":6,"upper":8,"size":64,"space":"host"}]},
    "plans":[{"id":"p","allocator":"file","offsets":{"a":0,"b":1024,"c":0,"d":64}},
             {"id":"q","allocator":"file","offsets":{"a":2048,"b":0,"c":64,"d":0}}]})")));
  ui.state().push(action::ShowPanel{"differences"});
  REQUIRE(ui.settle());
  const auto picture = [&] {
    ui.move(ImVec2(2, 2));
    ui.frames(4);
    const Ui::Box box = ui.state().ui.widgets.find("differences.waste")->second;
    const Bitmap whole = ui.screenshot();
    std::vector<std::uint32_t> pixels;
    for (int y = static_cast<int>(box.low.y) + 1; y < static_cast<int>(box.high.y); ++y) {
      for (int x = static_cast<int>(box.low.x) + 1; x < static_cast<int>(box.high.x); ++x) {
        pixels.push_back(whole.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width) +
                                      static_cast<std::size_t>(x)]);
      }
    }
    return pixels;
  };
  const auto device = picture();
  ui.state().push(action::SetSpace{1});
  REQUIRE(ui.settle());
  CHECK(picture() != device);
}

namespace {

void edit_size(OpenedCompare& o, BufferIndex buffer, std::int64_t size) {
  o.state().push(action::EditProblem{EditRequest{"Another size", {edit::Size{buffer, size}}, false}});
  REQUIRE(o.ui.settle());
}

/// What the differences panel lists, top to bottom.
std::vector<std::string> listed(OpenedCompare& o) {
  const DifferenceTable& table = o.state().part<DifferenceTable>();
  std::vector<std::string> names;
  for (const DifferenceRow& row : table.rows) names.emplace_back(table.source->name(row));
  return names;
}

}  // namespace

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

TEST_CASE("differences: a table with both offsets, sorted by each of its columns") {
  OpenedCompare o;
  const std::vector<std::int64_t> here = o.state().offsets();
  add_plan_of_file(o.state(), o.folder.write("other.csv", fmt::format("id,lower,upper,size,offset\na,0,6,4,{}\n"
                                                                      "b,0,3,5,{}\nc,4,9,6,{}\nstranger,1,2,3,400\n",
                                                                      here[0], here[1] + 1000, here[2] + 50)));
  o.state().push(action::ShowPanel{"differences"});
  REQUIRE(o.ui.settle());
  const DifferenceTable& table = o.state().part<DifferenceTable>();
  o.ui.click("differences.sort.here");
  o.ui.frames(2);
  o.ui.click("differences.all");
  o.ui.frames(3);
  REQUIRE(table.rows.size() == 7);
  const auto state_of = [&](const char* name) {
    for (const DifferenceRow& row : table.rows) {
      if (table.source->name(row) == name) return table.source->state(row);
    }
    return DifferenceState::kNowhere;
  };
  CHECK(state_of("a") == DifferenceState::kSame);
  CHECK(state_of("b") == DifferenceState::kDown);
  CHECK(state_of("d") == DifferenceState::kOnlyHere);
  CHECK(state_of("stranger") == DifferenceState::kUnmatched);
  CHECK(table.source->offset_there(table.rows.back()) == 400);
  for (const char* column : {"buffer", "there", "difference", "state"}) {
    if (!o.ui.has(std::string("differences.sort.") + column)) continue;
    CAPTURE(column);
    o.ui.click(std::string("differences.sort.") + column);
    o.ui.frames(2);
    const std::vector<std::string> one = listed(o);
    o.ui.click(std::string("differences.sort.") + column);
    o.ui.frames(2);
    CHECK(listed(o) != one);
    CHECK(listed(o).size() == one.size());
  }
  o.state().later([](Workbench::State& s) {
    s.part<DifferenceTable>().descending = true;
    sort_differences(s, DifferenceColumn::kBuffer);
  });
  o.ui.frames(3);
  if (table.descending) {
    o.ui.click("differences.sort.buffer");
    o.ui.frames(2);
  }
  CHECK(listed(o) == std::vector<std::string>{"a", "b", "c", "d", "e", "f", "stranger"});
  // By the keyboard: each row in turn, selected and framed.
  o.state().push(action::Select{{}, SelectMode::kReplace});
  o.ui.frames(2);
  o.state().push(action::Invoke{CommandId::next_difference});
  o.ui.frames(2);
  CHECK(o.state().chosen() == 0);
  o.state().push(action::Invoke{CommandId::next_difference});
  o.ui.frames(2);
  CHECK(o.state().chosen() == 1);
  CHECK_FALSE(o.state().camera_home);
  o.state().push(action::Invoke{CommandId::previous_difference});
  o.ui.frames(2);
  CHECK(o.state().chosen() == 0);
}

TEST_CASE("differences: of a hundred thousand buffers only the visible rows are drawn, and the window never waits") {
  const TemporaryFolder folder;
  UiDriver ui;
  const ProblemInput input = synthetic_family(100'000, 3);
  const std::string csv = csv_of(input);
  REQUIRE(ui.open(folder.write("many.csv", csv)));
  Workbench::State& state = ui.state();
  REQUIRE(state.plan() != nullptr);
  std::vector<std::pair<BufferIndex, std::int64_t>> moves;
  for (BufferIndex i = 0; i < 50'000; ++i) moves.emplace_back(i, state.offsets()[i] + 64);
  state.push(action::PlaceByHand{moves, false});
  REQUIRE(ui.settle());
  state.push(action::ShowPanel{"differences"});
  state.part<Comparing>().other = kFirstAllocator;
  ui.frames(2);
  // Not found within the frame: it is looked for beside the window.
  CHECK(busy_comparing(state));
  REQUIRE(ui.settle());
  ui.frames(2);
  CHECK(differences(state).up == 50'000);
  CHECK(state.part<DifferenceTable>().rows.size() == 50'000);
  std::size_t drawn = 0;
  for (int k = 0; k < 2'000; ++k) drawn += ui.has(fmt::format("differences.{}", k)) ? 1U : 0U;
  CHECK(drawn > 3);
  CHECK(drawn < 100);
  REQUIRE(ui.has("differences.sort.here"));
  state.later([](Workbench::State& s) { sort_differences(s, DifferenceColumn::kHere); });
  ui.frames(2);
  CHECK(busy_difference_table(state));
  REQUIRE(ui.settle());
  ui.frames(2);
  const DifferenceTable& table = state.part<DifferenceTable>();
  CHECK(std::is_sorted(table.rows.begin(), table.rows.end(), [&](const DifferenceRow& a, const DifferenceRow& b) {
    return table.source->offset_here(a) < table.source->offset_here(b);
  }));
}

TEST_CASE("plans: one that was asked for is an entry that undo takes back; what plans by itself is none") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("collide.csv", colliding_plan())));
  Workbench::State& state = ui.state();
  const auto& history = state.editing.history;
  REQUIRE(state.document.plans.size() == 1);
  state.push(action::RunAllocator{"first-fit-size"});
  REQUIRE(ui.settle());
  CHECK(history.position() == 1);
  CHECK(history.dirty());
  CHECK(state.shown_plan == "first-fit-size");
  // The same again says nothing new.
  state.push(action::RunAllocator{"first-fit-size"});
  REQUIRE(ui.settle());
  CHECK(history.position() == 1);
  ui.press("Ctrl+Z");
  REQUIRE(ui.settle());
  CHECK(state.document.plans.size() == 1);
  CHECK(state.shown_plan == "file");
  CHECK_FALSE(history.dirty());
  ui.press("Ctrl+Y");
  REQUIRE(ui.settle());
  CHECK(state.document.find_plan("first-fit-size") != nullptr);
  // All of them are one entry.
  ui.press("Ctrl+R");
  REQUIRE(ui.settle());
  CHECK(history.position() == 2);
  CHECK(state.document.plans.size() > 4);
  // So is a plan of another file.
  add_plan_of_file(state, folder.write("other.csv", "id,lower,upper,size,offset\nx,0,5,8,0\ny,2,7,8,64\nz,8,9,3,0\n"));
  REQUIRE(ui.settle());
  CHECK(history.position() == 3);
  ui.press("Ctrl+Z");
  REQUIRE(ui.settle());
  CHECK(state.document.find_plan("other.csv") == nullptr);
}

TEST_CASE("plans: a problem without a plan is planned by itself, and that leaves it as it was saved") {
  OpenedCompare o;
  CHECK(o.state().document.plans.size() > 1);
  CHECK(o.state().editing.history.position() == 0);
  CHECK_FALSE(o.state().editing.history.dirty());
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

TEST_CASE("scatter: a click on a point shows its plan") {
  OpenedCompare o;
  o.ui.press("4");
  o.ui.frames(3);
  std::size_t clicked = 0;
  for (const std::string& id : o.state().ranked_plans()) {
    if (!o.ui.has("scatter." + id) || id == o.state().shown_plan) continue;
    const ImVec2 at = o.ui.centre("scatter." + id);
    const std::vector<std::string> plans = o.state().ranked_plans();
    const bool alone = std::none_of(plans.begin(), plans.end(), [&](const std::string& two) {
      if (two == id || !o.ui.has("scatter." + two)) return false;
      const ImVec2 beside = o.ui.centre("scatter." + two);
      return std::abs(beside.x - at.x) < 14 && std::abs(beside.y - at.y) < 14;
    });
    if (!alone) continue;
    o.ui.click("scatter." + id);
    CHECK(o.state().shown_plan == id);
    ++clicked;
  }
  CHECK(clicked > 0);
}

TEST_CASE("allocators: plans are ranked by name, time, makespan or issues, and pinned ones stand above") {
  const TemporaryFolder folder;
  UiDriver ui(1600, 2000);
  REQUIRE(ui.open(folder.write("collide.csv", colliding_plan())));
  ui.press("Ctrl+R");
  REQUIRE(ui.settle());
  Workbench::State& state = ui.state();
  const auto order = [&] {
    std::vector<std::string> ids = state.ranked_plans();
    std::erase_if(ids, [&](const std::string& id) { return !ui.has("allocators." + id); });
    std::stable_sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
      return ui.centre("allocators." + a).y < ui.centre("allocators." + b).y;
    });
    return ids;
  };
  REQUIRE(order().size() > 4);
  const auto facts = [&](const std::string& id) -> const PlanFacts& {
    return *state.facts_of(id);
  };
  const auto sorted_by = [&](const char* word, auto less) {
    ui.click(std::string("allocators.sort.") + word);
    ui.frames(3);
    const std::vector<std::string> ids = order();
    return std::is_sorted(ids.begin(), ids.end(), less);
  };
  CHECK(sorted_by("name", [](const std::string& a, const std::string& b) {
    return Workbench::State::title_of_plan(a) < Workbench::State::title_of_plan(b);
  }));
  CHECK(sorted_by("time", [&](const std::string& a, const std::string& b) {
    const auto time = [&](const std::string& id) {
      return facts(id).seconds < 0 ? 1e300 : facts(id).seconds;
    };
    return time(a) < time(b);
  }));
  CHECK(sorted_by("issues", [&](const std::string& a, const std::string& b) {
    return facts(a).report.count < facts(b).report.count;
  }));
  CHECK(order().back() == "file");  // the only one that collides
  CHECK(sorted_by("makespan", [&](const std::string& a, const std::string& b) {
    if (facts(a).report.valid() != facts(b).report.valid()) return facts(a).report.valid();
    return facts(a).metrics.makespan < facts(b).metrics.makespan;
  }));
  const auto pin = [&](const std::string& id) {
    ui.move(ui.centre("allocators." + id));
    ImGui::GetIO().MouseDown[1] = true;
    ui.frame();
    ImGui::GetIO().MouseDown[1] = false;
    ui.frames(3);
    ui.click("allocators.pin." + id);
    ui.frames(3);
  };
  const std::string first = order().front();
  const std::string fourth = order()[3];
  pin(fourth);
  CHECK(order().front() == fourth);
  pin(fourth);
  CHECK(order().front() == first);
}
