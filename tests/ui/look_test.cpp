#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/opened_compare.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/panels.h"

using namespace stowage;
using namespace stowage::testing;

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
