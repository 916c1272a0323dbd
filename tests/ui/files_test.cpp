#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "core/io/file.h"
#include "core/io/format.h"
#include "core/io/settings.h"
#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/colours.h"
#include "ui/loading.h"
#include "ui/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// How many allocators run on a file by themselves.
std::size_t unasked(const Problem& problem) {
  const auto all = allocators();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Allocator& one) { return one.runs_unasked(problem); }));
}

}  // namespace

TEST_CASE("window: an opened problem is planned by every allocator and the best plan is shown") {
  const TemporaryFolder folder;
  UiDriver ui;
  CHECK(ui.has("welcome.open"));
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  CHECK(ui.workbench().document().problem->size() == 6);
  CHECK(ui.host.title.find("small.csv") != std::string::npos);
  REQUIRE(ui.state().plan() != nullptr);
  CHECK(ui.state().document.plans.size() == unasked(ui.state().problem()));
  for (const auto& [id, facts] : ui.state().plan_facts) {
    CHECK(facts.report.valid());
    CHECK(ui.state().shown_facts()->metrics.makespan <= facts.metrics.makespan);
  }
  CHECK_FALSE(ui.workbench().animating());
}

TEST_CASE("window: an error is shown with the words of the reader and the open document stays") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const std::string bad = folder.write("bad.csv", "id,lower,upper,size\na,5,3,1\n");
  REQUIRE(ui.open(bad));
  CHECK(ui.has("notice.error"));
  REQUIRE_FALSE(ui.state().notices.empty());
  const auto expected = open_document(bad, ReadOptions{});
  REQUIRE_FALSE(expected.has_value());
  CHECK(ui.state().notices.back().text == expected.error().message);
  CHECK(ui.workbench().document().problem->size() == 6);
  ui.click("notice.dismiss");
  CHECK(ui.state().notices.empty());
}

TEST_CASE("window: a long opening says how far it is, and can be cancelled with nothing changed") {
  const TemporaryFolder folder;
  UiDriver ui;
  const auto open_and_cancel = [&](const char* button) {
    Workbench::State& state = ui.state();
    state.loading_path = "large.csv";
    state.part<Reading>().share = std::make_shared<std::atomic<double>>(0.43);
    std::atomic<bool> stopped = false;
    state.loading.start([&stopped](const std::stop_token& stop) -> Result<LoadedFile> {
      while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stopped = true;
      return fail(Error::Kind::kCancelled, "large.csv: opening was cancelled");
    });
    ui.frame();
    CHECK(loading_words(state, "large.csv").ends_with(" 43 %"));
    REQUIRE(ui.has(button));
    ui.click(button);
    REQUIRE(ui.settle());
    CHECK_FALSE(ui.has(button));
    CHECK_FALSE(state.loading.running());
    CHECK(state.loading_path.empty());
    CHECK(state.notices.empty());
    while (!stopped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  open_and_cancel("welcome.cancel");
  CHECK_FALSE(ui.state().has_problem());
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  open_and_cancel("status.cancel_opening");
  CHECK(ui.state().problem().size() == 6);
}

TEST_CASE("window: the share of an opening is the reader's own, and its stop reaches the reader") {
  const TemporaryFolder folder;
  const std::string file = folder.write("many.csv", csv_of(synthetic_family(10'000, 1)));
  UiDriver ui;
  REQUIRE(ui.open(file));
  CHECK(ui.state().part<Reading>().share->load() > 0.5);  // the last that the reader said

  std::stop_source source;
  double last = 0;
  const auto stopped = load_file(file, {}, source.get_token(), [&](double share) {
    last = share;
    source.request_stop();
  });
  REQUIRE_FALSE(stopped.has_value());
  CHECK(stopped.error().kind == Error::Kind::kCancelled);
  CHECK(last < 0.5);
}

TEST_CASE("window: a file with a plan is shown as it is, and its issues are counted and listed") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("plan.csv", colliding_plan())));
  CHECK(ui.state().document.plans.size() == 1);
  REQUIRE(ui.state().shown_facts() != nullptr);
  CHECK(ui.state().shown_facts()->report.count == 1);
  ui.click("status.issues");
  REQUIRE(ui.has("issues.0"));
  ui.click("issues.0");
  CHECK(ui.state().selection.size() == 2);
  CHECK(ui.state().popup == Popup::kNone);
  CHECK_FALSE(ui.state().camera_home);
}

TEST_CASE("window: running the allocators adds plans, and a click on one shows it") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("plan.csv", colliding_plan())));
  ui.click("toolbar.run_all");
  REQUIRE(ui.settle());
  CHECK(ui.state().document.plans.size() == unasked(ui.state().problem()) + 1);
  REQUIRE(ui.has("allocators.first-fit-size"));
  ui.click("allocators.first-fit-size");
  CHECK(ui.state().shown_plan == "first-fit-size");
  ui.press("B");
  CHECK(ui.state().shown_plan == ui.state().ranked_plans().front());
}

TEST_CASE("window: the export dialog writes the picture it says") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  ui.press("Ctrl+E");
  REQUIRE(ui.has("export.go"));
  ui.click("export.svg");
  CHECK(ui.state().export_form.path == folder.file("small.svg"));
  ui.click("export.go");
  REQUIRE(ui.settle());
  CHECK(std::filesystem::file_size(folder.file("small.svg")) > 500);
  ui.press("Ctrl+E");
  ui.click("export.png");
  ui.click("export.go");
  REQUIRE(ui.settle());
  CHECK(std::filesystem::file_size(folder.file("small.png")) > 500);
}

