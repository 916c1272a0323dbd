#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/panels.h"
#include "ui/presentation.h"

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
  CHECK(differences(o.state()).moved == moved);
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
