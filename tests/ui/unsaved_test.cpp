#include "ui/unsaved.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "core/io/format.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/autosaving.h"
#include "ui/watching.h"

using namespace stowage;
using stowage::testing::TemporaryFolder;
using stowage::testing::UiDriver;

namespace {

void change(UiDriver& ui, std::int64_t size = 40) {
  ui.state().push(action::EditProblem{EditRequest{"Size of a", {edit::Size{0, size}}, false}});
  REQUIRE(ui.settle());
}

/// The clock runs on, as it does for somebody who looks at the window.
void wait(UiDriver& ui, double seconds) {
  for (double t = 0; t < seconds; t += 0.1) {
    ui.host.time += 0.1;
    ui.frame();
  }
  REQUIRE(ui.settle());
}

std::int64_t first_size(const std::string& path) {
  const auto document = open_document(path, ReadOptions{});
  REQUIRE(document);
  return (*document->problem)[0].size;
}

/// A native file of the small problem, made by the window itself.
std::string native_file(const TemporaryFolder& folder) {
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.state().push(action::SaveTo{folder.file("model.json")});
  REQUIRE(ui.settle());
  return folder.file("model.json");
}

}  // namespace

TEST_CASE("unsaved changes are marked in the title and the status bar until they are saved") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(native_file(folder)));
  CHECK(ui.host.title == "model.json \u2014 Stowage");
  CHECK_FALSE(ui.has("status.unsaved"));
  change(ui);
  CHECK(ui.host.title == "model.json \u2022 \u2014 Stowage");
  CHECK(ui.has("status.unsaved"));
  ui.press("Ctrl+Z");
  REQUIRE(ui.settle());
  CHECK(ui.host.title == "model.json \u2014 Stowage");
  ui.press("Ctrl+Y");
  ui.press("Ctrl+S");
  REQUIRE(ui.settle());
  CHECK_FALSE(is_dirty(ui.state()));
  CHECK(ui.host.title == "model.json \u2014 Stowage");
  CHECK(first_size(folder.file("model.json")) == 40);
}

TEST_CASE("quitting with unsaved changes asks: cancel stays, not saving ends, saving saves and ends") {
  const TemporaryFolder folder;
  const std::string path = native_file(folder);
  UiDriver ui;
  REQUIRE(ui.open(path));
  change(ui);
  ui.press("Ctrl+Q");
  REQUIRE(ui.has("question.save"));
  CHECK_FALSE(ui.host.closed);
  ui.click("question.cancel");
  CHECK_FALSE(ui.has("question.save"));
  CHECK_FALSE(ui.host.closed);
  CHECK_FALSE(ui.workbench().ask_to_close());  // the window's own button
  ui.frames(3);
  REQUIRE(ui.has("question.save"));
  ui.press("Escape");
  CHECK_FALSE(ui.has("question.save"));
  ui.press("Ctrl+Q");
  ui.click("question.save");
  REQUIRE(ui.settle());
  CHECK(ui.host.closed);
  CHECK(first_size(path) == 40);
  UiDriver other;
  REQUIRE(other.open(path));
  change(other, 50);
  other.press("Ctrl+Q");
  other.click("question.discard");
  CHECK(other.host.closed);
  CHECK(other.workbench().ask_to_close());
  CHECK(first_size(path) == 40);
}

TEST_CASE("without changes the window closes and opens without asking") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  CHECK(ui.workbench().ask_to_close());
  REQUIRE(ui.open(folder.write("plan.csv", testing::colliding_plan())));
  CHECK(ui.state().problem().size() == 3);
  ui.press("Ctrl+Q");
  CHECK(ui.host.closed);
}

TEST_CASE("opening another file and a new problem ask first, and a dump is saved under another name") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", testing::small_problem());
  const std::string other = folder.write("plan.csv", testing::colliding_plan());
  UiDriver ui;
  REQUIRE(ui.open(csv));
  change(ui);
  ui.workbench().open(other);
  REQUIRE(ui.settle());
  CHECK(ui.state().problem().size() == 6);
  REQUIRE(ui.has("question.discard"));
  ui.click("question.save");
  REQUIRE(ui.state().popup == Popup::kSaveAs);
  ui.click("save_as.save");
  REQUIRE(ui.until([&] { return ui.state().problem().size() == 3; }));
  CHECK(first_size(folder.file("small.json")) == 40);
  CHECK(first_size(csv) == 4);
  REQUIRE(ui.settle());
  change(ui);
  ui.press("Ctrl+N");
  REQUIRE(ui.has("question.discard"));
  ui.click("question.discard");
  REQUIRE(ui.settle());
  CHECK(ui.state().problem().size() == 0);
  CHECK_FALSE(ui.has("question.discard"));
}