TEST_CASE("window: an exported picture has the colours, the pattern and the filter of the chart") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  const auto exported = [&] {
    ui.state().push(action::ExportTo{folder.file("chart.svg"), PictureFormat::kSvg, 800, 500, 1, "light", true, false});
    REQUIRE(ui.settle());
    return read_file(folder.file("chart.svg")).value();
  };
  const std::string plain = exported();
  ui.state().later([](Workbench::State& s) { choose_colouring(s, ColourBy::kSize); });
  ui.frames(2);
  const std::string coloured = exported();
  CHECK(coloured != plain);
  ui.state().later([](Workbench::State& s) { choose_palette(s, "okabe-ito"); });
  ui.frames(2);
  const std::string hatched = exported();
  CHECK(hatched.size() > coloured.size());
  ui.state().push(action::SetQuery{"size>4"});
  REQUIRE(ui.settle());
  const std::string filtered = exported();
  CHECK(filtered != hatched);
  CHECK(filtered.size() > coloured.size());
  ui.state().push(action::SetQuery{""});
  ui.state().later([](Workbench::State& s) {
    choose_colouring(s, ColourBy::kKind);
    choose_palette(s, "standard");
  });
  REQUIRE(ui.settle());
  CHECK(exported() == plain);
}

TEST_CASE("window: saving a CSV asks for a name, and the native file holds every plan") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  UiDriver ui;
  REQUIRE(ui.open(csv));
  ui.press("Ctrl+S");
  CHECK(ui.state().popup == Popup::kSaveAs);
  CHECK(ui.state().browser.path_text == folder.file("small.json"));
  ui.click("save_as.save");
  REQUIRE(ui.settle());
  REQUIRE(std::filesystem::exists(folder.file("small.json")));
  CHECK(ui.workbench().document().path == folder.file("small.json"));
  const std::size_t plans = ui.workbench().document().plans.size();
  REQUIRE(ui.open(folder.file("small.json")));
  CHECK(ui.workbench().document().plans.size() == plans);
  ui.press("Ctrl+S");
  CHECK(ui.state().popup == Popup::kNone);
  REQUIRE(ui.settle());
}

TEST_CASE("window: theme, size, units, recents and panes come back in the next start") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  {
    UiDriver ui(1600, 1000, folder.path());
    REQUIRE(ui.open(csv));
    ui.press("Ctrl+Comma");
    ui.click("settings.light");
    ui.click("settings.scale.125");
    ui.click("settings.unit.KiB");
    ui.press("Escape");
    CHECK(ui.workbench().font_scale() == doctest::Approx(1.25F));
    const ImVec2 bar = ui.centre("splitter.left");
    ui.drag(bar, ImVec2(bar.x + 60, bar.y));
  }
  UiDriver again(1600, 1000, folder.path());
  CHECK(again.workbench().settings().theme == "light");
  CHECK(again.workbench().settings().ui_scale == doctest::Approx(1.25));
  CHECK(again.workbench().settings().byte_unit == "KiB");
  REQUIRE_FALSE(again.workbench().settings().recents.empty());
  CHECK(again.workbench().settings().recents.front() == csv);
  CHECK(again.workbench().settings().layout.at("left") > 350);
  REQUIRE(again.has("welcome.recent.0"));
  again.click("welcome.recent.0");
  REQUIRE(again.settle());
  CHECK(again.workbench().document().problem->size() == 6);
}

TEST_CASE("window: the file browser opens a file by its path and by a click") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", small_problem());
  folder.write("other.csv", colliding_plan());
  UiDriver ui;
  REQUIRE(ui.open(csv));
  ui.press("Ctrl+O");
  REQUIRE(ui.has("browser.other.csv"));
  ui.click("browser.other.csv");
  REQUIRE(ui.settle());
  CHECK(ui.workbench().document().problem->size() == 3);
  ui.press("Ctrl+O");
  ui.type("small");
  CHECK_FALSE(ui.has("browser.other.csv"));
  ui.press("Down");
  ui.press("Enter");
  REQUIRE(ui.settle());
  CHECK(ui.workbench().document().problem->size() == 6);
}

TEST_CASE("window: reload keeps selection and view") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", small_problem())));
  ui.click("buffers.row.2");
  ui.press("F");
  const Viewport before = ui.state().camera;
  ui.press("F5");
  REQUIRE(ui.settle());
  CHECK(ui.state().selection == std::vector<BufferIndex>{2});
  CHECK(ui.state().camera == before);
}

TEST_CASE("window: a plan that chose spaces is drawn space by space") {
  const TemporaryFolder folder;
  UiDriver ui;
  const std::string text = R"({"format":"stowage","version":1,"problem":{
    "spaces":[{"id":"fast","capacity":8},{"id":"slow"}],
    "buffers":[{"id":"a","lower":0,"upper":4,"size":8,"candidates":["fast","slow"]},
               {"id":"b","lower":0,"upper":4,"size":6,"candidates":["fast","slow"]}]},
    "plans":[{"id":"p","offsets":{"a":0,"b":0},"spaces":{"a":"fast","b":"slow"}}]})";
  REQUIRE(ui.open(folder.write("spaces.json", text)));
  REQUIRE(ui.state().shown_facts() != nullptr);
  CHECK(ui.state().shown_facts()->report.valid());
  CHECK(ui.state().offsets() == std::vector<std::int64_t>{0, 0});
  CHECK(ui.state().drawn_offsets() == std::vector<std::int64_t>{0, kNoOffset});
}
