#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedTable {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedTable() {
    const std::string path = folder.write("small.csv", small_problem());
    REQUIRE(ui.open(path));
  }
};

}  // namespace

TEST_CASE("table: largest first, and a click on a heading sorts by it and turns around") {
  OpenedTable o;
  const auto order = [&] {
    return o.ui.state().rows.order;
  };
  CHECK(order() == std::vector<BufferIndex>{4, 2, 1, 0, 5, 3});
  o.ui.click("buffers.sort.size");
  CHECK(order() == std::vector<BufferIndex>{3, 5, 0, 1, 2, 4});
  o.ui.click("buffers.sort.name");
  CHECK(order() == std::vector<BufferIndex>{0, 1, 2, 3, 4, 5});
  o.ui.click("buffers.sort.start");
  CHECK(order().front() == 1);
  o.ui.click("buffers.sort.address");
  const auto& offsets = o.ui.state().offsets();
  const std::vector<BufferIndex> by_address = order();
  CHECK(std::is_sorted(by_address.begin(), by_address.end(),
                       [&](BufferIndex a, BufferIndex b) { return offsets[a] < offsets[b]; }));
}

TEST_CASE("table: a click selects, a double-click frames") {
  OpenedTable o;
  o.ui.click("buffers.row.3");
  CHECK(o.ui.state().selection == std::vector<BufferIndex>{3});
  CHECK(o.ui.has("inspector.name"));
  CHECK(o.ui.state().camera_home);
  o.ui.double_click(o.ui.centre("buffers.row.3"));
  CHECK_FALSE(o.ui.state().camera_home);
}

TEST_CASE("find: filters table and chart, Enter and F3 go to the matches, Esc clears") {
  OpenedTable o;
  o.ui.press("Ctrl+F");
  o.ui.type("size>5");
  REQUIRE(o.ui.state().rows.matches != nullptr);
  CHECK(o.ui.state().rows.order == std::vector<BufferIndex>{4, 2});
  o.ui.frame();
  CHECK(o.ui.state().ui.words.find("find.count")->second == "2 of 6");
  CHECK(o.ui.has("buffers.row.4"));
  CHECK_FALSE(o.ui.has("buffers.row.0"));
  o.ui.press("Enter");
  CHECK(o.ui.state().chosen() == 4);
  o.ui.press("F3");
  CHECK(o.ui.state().chosen() == 2);
  o.ui.press("F3");
  CHECK(o.ui.state().chosen() == 4);
  o.ui.press("Escape");
  CHECK(o.ui.state().rows.matches == nullptr);
  CHECK(o.ui.state().query.empty());
  CHECK(o.ui.state().chosen() == 4);
}

TEST_CASE("find: Shift+F3 goes back through the matches") {
  OpenedTable o;
  o.ui.press("Ctrl+F");
  o.ui.type("size>4");
  REQUIRE(o.ui.state().rows.order == std::vector<BufferIndex>{4, 2, 1});
  for (const BufferIndex wanted : {1U, 2U, 4U, 1U}) {
    o.ui.press("Shift+F3");
    CHECK(o.ui.state().chosen() == wanted);
  }
  o.ui.press("F3");
  CHECK(o.ui.state().chosen() == 4);
}