TEST_CASE("giving the name of the file up gives up what should have followed") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  change(ui);
  ui.press("Ctrl+Q");
  ui.click("question.save");
  REQUIRE(ui.state().popup == Popup::kSaveAs);
  ui.press("Escape");
  REQUIRE(ui.settle());
  CHECK_FALSE(ui.host.closed);
  ui.press("Ctrl+S");
  ui.click("save_as.save");
  REQUIRE(ui.settle());
  CHECK_FALSE(ui.host.closed);
}

TEST_CASE("a saved file is looked at as it was: camera, filter, selection and plan") {
  const TemporaryFolder folder;
  const std::string path = native_file(folder);
  Viewport camera;
  std::string shown;
  {
    UiDriver ui;
    REQUIRE(ui.open(path));
    Workbench::State& state = ui.state();
    state.push(action::FrameRange{2, 6, 3, 9});
    state.push(action::SetQuery{"a"});
    state.push(action::Select{{4, 2}, SelectMode::kReplace});
    shown = state.ranked_plans().back();
    state.push(action::ShowPlan{shown});
    ui.frames(3);
    camera = state.camera;
    ui.press("Ctrl+S");
    REQUIRE(ui.settle());
  }
  UiDriver ui;
  REQUIRE(ui.open(path));
  const Workbench::State& state = ui.state();
  CHECK_FALSE(is_dirty(state));
  CHECK(state.query == "a");
  CHECK(state.selection == std::vector<BufferIndex>{4, 2});
  CHECK(state.shown_plan == shown);
  CHECK(state.camera.time_low == camera.time_low);
  CHECK(state.camera.byte_high == camera.byte_high);
}

TEST_CASE("unsaved work is kept some seconds after a change, and the next start offers it") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", testing::small_problem());
  {
    UiDriver ui(1400, 900, folder.file("config"));
    REQUIRE(ui.open(csv));
    CHECK(ui.state().popup == Popup::kNone);
    change(ui);
    wait(ui, 4);
    // A second window must not offer what the first is still working on.
    UiDriver second(1400, 900, folder.file("config"));
    REQUIRE(second.settle());
    CHECK(second.state().popup == Popup::kNone);
  }  // it ends without a word: a crash
  {
    UiDriver ui(1400, 900, folder.file("config"));
    REQUIRE(ui.settle());
    REQUIRE(ui.state().popup == Popup::kRecovery);
    REQUIRE(ui.has("recovery.open.0"));
    ui.click("recovery.open.0");
    REQUIRE(ui.until([&] { return ui.state().has_problem(); }));
    REQUIRE(ui.settle());
    CHECK(ui.state().problem()[0].size == 40);
    CHECK(ui.state().document.path == csv);
    CHECK(is_dirty(ui.state()));
    CHECK(ui.has("status.unsaved"));
    ui.press("Ctrl+S");  // still a CSV: asks for a name
    REQUIRE(ui.state().popup == Popup::kSaveAs);
    ui.click("save_as.save");
    REQUIRE(ui.settle());
    CHECK_FALSE(is_dirty(ui.state()));
  }
  UiDriver ui(1400, 900, folder.file("config"));
  REQUIRE(ui.settle());
  CHECK(ui.state().popup == Popup::kNone);  // saved: nothing is left to offer
  CHECK(first_size(csv) == 4);
}

TEST_CASE("recovered work that is not saved is offered again, until it is discarded") {
  const TemporaryFolder folder;
  {
    UiDriver ui(1400, 900, folder.file("config"));
    REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
    change(ui);
    wait(ui, 4);
  }
  for (int start = 0; start < 2; ++start) {
    UiDriver ui(1400, 900, folder.file("config"));
    REQUIRE(ui.settle());
    REQUIRE(ui.has("recovery.open.0"));
    ui.click("recovery.open.0");
    REQUIRE(ui.until([&] { return ui.state().has_problem(); }));
    REQUIRE(ui.settle());
  }
  UiDriver ui(1400, 900, folder.file("config"));
  REQUIRE(ui.settle());
  ui.click("recovery.discard.0");
  CHECK(ui.state().popup == Popup::kNone);
  UiDriver next(1400, 900, folder.file("config"));
  REQUIRE(next.settle());
  CHECK(next.state().popup == Popup::kNone);
}

