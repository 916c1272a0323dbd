#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/pools_panel.h"
#include "ui/reuse_panel.h"
#include "ui/studies_panel.h"

using namespace stowage;
using stowage::testing::UiDriver;

TEST_CASE("online pools panel: every pool serves the lifetimes beside the plan, a click shows one large") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.state().push(action::RunAllocator{"first-fit-size"});
  REQUIRE(ui.settle());
  ui.state().push(action::ShowPlan{"first-fit-size"});
  ui.state().push(action::ShowPanel{"pools"});
  REQUIRE(ui.settle());
  auto& panel = ui.state().part<PoolsPanel>();
  REQUIRE_MESSAGE(panel.played != nullptr, panel.failure);
  CHECK(panel.played->planned);
  CHECK(panel.played->runs.size() >= 7);
  CHECK(panel.played->runs.front().peaks().reserved == ui.state().shown_facts()->metrics.makespan);
  REQUIRE(ui.has("pools.figure"));
  ui.click("pools.caching");
  ui.frames(3);
  CHECK(panel.chosen == "caching");
  const std::uint64_t built = panel.figure.built;
  ui.frames(5);
  CHECK(panel.figure.built == built);  // nothing changes, nothing is drawn anew
  ui.click("pools.all");
  ui.frames(3);
  CHECK(panel.figure.built == built + 1);
}

TEST_CASE("online pools panel: what no trace can say is said instead") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("pinned.csv", "id,lower,upper,size,fixed\na,0,2,8,64\n")));
  ui.state().push(action::ShowPanel{"pools"});
  REQUIRE(ui.settle());
  const PoolsPanel& panel = ui.state().part<PoolsPanel>();
  REQUIRE(panel.played != nullptr);
  CHECK(panel.failure.empty());
  REQUIRE(panel.played->refusals.size() == 1);  // the fixed offset
  CHECK(panel.played->refusals.front().find("fixed") != std::string::npos);
}

TEST_CASE("studies panel: a study is computed beside drawing, of the chosen network") {
  UiDriver ui;
  ui.state().push(action::ShowPanel{"studies"});
  REQUIRE(ui.settle());
  ui.state().later([](Workbench::State& s) { start_study(s, "batch", "lenet5"); });
  REQUIRE(ui.settle());
  auto& panel = ui.state().part<StudiesPanel>();
  REQUIRE_MESSAGE(panel.study != nullptr, panel.failure);
  CHECK(panel.study->curves.size() == 5);
  CHECK(ui.has("studies.figure"));
  ui.click("studies.network");
  ui.frames(2);
  CHECK(ui.has("studies.network.lenet5"));
  ui.press("Escape");
  ui.state().later([](Workbench::State& s) { start_study(s, "batch", "none-such"); });
  REQUIRE(ui.settle());
  CHECK(panel.study == nullptr);
  CHECK(panel.failure.find("none-such") != std::string::npos);
}

TEST_CASE("reuse matrix: the pair under the pointer says why, and a click selects both") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  // Two streams: B is over when c makes C in the schedule, but nothing makes c wait for that.
  const std::string graph = R"({"name":"two streams",
 "tensors":[{"id":"x","bytes":8,"kind":"input"},{"id":"A","bytes":8},{"id":"B","bytes":8},{"id":"C","bytes":8},
            {"id":"D","bytes":8}],
 "ops":[{"id":"a","in":["x"],"out":["A"]},{"id":"b","in":["A"],"out":["B"]},
        {"id":"c","in":["x"],"out":["C"],"stream":1},{"id":"d","in":["B","C"],"out":["D"]}],
 "inputs":["x"],"outputs":["D"]})";
  REQUIRE(ui.open(folder.write("streams.json", graph)));
  ui.state().push(action::ShowPanel{"reuse"});
  REQUIRE(ui.settle());
  auto& panel = ui.state().part<ReusePanel>();
  REQUIRE(panel.made != nullptr);
  const ReuseTable& table = panel.made->table;
  const auto row = [&](std::string_view id) {
    for (std::size_t k = 0; k < table.roots.size(); ++k) {
      if (panel.made->staged->graph.tensor(table.roots[k]).id == id) return k;
    }
    return table.roots.size();
  };
  REQUIRE(row("A") < table.roots.size());
  REQUIRE(row("C") < table.roots.size());
  CHECK(table.at(row("A"), row("C")) == ReuseCell::kOrder);
  CHECK(table.at(row("A"), row("B")) == ReuseCell::kLive);
  CHECK(table.at(row("B"), row("B")) == ReuseCell::kSame);
  CHECK(table.pairs_short_of_an_order >= 1);
  CHECK(why_of_pair(panel, row("A"), row("C")).find("waits for") != std::string::npos);
  REQUIRE(panel.layout.side > 0);
  const ImVec2 low = ui.point("reuse.figure", 0, 0);
  const float x = panel.layout.area.left + (static_cast<float>(row("C")) + 0.5F) * panel.layout.side;
  const float y = panel.layout.area.top + (static_cast<float>(row("A")) + 0.5F) * panel.layout.side;
  ui.click(ImVec2(low.x + x, low.y + y));
  REQUIRE(ui.settle());
  CHECK(ui.state().selection.size() == 2);
}