TEST_CASE("runs: the button in the toolbar stops all of them") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("many.csv", csv_of(synthetic_family(8'000, 5)))));
  ui.state().push(action::Invoke{CommandId::run_all});
  ui.frames(2);
  REQUIRE(ui.has("toolbar.cancel_runs"));
  ui.click("toolbar.cancel_runs");
  for (const auto& [id, run] : ui.state().runs) {
    CHECK(run.stage != AllocatorRun::Stage::kWaiting);
    CHECK(run.stage != AllocatorRun::Stage::kRunning);
  }
  REQUIRE(ui.settle());
  CHECK(ui.has("toolbar.run_all"));
}

TEST_CASE("inspector: neighbours and conflicts are those of the chosen buffer and can be clicked") {
  OpenedTable o;
  o.ui.click("buffers.row.0");
  const Relations& found = o.ui.state().relations;
  CHECK(found.buffer == 0);
  CHECK(found.conflict_count == 3);
  REQUIRE(o.ui.has("conflict.1"));
  o.ui.click("conflict.1");
  CHECK(o.ui.state().chosen() == 1);
}

TEST_CASE("palette: opens from the toolbar") {
  OpenedTable o;
  o.ui.click("toolbar.palette");
  CHECK(o.ui.state().popup == Popup::kPalette);
}

TEST_CASE("palette: typing finds a command and Enter runs it") {
  OpenedTable o;
  o.ui.press("Ctrl+Shift+P");
  REQUIRE(o.ui.has("palette.words"));
  o.ui.type("light theme");
  o.ui.press("Enter");
  CHECK(o.ui.state().popup == Popup::kNone);
  CHECK(o.ui.workbench().settings().theme == "light");
}

TEST_CASE("help: lists every command") {
  OpenedTable o;
  o.ui.press("?");
  CHECK(o.ui.state().popup == Popup::kHelp);
  for (const Command& one : commands()) {
    INFO(std::string(one.name));
    CHECK(o.ui.has("help." + std::string(one.name)));
  }
  o.ui.press("Escape");
  CHECK(o.ui.state().popup == Popup::kNone);
}

TEST_CASE("keys: letters do nothing while a text field has the focus") {
  OpenedTable o;
  o.ui.press("Ctrl+F");
  o.ui.press("T");
  CHECK(o.ui.workbench().settings().theme == "dark");
  o.ui.press("Escape");
  o.ui.press("T");
  CHECK(o.ui.workbench().settings().theme == "light");
}

TEST_CASE("window: units, hexadecimal addresses, full screen, copy and quit answer their keys") {
  OpenedTable o;
  o.ui.press("U");
  CHECK(o.ui.workbench().settings().byte_unit == "B");
  o.ui.press("X");
  CHECK(o.ui.workbench().settings().hex_addresses);
  o.ui.press("F11");
  CHECK(o.ui.host.full);
  o.ui.click("buffers.row.1");
  o.ui.press("Ctrl+C");
  CHECK(o.ui.host.clipboard.find("b,0,3,5,") != std::string::npos);
  o.ui.press("Ctrl+Q");
  CHECK(o.ui.host.closed);
}

TEST_CASE("window: in a small window every named pane lies inside and none overlap") {
  const TemporaryFolder folder;
  for (const ImVec2 size : {ImVec2(900, 600), ImVec2(1000, 650), ImVec2(1600, 1000)}) {
    UiDriver ui(size.x, size.y);
    REQUIRE(ui.open(folder.write("small.csv", small_problem())));
    const char* const panes[] = {"buffers", "allocators", "chart", "load", "inspector"};
    for (const char* a : panes) {
      if (!ui.has(a)) continue;
      const Ui::Box one = ui.state().ui.widgets.find(a)->second;
      CHECK(one.low.x >= 0);
      CHECK(one.high.x <= size.x);
      CHECK(one.high.y <= size.y);
      for (const char* b : panes) {
        if (std::string(a) == b || !ui.has(b)) continue;
        const Ui::Box two = ui.state().ui.widgets.find(b)->second;
        const bool apart =
            one.high.x <= two.low.x || two.high.x <= one.low.x || one.high.y <= two.low.y || two.high.y <= one.low.y;
        INFO(a << " and " << b << " at " << size.x);
        CHECK(apart);
      }
    }
    CHECK(ui.state().ui.widgets.find("toolbar.settings")->second.high.x <= size.x);
    CHECK(ui.state().ui.widgets.find("find")->second.low.x >=
          ui.state().ui.widgets.find("toolbar.show_compare")->second.high.x);
  }
}

TEST_CASE("table: where names are long the less important columns make room for them") {
  const TemporaryFolder folder;
  UiDriver ui(1400, 900);
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  CHECK(ui.has("buffers.sort.lifetime"));
  REQUIRE(ui.open(folder.write("long.csv", "id,lower,upper,size\nmodel.layers.0.attention.query,0,4,8\n")));
  CHECK(ui.has("buffers.sort.address"));
  CHECK_FALSE(ui.has("buffers.sort.lifetime"));
}
