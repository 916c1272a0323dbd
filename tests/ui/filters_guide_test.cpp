#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/io/settings.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/filters.h"
#include "ui/guide.h"
#include "ui/painter.h"
#include "ui/views/view.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedFiltersGuide {
  TemporaryFolder folder;
  UiDriver ui;
  explicit OpenedFiltersGuide(const std::string& config = {}) : ui(1600, 1000, config) {
    REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  }
  Workbench::State& state() { return ui.state(); }
  void filter(const std::string& words) {
    state().push(action::SetQuery{words});
    ui.frames(3);
  }
  std::vector<BufferIndex> shown() {
    std::vector<BufferIndex> rows = state().rows.order;
    std::sort(rows.begin(), rows.end());
    return rows;
  }
};

}  // namespace

TEST_CASE("filter: is:selected follows the selection") {
  OpenedFiltersGuide o;
  o.state().push(action::Select{{1, 4}, SelectMode::kReplace});
  o.ui.frames(2);
  o.filter("is:selected");
  CHECK(o.shown() == std::vector<BufferIndex>{1, 4});
  o.state().push(action::Select{{2}, SelectMode::kAdd});
  o.ui.frames(2);
  CHECK(o.shown() == std::vector<BufferIndex>{1, 2, 4});
  o.filter("is:selected size>6");
  CHECK(o.shown() == std::vector<BufferIndex>{4});
}

TEST_CASE("filter: an expression is searched for beside the window") {
  OpenedFiltersGuide o;
  o.ui.press("Ctrl+F");
  o.ui.type("/^[bd]$/");
  REQUIRE(o.ui.settle());
  CHECK(o.shown() == std::vector<BufferIndex>{1, 3});
  o.ui.press("Escape");
  o.ui.press("Ctrl+F");
  o.ui.type("/(/");
  CHECK_FALSE(o.state().query_error.empty());
}

TEST_CASE("filter: is:moved holds for what lies elsewhere in the compared plan, and for nothing when there is none") {
  OpenedFiltersGuide o;
  for (int k = 0; k < 200 && o.state().document.plans.size() > 1; ++k) {
    const std::vector<Plan>& plans = o.state().document.plans;
    o.state().push(action::RemovePlan{plans[plans.back().id == o.state().shown_plan ? 0 : plans.size() - 1].id});
    o.ui.frames(2);
  }
  REQUIRE(o.state().document.plans.size() == 1);
  o.filter("is:moved");
  CHECK(o.shown().empty());
  const std::vector<std::int64_t> before = o.state().offsets();
  o.state().push(action::PlaceByHand{{{3, before[3] + 100}, {5, before[5] + 200}}, false});
  o.ui.frames(3);
  REQUIRE(compared_plan(o.state()) != nullptr);
  CHECK(o.shown() == std::vector<BufferIndex>{3, 5});
  o.state().push(action::PlaceByHand{{{3, before[3]}}, false});
  o.ui.frames(3);
  CHECK(o.shown() == std::vector<BufferIndex>{5});
}

TEST_CASE("filter: at:cursor follows the cursor, keeps its last step, and a saved filter keeps it") {
  OpenedFiltersGuide o;
  o.filter("at:cursor");
  CHECK(o.shown().size() == 6);
  const auto live = [&](std::int64_t step) {
    std::vector<BufferIndex> found;
    for (BufferIndex i = 0; i < o.state().problem().size(); ++i) {
      if (o.state().problem()[i].start <= step && step < o.state().problem()[i].end) found.push_back(i);
    }
    return found;
  };
  for (const float share : {0.3F, 0.6F, 0.8F}) {
    o.ui.move(o.ui.point("load.canvas", share, 0.5F));
    o.ui.frames(3);
    REQUIRE(cursor_step(o.state()).has_value());
    CHECK(o.shown() == live(*cursor_step(o.state())));
  }
  const std::int64_t step = *cursor_step(o.state());
  o.ui.move(o.ui.centre("buffers"));
  o.ui.frames(3);
  CHECK(o.shown() == live(step));
  o.state().later([](Workbench::State& s) { save_filter(s, "here"); });
  o.ui.frames(2);
  CHECK(o.state().settings.filters.at("here") == "at:cursor");
  // The step itself, for good.
  o.ui.click("filter.menu");
  REQUIRE(o.ui.has("filter.ready.at"));
  o.ui.click("filter.ready.at");
  o.ui.frames(3);
  CHECK(o.state().query.rfind("at:", 0) == 0);
  CHECK(o.state().query != "at:cursor");
  // Its key switches it on and off.
  o.filter("");
  o.ui.move(o.ui.centre("load.canvas"));
  o.ui.press("L");
  CHECK(o.state().query == "at:cursor");
  o.ui.press("L");
  CHECK(o.state().query.empty());
}

