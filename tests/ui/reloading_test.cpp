#include "ui/reloading.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/comparing.h"
#include "ui/watching.h"

using namespace stowage;
using stowage::testing::TemporaryFolder;
using stowage::testing::UiDriver;

namespace {

constexpr const char* kHead = "id,lower,upper,size\n";
constexpr const char* kRows = "a,0,6,4\nb,0,3,5\nc,4,9,6\nd,3,8,2\n";

/// An open file that somebody else writes; it is read again by F5, or by itself while it is watched.
struct ReloadedFile {
  explicit ReloadedFile(bool watches, const std::string& text = std::string(kHead) + kRows) : watched(watches) {
    REQUIRE(ui.open(folder.write("file.csv", text)));
    if (watched) ui.press("Shift+F5");
    REQUIRE(state().part<Watching>().on == watched);
  }
  void rewrite(const std::string& text) {
    const std::uint64_t before = state().problem_revision;
    folder.write("file.csv", text);
    if (watched) {
      ui.host.time += 2;
    } else {
      ui.press("F5");
    }
    REQUIRE(ui.until([&] { return state().problem_revision != before; }));
    REQUIRE(ui.settle());
  }
  std::vector<std::string> selected() {
    std::vector<std::string> names;
    for (const BufferIndex i : state().selection) names.emplace_back(state().problem().id(i));
    return names;
  }
  void show(const std::string& plan) {
    state().push(action::ShowPlan{plan});
    ui.frames(2);
    REQUIRE(state().shown_plan == plan);
  }
  Workbench::State& state() { return ui.state(); }

  bool watched;
  TemporaryFolder folder;
  UiDriver ui;
};

Problem problem_of(const std::vector<std::string_view>& ids) {
  ProblemInput input;
  for (const std::string_view id : ids) {
    Buffer buffer;
    buffer.start = 0;
    buffer.end = 1;
    buffer.size = 1;
    input.add(id, buffer);
  }
  auto problem = make_problem(std::move(input));
  REQUIRE(problem.has_value());
  return std::move(*problem);
}

}  // namespace

TEST_CASE("reload: the same buffers stay selected when rows come and go above them") {
  for (const bool watched : {false, true}) {
    CAPTURE(watched);
    ReloadedFile file(watched);
    file.state().push(action::Select{{3, 1}, SelectMode::kReplace});
    file.ui.frames(2);
    REQUIRE(file.selected() == std::vector<std::string>{"d", "b"});
    file.rewrite(std::string(kHead) + "new,0,2,1\n" + kRows);
    CHECK(file.state().selection == std::vector<BufferIndex>{4, 2});
    CHECK(file.selected() == std::vector<std::string>{"d", "b"});
    // What the panels say follows: the inspector's relations are those of b.
    CHECK(file.state().relations.buffer == 2);
    file.rewrite(std::string(kHead) + "b,0,3,5\nc,4,9,6\nd,3,8,2\n");
    CHECK(file.selected() == std::vector<std::string>{"d", "b"});
    file.rewrite(std::string(kHead) + "c,4,9,6\nd,3,8,2\n");
    CHECK(file.selected() == std::vector<std::string>{"d"});
  }
}

TEST_CASE("reload: of several buffers with one id the n-th stays the n-th, and what is gone is left out") {
  const Problem from = problem_of({"x", "y", "x", "z", "x"});
  CHECK(same_buffers(from, from, {4, 0, 2}) == std::vector<BufferIndex>{4, 0, 2});
  const Problem to = problem_of({"new", "x", "y", "x"});
  CHECK(same_buffers(from, to, {2, 3, 1, 4}) == std::vector<BufferIndex>{3, 2});
  CHECK(same_buffers(from, to, {}).empty());
}

TEST_CASE("reload: the plan of the allocator that somebody shows is made again and shown") {
  for (const bool watched : {false, true}) {
    CAPTURE(watched);
    ReloadedFile file(watched);
    file.show("naive");
    file.rewrite(std::string(kHead) + "new,0,2,1\n" + kRows);
    CHECK(file.state().shown_plan == "naive");
    REQUIRE(file.state().plan() != nullptr);
    CHECK(file.state().plan()->offsets.size() == 5);
    CHECK(file.state().document.plans.size() > 1);
    CHECK_FALSE(file.state().editing.history.dirty());
    // Once more: it is still the one of choice.
    file.rewrite(std::string(kHead) + kRows);
    CHECK(file.state().shown_plan == "naive");
  }
}

TEST_CASE("reload: without a choice the best plan is shown, or the one of the file") {
  ReloadedFile file(false);
  file.rewrite(std::string(kHead) + "new,0,2,1\n" + kRows);
  REQUIRE(file.state().shown_facts() != nullptr);
  for (const auto& [id, facts] : file.state().plan_facts) {
    CHECK(file.state().shown_facts()->metrics.makespan <= facts.metrics.makespan);
  }
  file.rewrite("id,lower,upper,size,offset\na,0,6,4,0\nb,0,3,5,4\n");
  CHECK(file.state().shown_plan == "file");
}

TEST_CASE("reload: an allocator of choice runs although the file has a plan of its own") {
  ReloadedFile file(false, "id,lower,upper,size,offset\na,0,6,4,0\nb,0,3,5,4\n");
  file.state().push(action::RunAllocator{"first-fit-size"});
  REQUIRE(file.ui.settle());
  REQUIRE(file.state().shown_plan == "first-fit-size");
  file.folder.write("file.csv", "id,lower,upper,size,offset\na,0,6,4,0\nb,0,3,5,4\nc,4,9,6,4\n");
  file.ui.press("F5");
  REQUIRE(file.ui.has("question.reload"));  // the plan is a change that the file does not have
  file.ui.click("question.reload");
  REQUIRE(file.ui.until([&] { return file.state().problem().size() == 3; }));
  REQUIRE(file.ui.settle());
  CHECK(file.state().shown_plan == "first-fit-size");
  CHECK(file.state().plan()->offsets.size() == 3);
  CHECK(file.state().document.find_plan("file") != nullptr);
}