TEST_CASE("work that was deliberately not saved is not offered") {
  const TemporaryFolder folder;
  {
    UiDriver ui(1400, 900, folder.file("config"));
    REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
    change(ui);
    wait(ui, 4);
    ui.press("Ctrl+Q");
    ui.click("question.discard");
    CHECK(ui.host.closed);
  }
  UiDriver ui(1400, 900, folder.file("config"));
  REQUIRE(ui.settle());
  CHECK(ui.state().popup == Popup::kNone);
}

TEST_CASE("a watched file is read again when it has changed, and the view stays") {
  const TemporaryFolder folder;
  const std::string csv = folder.write("small.csv", testing::small_problem());
  UiDriver ui;
  REQUIRE(ui.open(csv));
  Workbench::State& state = ui.state();
  ui.press("Shift+F5");
  CHECK(state.part<Watching>().on);
  CHECK(ui.has("status.watched"));
  state.push(action::FrameRange{2, 6, 3, 9});
  state.push(action::Select{{2}, SelectMode::kReplace});
  state.push(action::SetQuery{"c"});
  ui.frames(3);
  const Viewport camera = state.camera;
  wait(ui, 2);
  CHECK(state.problem()[0].size == 4);
  std::string changed = testing::small_problem();
  changed.replace(changed.find("a,0,6,4"), 7, "a,0,6,44");
  folder.write("small.csv", changed);
  wait(ui, 2);
  REQUIRE(ui.until([&] { return state.problem()[0].size == 44; }));
  REQUIRE(ui.settle());
  CHECK(state.camera == camera);
  CHECK(state.query == "c");
  CHECK(state.selection == std::vector<BufferIndex>{2});
  // With changes in the window it asks instead of losing them.
  change(ui, 77);
  folder.write("small.csv", testing::small_problem());
  wait(ui, 2);
  REQUIRE(ui.has("question.keep"));
  ui.click("question.keep");
  CHECK(state.problem()[0].size == 77);
  wait(ui, 2);
  CHECK_FALSE(ui.has("question.keep"));  // once for each change
  ui.press("F5");
  REQUIRE(ui.has("question.reload"));
  ui.click("question.reload");
  REQUIRE(ui.until([&] { return state.problem()[0].size == 4; }));
  CHECK_FALSE(is_dirty(state));
  ui.press("Shift+F5");
  CHECK_FALSE(state.part<Watching>().on);
}

TEST_CASE("what the window saves itself is no change of a watched file") {
  const TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(native_file(folder)));
  ui.press("Shift+F5");
  change(ui);
  ui.press("Ctrl+S");
  REQUIRE(ui.settle());
  const std::uint64_t revision = ui.state().problem_revision;
  wait(ui, 3);
  CHECK(ui.state().problem_revision == revision);
  CHECK(ui.state().editing.history.can_undo());
}

TEST_CASE("unsaved work is kept after ten seconds, though it changes all the time") {
  const TemporaryFolder folder;
  UiDriver ui(1400, 900, folder.file("config"));
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  const double begin = ui.host.time;
  std::int64_t size = 40;
  while (!ui.state().part<Autosaving>().kept && ui.host.time - begin < 30) {
    ui.state().push(action::EditProblem{EditRequest{"Size of a", {edit::Size{0, ++size}}, false}});
    for (int k = 0; k < 5; ++k) {
      ui.host.time += 0.1;
      ui.frame();
    }
  }
  const double waited = ui.host.time - begin;
  CHECK(waited > Autosaving::kLongest - 1);
  CHECK(waited < Autosaving::kLongest + 2);
}