TEST_CASE("legend: a click on a colour filters exactly its buffers, whatever the colours say") {
  std::string json =
      R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"on host"}],"buffers":[)";
  for (int k = 0; k < 24; ++k) {
    json += fmt::format(R"({}{{"id":"b{}","lower":{},"upper":{},"size":{},"kind":"{}","op":"op {}","space":"{}"}})",
                        k > 0 ? "," : "", k, k, k + 1 + k % 5, 64 << (k % 9), k % 3 == 0 ? "weight" : "weight gradient",
                        k % 11, k % 4 == 0 ? "on host" : "device");
  }
  json += "]}}";
  const TemporaryFolder folder;
  UiDriver ui(3000, 1000);
  REQUIRE(ui.open(folder.write("all.json", json)));
  Workbench::State& state = ui.state();
  for (const ColourChoice& choice : colour_choices()) {
    CAPTURE(choice.id);
    state.later([by = choice.by](Workbench::State& s) { choose_colouring(s, by); });
    ui.frames(3);
    const Colouring colouring = colouring_of(state);
    std::size_t clicked = 0;
    for (std::size_t k = 0; k < colouring.legend.size(); ++k) {
      const ColourClass& one = colouring.legend[k];
      CAPTURE(one.title);
      CHECK_FALSE(one.query.empty());
      if (!ui.has("legend." + one.title)) continue;
      ++clicked;
      ui.click("legend." + one.title);
      ui.frames(3);
      CHECK(state.query == one.query);
      CHECK(state.query_error.empty());
      std::vector<BufferIndex> rows = state.rows.order;
      std::sort(rows.begin(), rows.end());
      std::vector<BufferIndex> wanted;
      const std::vector<bool> reusing = sharing_storage(state.problem().size(), state.offsets(), nullptr);
      for (BufferIndex i = 0; i < state.problem().size(); ++i) {
        const bool in = choice.by == ColourBy::kStorage ? reusing[i]
                        : choice.by == ColourBy::kKind  ? state.problem().kind(i) == one.title
                                                        : colouring.classes[i] == k;
        if (in) wanted.push_back(i);
      }
      CHECK(rows == wanted);
      ui.click("legend." + one.title);
      ui.frames(2);
      CHECK(state.query.empty());
    }
    CHECK(clicked > 0);
  }
}

TEST_CASE("legend: swatches have the stripes of the rectangles where the palette is hatched") {
  OpenedFiltersGuide o;
  o.state().later([](Workbench::State& s) { choose_colouring(s, ColourBy::kRow); });
  const auto shades = [&](const char* palette, const char* swatch) {
    o.state().later([palette](Workbench::State& s) { choose_palette(s, palette); });
    o.ui.frames(3);
    o.ui.move(ImVec2(2, 2));
    o.ui.frames(2);
    const Ui::Box box = o.state().ui.widgets.find(swatch)->second;
    const Bitmap picture = o.ui.screenshot();
    std::set<std::uint32_t> colours;
    for (int y = static_cast<int>(box.low.y) + 3; y < static_cast<int>(box.high.y) - 3; ++y) {
      for (int x = static_cast<int>(box.low.x) + 3; x < static_cast<int>(box.high.x) - 3; ++x) {
        colours.insert(picture.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                                      static_cast<std::size_t>(x)]);
      }
    }
    return colours.size();
  };
  CHECK(shades("standard", "legend.swatch.1") == 1);
  CHECK(shades("okabe-ito", "legend.swatch.0") == 1);
  CHECK(shades("okabe-ito", "legend.swatch.1") > 1);
}

