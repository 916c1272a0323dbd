#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/opened_compare.h"
#include "tests/ui/sample.h"
#include "ui/comparing.h"
#include "ui/difference_table.h"
#include "ui/services.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// What the differences panel lists, top to bottom.
std::vector<std::string> listed(OpenedCompare& o) {
  const DifferenceTable& table = o.state().part<DifferenceTable>();
  std::vector<std::string> names;
  for (const DifferenceRow& row : table.rows) names.emplace_back(table.source->name(row));
  return names;
}

}  // namespace

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

TEST_CASE("differences: what lies at the same address, and what of the other file is not matched, have lists") {
  OpenedCompare o;
  const std::vector<std::int64_t> here = o.state().offsets();
  add_plans_of_file(o.state(), o.folder.write("other.csv", fmt::format("id,lower,upper,size,offset\na,0,6,4,{}\n"
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

TEST_CASE("differences: a table with both offsets, sorted by each of its columns") {
  OpenedCompare o;
  const std::vector<std::int64_t> here = o.state().offsets();
  add_plans_of_file(o.state(), o.folder.write("other.csv", fmt::format("id,lower,upper,size,offset\na,0,6,4,{}\n"
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