TEST_CASE("when unsaved work cannot be kept it is said once, tried again, and what was kept before stays whole") {
  for (const FileCall failing :
       {FileCall::kOpen, FileCall::kWrite, FileCall::kSync, FileCall::kClose, FileCall::kRename}) {
    CAPTURE(static_cast<int>(failing));
    const TemporaryFolder folder;
    const std::string config = folder.file("config");
    const auto disk_full = std::make_shared<std::atomic<bool>>(false);
    const auto failures = std::make_shared<std::atomic<int>>(0);
    FileProbe probe;
    probe.chunk = 64;
    probe.before = [failing, disk_full, failures](FileCall call) {
      if (!*disk_full || call != failing) return 0;
      ++*failures;
      return ENOSPC;
    };
    const std::string kept = autosave_folder(config) + "/work-1.json";
    const auto errors = [](UiDriver& ui) {
      return std::count_if(ui.state().notices.begin(), ui.state().notices.end(), [](const Notice& notice) {
        return notice.error && notice.text.find("Unsaved work cannot be kept: ") == 0;
      });
    };
    {
      UiDriver ui(1400, 900, config);
      REQUIRE(ui.settle());
      ui.state().part<Autosaving>().store = std::make_shared<Autosave>(autosave_folder(config), probe);
      REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
      change(ui, 40);
      wait(ui, 4);
      REQUIRE(first_size(kept) == 40);
      CHECK(errors(ui) == 0);

      *disk_full = true;
      change(ui, 50);
      wait(ui, 3);
      CHECK(*failures == 1);
      CHECK(errors(ui) == 1);
      // Nothing has changed since: it is tried all the same, as soon as the last attempt has ended.
      for (int k = 0; k < 30 && *failures < 3; ++k) wait(ui, Autosaving::kAgain);
      CHECK(*failures >= 3);
      CHECK(errors(ui) == 1);
      CHECK(first_size(kept) == 40);
      CHECK(is_dirty(ui.state()));

      *disk_full = false;
      wait(ui, Autosaving::kAgain + 1);
      CHECK(first_size(kept) == 50);
      CHECK_FALSE(ui.state().part<Autosaving>().failed_at);
      const int tried = *failures;
      wait(ui, 2 * Autosaving::kAgain);
      CHECK(*failures == tried);
    }  // a crash
    UiDriver ui(1400, 900, config);
    REQUIRE(ui.settle());
    REQUIRE(ui.has("recovery.open.0"));
    ui.click("recovery.open.0");
    REQUIRE(ui.until([&] { return ui.state().has_problem(); }));
    CHECK(ui.state().problem()[0].size == 50);
  }
}

TEST_CASE("what is changed while another file is being read is not thrown away without a question") {
  const TemporaryFolder folder;
  const std::string path = native_file(folder);
  const std::string other = folder.write("other.csv", testing::colliding_plan());
  UiDriver ui;
  REQUIRE(ui.open(path));
  Workbench::State& state = ui.state();
  std::atomic<bool> go = false;
  ui.workbench().open(other);
  state.loading.start([&go, other](const std::stop_token& stop) {
    while (!go && !stop.stop_requested()) std::this_thread::yield();
    return load_file(other, ReadOptions{}, stop);
  });
  state.push(action::EditProblem{EditRequest{"Size of a", {edit::Size{0, 40}}, false}});
  ui.frames(3);
  go = true;
  REQUIRE(ui.until([&] { return ui.has("question.cancel"); }));
  ui.click("question.cancel");
  REQUIRE(ui.settle());
  CHECK(state.document.path == path);
  CHECK(state.problem()[0].size == 40);

  // What was unsaved before is asked for before anything is read, and not again.
  ui.workbench().open(other);
  ui.frames(2);
  REQUIRE(ui.has("question.discard"));
  ui.click("question.discard");
  REQUIRE(ui.settle());
  CHECK(state.document.path == other);
  CHECK_FALSE(is_dirty(state));
}

TEST_CASE("a save that ends after another document was begun does not give that one its name") {
  const TemporaryFolder folder;
  const std::string path = native_file(folder);
  UiDriver ui;
  REQUIRE(ui.open(path));
  Workbench::State& state = ui.state();
  std::atomic<bool> go = false;
  state.writing.start(
      [&go, path, present = state.editing.history.present_id(), opened = state.editing.opened](const std::stop_token&) {
        while (!go) std::this_thread::yield();
        return WrittenFile{{}, path, true, present, opened};
      });
  ui.press("Ctrl+N");
  go = true;
  REQUIRE(ui.settle());
  CHECK(state.document.path.empty());
  CHECK(state.document.facts.format.empty());
}