TEST_CASE("hatches: the stripes of the window run the way they are told") {
  OpenedFiltersGuide o;
  const auto stripes = [&](HatchLines lines) {
    o.ui.frame();
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.Flags = ImDrawListFlags_None;  // a line is four corners then
    list.PushClipRectFullScreen();
    draw_hatch(list, ImVec2(10, 20), ImVec2(70, 60), rgb(0xFFFFFF), 8, lines);
    return std::vector<ImDrawVert>(list.VtxBuffer.begin(), list.VtxBuffer.end());
  };
  // The first two corners of a line lie along it.
  const auto slope = [](const std::vector<ImDrawVert>& corners) {
    REQUIRE(corners.size() >= 4);
    const std::size_t middle = corners.size() / 8 * 4;
    return ImVec2(corners[middle + 1].pos.x - corners[middle].pos.x, corners[middle + 1].pos.y - corners[middle].pos.y);
  };
  const ImVec2 rising = slope(stripes(HatchLines::kRising));
  CHECK(rising.x * rising.y < 0);
  const ImVec2 falling = slope(stripes(HatchLines::kFalling));
  CHECK(falling.x * falling.y > 0);
  CHECK(slope(stripes(HatchLines::kUpright)).x == doctest::Approx(0));
  CHECK(slope(stripes(HatchLines::kLevel)).y == doctest::Approx(0));
}

TEST_CASE("filters: are saved under a name, kept in the settings, chosen from the menu of the find box, deleted") {
  const TemporaryFolder config;
  {
    OpenedFiltersGuide o(config.path());
    CHECK_FALSE(why_disabled(o.state(), CommandId::save_filter).empty());
    o.filter("size>4");
    const std::vector<BufferIndex> large = o.shown();
    o.state().push(action::Invoke{CommandId::save_filter});
    o.ui.frames(3);
    REQUIRE(o.ui.has("filter.name"));
    o.ui.type("large");
    o.ui.click("filter.save");
    o.ui.frames(3);
    CHECK(o.state().settings.filters.at("large") == "size>4");
    o.filter("");
    o.ui.click("filter.menu");
    REQUIRE(o.ui.has("filter.saved.large"));
    o.ui.click("filter.saved.large");
    o.ui.frames(3);
    CHECK(o.state().query == "size>4");
    CHECK(o.shown() == large);
  }
  const auto kept = read_settings(config.path());
  REQUIRE(kept.has_value());
  CHECK(kept->filters.at("large") == "size>4");
  OpenedFiltersGuide again(config.path());
  again.ui.click("filter.menu");
  REQUIRE(again.ui.has("filter.delete.large"));
  again.ui.click("filter.delete.large");
  again.ui.frames(3);
  CHECK(again.state().settings.filters.empty());
  CHECK(read_settings(config.path())->filters.empty());
  again.ui.click("filter.ready.is:pinned");
  again.ui.frames(3);
  CHECK(again.state().query == "is:pinned");
}

TEST_CASE("guide: every panel has a page with a title, words, and keys of commands that exist") {
  for (const View& view : views()) {
    if (view.place != ViewPlace::kPanel) continue;
    CAPTURE(view.name);
    const GuidePage* page = guide_page(view.name);
    REQUIRE(page != nullptr);
    CHECK(page->title == view.title);
    CHECK(std::any_of(page->blocks.begin(), page->blocks.end(),
                      [](const GuideBlock& block) { return block.kind == GuideBlock::Kind::kText; }));
    CHECK(std::any_of(page->blocks.begin(), page->blocks.end(),
                      [](const GuideBlock& block) { return block.kind == GuideBlock::Kind::kCommand; }));
  }
}