TEST_CASE("reload: a plan that somebody still waits for is the one of choice") {
  ReloadedFile file(false);
  file.show("naive");
  CHECK(chosen_plan(file.state()) == "naive");
  AllocatorRun& run = file.state().runs["best-fit"];
  run.stage = AllocatorRun::Stage::kRunning;
  CHECK(chosen_plan(file.state()) == "naive");
  run.show_after = true;
  CHECK(chosen_plan(file.state()) == "best-fit");
}

TEST_CASE("reload: the two plans that are compared stay the two, and further columns stay") {
  for (const bool watched : {false, true}) {
    CAPTURE(watched);
    ReloadedFile file(watched);
    const std::vector<std::string> ranked = file.state().ranked_plans();
    REQUIRE(ranked.size() > 5);
    const std::string shown = file.state().shown_plan;
    const std::string other = ranked[ranked.size() - 1];
    const std::string third = ranked[ranked.size() - 2];
    file.state().later([&](Workbench::State& s) {
      show_beside(s, other);
      s.part<Comparing>().further = {third};
    });
    file.ui.frames(3);
    REQUIRE(file.ui.has("side.canvas.2"));
    file.rewrite(std::string(kHead) + "new,0,2,1\n" + kRows);
    CHECK(file.state().shown_plan == shown);
    CHECK(file.state().part<Comparing>().other == other);
    CHECK(file.state().part<Comparing>().further == std::vector<std::string>{third});
    const Plan* compared = compared_plan(file.state());
    REQUIRE(compared != nullptr);
    CHECK(compared->id == other);
    CHECK(compared->offsets.size() == 5);
    CHECK(file.ui.has("side.canvas.2"));
  }
}

TEST_CASE("reload: what is compared with the plan of a file is planned again") {
  ReloadedFile file(false, "id,lower,upper,size,offset\na,0,6,4,0\nb,0,3,5,4\n");
  file.state().push(action::RunAllocator{"naive"});
  REQUIRE(file.ui.settle());
  file.state().push(action::ShowPlan{"file"});
  file.state().later([](Workbench::State& s) { show_beside(s, "naive"); });
  file.ui.frames(3);
  file.folder.write("file.csv", "id,lower,upper,size,offset\na,0,6,4,0\nb,0,3,5,4\nc,4,9,6,4\n");
  file.ui.press("F5");
  REQUIRE(file.ui.has("question.reload"));  // the plan is a change that the file does not have
  file.ui.click("question.reload");
  REQUIRE(file.ui.until([&] { return file.state().problem().size() == 3; }));
  REQUIRE(file.ui.settle());
  CHECK(file.state().shown_plan == "file");
  REQUIRE(compared_plan(file.state()) != nullptr);
  CHECK(compared_plan(file.state())->id == "naive");
}

TEST_CASE("reload: until the compared plan is made again its column says so, and nothing else takes its place") {
  ReloadedFile file(false);
  file.state().later([](Workbench::State& s) { show_beside(s, "naive"); });
  file.ui.frames(3);
  Comparing& comparing = file.state().part<Comparing>();
  REQUIRE(comparing.other == "naive");
  comparing.awaited = "naive";
  file.state().runs["naive"].stage = AllocatorRun::Stage::kRunning;
  CHECK(awaits_other(file.state()));
  CHECK_FALSE(compared_side(file.state()));
  CHECK(comparing.other == "naive");
  // Somebody does not want to wait.
  compare_with(file.state(), "best-fit");
  CHECK_FALSE(awaits_other(file.state()));
  CHECK(comparing.other == "best-fit");
  file.state().runs["naive"].stage = AllocatorRun::Stage::kDone;
}

TEST_CASE("a saved file keeps the right buffers selected when rows are written into it by hand") {
  const TemporaryFolder folder;
  const auto native = [](const std::string& more, const std::string& view) {
    return R"({"format":"stowage","version":1,"problem":{"buffers":[)" + more +
           R"({"id":"a","lower":0,"upper":6,"size":4},{"id":"b","lower":0,"upper":3,"size":5},
              {"id":"b","lower":4,"upper":9,"size":6}]},"plans":[],"view":)" +
           view + "}";
  };
  UiDriver ui;
  REQUIRE(ui.open(folder.write("before.json", native("", R"({"selection":[1,0]})"))));
  CHECK(ui.state().selection == std::vector<BufferIndex>{1, 0});  // as older files name them
  ui.state().push(action::Select{{2, 0}, SelectMode::kReplace});
  ui.frames(2);
  ui.state().push(action::SaveTo{folder.file("saved.json")});
  REQUIRE(ui.settle());
  std::ifstream file(folder.file("saved.json"));
  const std::string saved{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t view = saved.find("\"view\"");
  REQUIRE(view != std::string::npos);
  const std::size_t from = saved.find('{', view);
  const std::string kept = R"({"selection":[{"id":"b","occurrence":2},"a"]})";
  CHECK(saved.substr(from).find(R"("selection":[{"id":"b","occurrence":2},"a"])") != std::string::npos);
  REQUIRE(ui.open(folder.write("edited.json", native(R"({"id":"new","lower":0,"upper":2,"size":1},)", kept))));
  CHECK(ui.state().selection == std::vector<BufferIndex>{3, 1});
}