TEST_CASE("guide: F1 opens the page of the panel under the cursor") {
  OpenedFiltersGuide o;
  for (const char* panel : {"buffers", "chart", "load", "inspector", "allocators"}) {
    CAPTURE(panel);
    o.ui.move(o.ui.centre(panel));
    o.ui.press("F1");
    CHECK(o.state().popup == Popup::kHelp);
    CHECK(o.ui.has(std::string("guide.shown.") + panel));
    o.ui.press("Escape");
    CHECK(o.state().popup == Popup::kNone);
  }
  o.ui.move(ImVec2(2, 2));
  o.ui.press("F1");
  CHECK(o.ui.has("help.frame_all"));
}

TEST_CASE("guide: pages are chosen from the list and found by their words") {
  OpenedFiltersGuide o;
  o.ui.press("?");
  REQUIRE(o.ui.has("guide.page.keys"));
  o.ui.click("guide.page.peaks");
  CHECK(o.ui.has("guide.shown.peaks"));
  o.ui.click("guide.search");
  o.ui.type("collisions misaligned");
  CHECK(o.ui.has("guide.page.issues"));
  CHECK_FALSE(o.ui.has("guide.page.buffers"));
  CHECK_FALSE(o.ui.has("guide.page.keys"));
}

TEST_CASE("guide: pages are read as headings, paragraphs, items and keys; faults are named") {
  const auto page =
      parse_guide_page("x", "# Title\n\nOne\ntwo.\n\nThree.\n- an item\n  goes on\n- b\n## More\nkeys: find help\n");
  REQUIRE(page.has_value());
  CHECK(page->title == "Title");
  using Kind = GuideBlock::Kind;
  const std::pair<Kind, const char*> wanted[] = {
      {Kind::kText, "One two."}, {Kind::kText, "Three."},  {Kind::kItem, "an item goes on"}, {Kind::kItem, "b"},
      {Kind::kHeading, "More"},  {Kind::kCommand, "Find"}, {Kind::kCommand, "Keys and help"}};
  REQUIRE(page->blocks.size() == std::size(wanted));
  for (std::size_t k = 0; k < std::size(wanted); ++k) {
    CHECK(page->blocks[k].kind == wanted[k].first);
    CHECK(page->blocks[k].words == wanted[k].second);
  }
  CHECK(page_has(*page, "goes MORE ctrl+f"));
  CHECK_FALSE(page_has(*page, "goes nowhere"));
  CHECK_FALSE(parse_guide_page("x", "no title").has_value());
  const auto wrong = parse_guide_page("x", "# T\nkeys: find nothing_such");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message.find("nothing_such") != std::string::npos);
}

TEST_CASE("filters: Esc closes the menu of the find box and leaves the words in it") {
  TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  ui.state().push(action::SetQuery{"b"});
  ui.frames(2);
  ui.click("filter.menu");
  REQUIRE(ui.has("filter.name"));
  ui.press("Escape");
  CHECK_FALSE(ui.has("filter.name"));
  CHECK(ui.state().query == "b");
  ui.press("Escape");
  CHECK(ui.state().query.empty());
}

TEST_CASE("legend: classes without room wait behind a count, and a click there filters as well") {
  TemporaryFolder folder;
  std::string csv = "id,lower,upper,size,kind\n";
  for (int k = 0; k < 7; ++k) csv += fmt::format("b{},{},{},64,a kind called {}\n", k, k, k + 2, k);
  UiDriver ui;
  REQUIRE(ui.open(folder.write("kinds.csv", csv)));
  REQUIRE(ui.has("legend.more"));
  REQUIRE_FALSE(ui.has("legend.a kind called 6"));
  ui.click("legend.more");
  REQUIRE(ui.has("legend.a kind called 6"));
  ui.click("legend.a kind called 6");
  REQUIRE(ui.settle());
  REQUIRE(ui.state().rows.order.size() == 1);
  CHECK(ui.state().problem().id(ui.state().rows.order[0]) == "b6");
}
