#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/best_curve.h"
#include "ui/boxes_replay.h"
#include "ui/easing.h"
#include "ui/panels.h"
#include "ui/replay.h"
#include "ui/step_list.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// The small problem with the plan of one allocator shown and its steps recorded.
struct OpenedPlayer {
  testing::TemporaryFolder folder;
  UiDriver ui;

  explicit OpenedPlayer(const std::string& allocator = "first-fit-size",
                        const std::string& csv = testing::small_problem()) {
    REQUIRE(ui.open(folder.write("small.csv", csv)));
    show(allocator);
    invoke(CommandId::record_steps);
    REQUIRE(ui.settle());
    REQUIRE(replay().ready());
  }
  void show(const std::string& allocator) {
    if (state().document.find_plan(allocator) == nullptr) {
      state().push(action::RunAllocator{allocator});
    } else {
      state().push(action::ShowPlan{allocator});
    }
    REQUIRE(ui.settle());
    REQUIRE(state().shown_plan == allocator);
  }
  void invoke(CommandId id) {
    state().push(action::Invoke{id});
    ui.frames(3);
  }
  Workbench::State& state() { return ui.state(); }
  Replay& replay() { return state().part<Replay>(); }
  std::size_t size() { return replay().recording->size(); }
  void go(std::size_t position) {
    state().later([position](Workbench::State& s) { go_to_step(s, position); });
    ui.frame();
  }
};

}  // namespace

TEST_CASE("player: at every step the chart shows what the replay gives, and at the end the plan") {
  OpenedPlayer o;
  const std::vector<Step>& steps = o.replay().recording->log.steps();
  StepPlayer alone(steps, o.state().problem().size());
  CHECK(o.replay().position == 0);
  for (std::size_t position = 0; position <= o.size(); ++position) {
    o.go(position);
    alone.seek(position);
    REQUIRE(o.replay().drawn != nullptr);
    CHECK(*o.replay().drawn == alone.state().offsets);
    // Jumps are drawn at once; a single step forward glides.
    o.go(0);
    o.go(position);
    if (position != 1) CHECK(o.state().drawn_offsets() == alone.state().offsets);
  }
  REQUIRE(o.ui.settle());
  CHECK(o.state().drawn_offsets() == o.state().offsets());
}

TEST_CASE("player: what a step places glides there, unless motion is switched off") {
  OpenedPlayer o;
  const StepIndex& index = o.replay().recording->index;
  const std::size_t step = index.all(StepKind::kPlace)[1];
  const auto& place = std::get<step::Place>(o.replay().recording->log.steps()[step].fact);
  o.go(step);
  o.go(step + 1);
  o.ui.frame();
  CHECK(o.state().drawn_offsets()[place.buffer] > place.offset);
  REQUIRE(o.ui.settle());
  CHECK(o.state().drawn_offsets()[place.buffer] == place.offset);
  CHECK_FALSE(o.ui.workbench().animating());
  o.state().settings.layout[kEasingSetting] = 0;
  o.go(step);
  o.go(step + 1);
  CHECK(o.state().drawn_offsets()[place.buffer] == place.offset);
}

TEST_CASE("player: buttons step and jump to phases, and say when there is nowhere to go") {
  OpenedPlayer o("skyline");
  CHECK(o.ui.has("player.position"));
  o.ui.click("player.step_back");
  CHECK(o.replay().position == 0);
  o.ui.click("player.step_on");
  o.ui.click("player.step_on");
  CHECK(o.replay().position == 2);
  o.ui.click("player.step_back");
  CHECK(o.replay().position == 1);
  const auto phases = o.replay().recording->index.all(StepKind::kPhase);
  REQUIRE(phases.size() == 2);
  o.ui.click("player.phase_on");
  CHECK(o.replay().position == phases[1] + std::size_t{1});
  o.ui.click("player.phase_on");
  CHECK(o.replay().position == o.size());
  o.ui.click("player.phase_on");
  CHECK(o.replay().position == o.size());
  o.ui.click("player.phase_back");
  CHECK(o.replay().position == phases[1] + std::size_t{1});
  o.ui.click("player.phase_back");
  CHECK(o.replay().position == phases[0] + std::size_t{1});
  o.ui.click("player.phase_back");
  CHECK(o.replay().position == 0);
}

TEST_CASE("player: idealloc's steps are jumped over by phase and by level of boxing") {
  OpenedPlayer o("idealloc", testing::csv_of(synthetic_family(60, 4)));
  const StepIndex& index = o.replay().recording->index;
  const std::vector<std::uint32_t> levels = index.levels();
  REQUIRE(levels.size() >= 2);
  REQUIRE(index.all(StepKind::kPhase).size() > levels.size());
  for (const std::uint32_t level : levels) {
    o.invoke(CommandId::level_on);
    CHECK(o.replay().position == level + std::size_t{1});
    CHECK(phase_at(o.replay(), o.replay().position).substr(0, 6) == "level ");
  }
  o.invoke(CommandId::level_on);
  CHECK(o.replay().position == o.size());
  for (std::size_t k = levels.size(); k > 0; --k) {
    o.invoke(CommandId::level_back);
    CHECK(o.replay().position == levels[k - 1] + std::size_t{1});
  }
  o.invoke(CommandId::phase_back);
  CHECK(o.replay().position <= levels.front());
  o.invoke(CommandId::phase_on);
  CHECK(o.replay().position == levels.front() + std::size_t{1});
  o.invoke(CommandId::first_step);
  for (const std::uint32_t phase : index.all(StepKind::kPhase)) {
    o.invoke(CommandId::phase_on);
    CHECK(o.replay().position == phase + std::size_t{1});
  }
}

TEST_CASE("player: arrows, Home and End are its own only while it was clicked last; Space always plays") {
  OpenedPlayer o;
  o.ui.click("player.scrub");
  o.ui.press("Home");
  CHECK(o.replay().position == 0);
  o.ui.press("Right");
  o.ui.press("Right");
  CHECK(o.replay().position == 2);
  o.ui.press("Left");
  CHECK(o.replay().position == 1);
  o.ui.press("Shift+Right");
  CHECK(o.replay().position == o.size());
  o.ui.press("Shift+Left");
  CHECK(o.replay().position == 1);
  o.ui.press("End");
  CHECK(o.replay().position == o.size());

  o.ui.click(o.ui.point("chart.area", 0.99F, 0.01F));
  o.state().push(action::Select{{0}, SelectMode::kReplace});
  o.ui.wheel(o.ui.point("chart.area", 0.5F, 0.5F), 3);
  REQUIRE_FALSE(o.state().camera_home);
  o.ui.press("Home");
  CHECK(o.state().camera_home);
  CHECK(o.replay().position == o.size());
  o.ui.press("Right");
  CHECK(o.state().chosen() != kNoBuffer);
  CHECK(o.replay().position == o.size());
  o.ui.press("Space");
  CHECK(o.replay().playing);
  o.ui.press("Space");
  CHECK_FALSE(o.replay().playing);
}

TEST_CASE("player: playing takes the steps of the time that passes, ends at the end, and begins anew from there") {
  OpenedPlayer o;
  o.replay().speed = 8;
  o.ui.click("player.play");
  REQUIRE(o.replay().playing);
  const std::size_t before = o.replay().position;
  o.ui.frames(60);
  CHECK(o.replay().position >= before + 7);
  CHECK(o.replay().position <= before + 9);
  CHECK(o.ui.until([&] { return !o.replay().playing; }));
  CHECK(o.replay().position == o.size());
  CHECK(o.ui.settle());
  CHECK_FALSE(o.replay().playing);
  o.ui.click("player.play");
  CHECK(o.replay().playing);
  CHECK(o.replay().position < o.size());
  // Stepping by hand pauses.
  o.ui.click("player.step_on");
  CHECK_FALSE(o.replay().playing);
}

TEST_CASE("player: every speed can be chosen") {
  OpenedPlayer o;
  for (const double speed : Replay::kSpeeds) {
    o.ui.click("player.speed");
    const std::string name = fmt::format("player.speed.{}", speed);
    REQUIRE(o.ui.has(name));
    o.ui.click(name);
    CHECK(o.replay().speed == speed);
  }
}

TEST_CASE("player: the scrub bar goes anywhere, Shift and a drag set a range, and the range loops") {
  OpenedPlayer o;
  o.ui.click(o.ui.point("player.scrub", 0, 0.8F));
  CHECK(o.replay().position == 0);
  o.ui.click(o.ui.point("player.scrub", 0.999F, 0.8F));
  CHECK(o.replay().position == o.size());
  o.ui.drag(o.ui.point("player.scrub", 0.9F, 0.8F), o.ui.point("player.scrub", 0.5F, 0.8F));
  CHECK(static_cast<double>(o.replay().position) == doctest::Approx(0.5 * static_cast<double>(o.size())).epsilon(0.1));

  o.ui.hold("Shift", true);
  o.ui.drag(o.ui.point("player.scrub", 0.75F, 0.8F), o.ui.point("player.scrub", 0.25F, 0.8F));
  o.ui.hold("Shift", false);
  REQUIRE(o.replay().range_from);
  const std::size_t from = o.replay().from();
  const std::size_t to = o.replay().to();
  CHECK(from < to);
  CHECK(static_cast<double>(from) == doctest::Approx(0.25 * static_cast<double>(o.size())).epsilon(0.1));
  CHECK(static_cast<double>(to) == doctest::Approx(0.75 * static_cast<double>(o.size())).epsilon(0.1));

  o.ui.click("player.loop");
  CHECK(o.replay().loop);
  o.replay().speed = 64;
  o.ui.press("Space");
  bool began_anew = false;
  std::size_t last = o.replay().position;
  for (int frame = 0; frame < 200; ++frame) {
    o.ui.frame();
    const std::size_t now = o.replay().position;
    CHECK(now >= from);
    CHECK(now <= to);
    began_anew = began_anew || now < last;
    last = now;
  }
  CHECK(began_anew);
  CHECK(o.replay().playing);
  o.ui.press("Space");
  o.ui.click("player.whole");
  CHECK_FALSE(o.replay().range_from);
  CHECK(o.replay().to() == o.size());

  o.go(3);
  o.ui.click("player.in");
  o.go(6);
  o.ui.click("player.out");
  CHECK(o.replay().from() == 3);
  CHECK(o.replay().to() == 6);
}

TEST_CASE("player: closing it, another plan and an edit all end the replay and show the plan again") {
  for (const std::string way : {"close", "plan", "edit", "layout"}) {
    INFO(way);
    OpenedPlayer o;
    o.go(2);
    REQUIRE(o.state().drawn_instead != nullptr);
    if (way == "close") {
      o.ui.click("player.close");
      CHECK_FALSE(o.ui.has("player"));
      CHECK_FALSE(o.ui.has("steps"));
    } else if (way == "plan") {
      o.state().push(action::ShowPlan{"naive"});
    } else if (way == "edit") {
      o.state().push(action::EditProblem{EditRequest{"a change", {edit::Size{0, 99}}, false}});
    } else {
      o.state().push(action::UseLayout{"standard"});
    }
    o.ui.frames(4);
    REQUIRE(o.ui.settle());
    CHECK_FALSE(o.replay().ready());
    CHECK(o.state().drawn_instead == nullptr);
  }
}

TEST_CASE("player: without steps it says why, and its button records them") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  ui.state().push(action::UseLayout{"teach"});
  ui.frames(3);
  CHECK(ui.has("player.record"));
  ui.click("player.record");
  CHECK_FALSE(ui.state().part<Replay>().work.running());
  // The plan of a file is nobody's run.
  REQUIRE(ui.open(folder.write("plan.csv", testing::colliding_plan())));
  CHECK(std::string(why_no_steps(ui.state())) == "no allocator of this program has made the shown plan");
  ui.press("Space");
  REQUIRE(ui.settle());
  CHECK_FALSE(ui.state().part<Replay>().ready());
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.click("player.record");
  REQUIRE(ui.settle());
  CHECK(ui.state().part<Replay>().ready());
}

TEST_CASE("player: Space alone records and plays") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("small.csv", testing::small_problem())));
  ui.press("Space");
  CHECK(ui.until([&] { return ui.state().part<Replay>().playing; }));
  CHECK(ui.has("player.play"));
}

TEST_CASE("player: a log that was cut says so") {
  OpenedPlayer o;
  o.replay().limit = 5;
  o.invoke(CommandId::record_steps);
  REQUIRE(o.ui.settle());
  REQUIRE(o.replay().ready());
  CHECK(o.replay().recording->log.truncated());
  CHECK(o.ui.has("player.cut"));
}

TEST_CASE("player: recording can be cancelled") {
  UiDriver ui;
  const testing::TemporaryFolder folder;
  REQUIRE(ui.open(folder.write("many.csv", testing::csv_of(synthetic_family(3000, 1)))));
  ui.state().push(action::Invoke{CommandId::record_steps});
  ui.frame();
  Replay& replay = ui.state().part<Replay>();
  REQUIRE(replay.work.running());
  ui.state().later([](Workbench::State& s) { cancel_recording(s); });
  ui.frames(3);
  CHECK_FALSE(replay.work.running());
  CHECK_FALSE(replay.ready());
  CHECK(ui.has("player.record"));
}

TEST_CASE("player: every registered allocator can be stepped through, and its last step is its plan") {
  OpenedPlayer o;
  for (const Allocator& allocator : allocators()) {
    INFO(allocator.id);
    o.show(allocator.id);
    o.invoke(CommandId::record_steps);
    REQUIRE(o.ui.settle());
    REQUIRE(o.replay().ready());
    CHECK(o.ui.has("steps.body"));
    CHECK(o.replay().recording->code != nullptr);
    o.go(o.size());
    o.ui.frames(2);
    CHECK(o.state().drawn_offsets() == o.state().offsets());
    o.go(o.size() / 2);
    o.ui.frames(2);
    CHECK(o.ui.has("decision"));
  }
}

TEST_CASE("steps: a click goes there, filters hide kinds, and the active line of the pseudo-code moves along") {
  OpenedPlayer o;
  o.go(1);
  o.ui.frames(2);
  REQUIRE(o.ui.has("steps.row.3"));
  o.ui.click("steps.row.3");
  CHECK(o.replay().position == 3);
  const auto active = [&] {
    std::string found;
    for (const auto& [name, box] : o.state().ui.widgets) {
      if (name.find("steps.code.") == 0 && name.find(".active") != std::string::npos) found += name;
    }
    return found;
  };
  std::set<std::string> lines;
  for (std::size_t position = 1; position <= o.size(); ++position) {
    o.go(position);
    o.ui.frame();
    CHECK(!active().empty());
    lines.insert(active());
  }
  CHECK(lines.size() >= 3);

  StepList& list = o.state().part<StepList>();
  CHECK(list.rows() == o.size());
  o.ui.click("steps.filter.reject");
  const std::size_t rejects = o.replay().recording->index.all(StepKind::kReject).size();
  REQUIRE(rejects > 0);
  o.ui.frames(2);
  CHECK(list.rows() == o.size() - rejects);
  for (std::size_t row = 0; row < list.rows(); ++row) {
    CHECK(o.replay().recording->index.kind(list.step_at(row)) != StepKind::kReject);
  }
  o.ui.click("steps.filter.reject");
  o.ui.frames(2);
  CHECK(list.rows() == o.size());
}

TEST_CASE("this step: places that failed are listed with their blockers, and the queue is what comes next") {
  OpenedPlayer o;
  const StepIndex& index = o.replay().recording->index;
  const auto rejects = index.all(StepKind::kReject);
  REQUIRE(!rejects.empty());
  o.go(rejects[0] + std::size_t{1});
  o.ui.frames(3);
  REQUIRE(o.ui.has("decision.tried.0"));
  o.ui.click("decision.tried.0");
  CHECK(o.state().chosen() == o.replay().moment.tried[0].blocker);
  REQUIRE(o.ui.has("decision.next.0"));
  const BufferIndex next = o.replay().moment.next[0];
  o.invoke(CommandId::step_on);
  CHECK(o.ui.has("decision.buffer"));
  while (o.replay().moment.buffer != next && o.replay().position < o.size()) o.invoke(CommandId::step_on);
  CHECK(o.replay().moment.buffer == next);
}

TEST_CASE("this step: best plan and bound are drawn against the steps of every search, and a click goes there") {
  OpenedPlayer o;
  CHECK_FALSE(o.ui.has("decision.curve"));  // nobody improves a greedy plan
  for (const std::string search : {"best", "exact", "minimalloc", "telamalloc", "hill-climb", "tabu"}) {
    INFO(search);
    o.show(search);
    o.invoke(CommandId::record_steps);
    REQUIRE(o.ui.settle());
    REQUIRE(o.replay().ready());
    const Recording& recording = *o.replay().recording;
    if (!has_best_curve(recording)) {
      // The bound was met at once: a run without going back.
      CHECK(recording.index.all(StepKind::kUnplace).empty());
      continue;
    }
    REQUIRE(!recording.incumbents.empty());
    REQUIRE(!recording.bounds.empty());
    CHECK(recording.incumbents.back().value == o.state().shown_facts()->metrics.makespan);
    CHECK(value_at(recording.bounds, o.size()) <= value_at(recording.incumbents, o.size()));
    REQUIRE(o.ui.has("decision.curve"));
    o.ui.click(o.ui.point("decision.curve", 0.002F, 0.5F));
    CHECK(o.replay().position == 0);
    o.ui.click(o.ui.point("decision.curve", 0.998F, 0.5F));
    CHECK(o.replay().position == o.size());
  }
}

TEST_CASE("player: where its panel is high the curve stands over the bar, step above step") {
  OpenedPlayer o("best", testing::csv_of(synthetic_family(60, 2)));
  REQUIRE(has_best_curve(*o.replay().recording));
  o.state().push(action::MovePanel{"load", "hidden"});
  o.ui.frames(4);
  REQUIRE(o.ui.has("player.curve"));
  const ImVec2 above = o.ui.point("player.curve", 0.5F, 0.5F);
  CHECK(above.x == doctest::Approx(o.ui.point("player.scrub", 0.5F, 0.8F).x).epsilon(0.001));
  CHECK(above.y < o.ui.point("player.scrub", 0.5F, 0).y);
  o.ui.click(above);
  const std::size_t position = o.replay().position;
  CHECK(static_cast<double>(position) == doctest::Approx(0.5 * static_cast<double>(o.size())).epsilon(0.1));
}

TEST_CASE("boxes: idealloc's boxes follow the steps, and a selected buffer is followed into them") {
  OpenedPlayer o("idealloc");
  if (o.replay().recording->index.all(StepKind::kOpenBox).empty()) {
    o.state().push(action::ShowPanel{"boxes"});
    o.ui.frames(4);
    REQUIRE(o.ui.has("boxes.force"));
    o.ui.click("boxes.force");
    REQUIRE(o.ui.settle());
  }
  const StepIndex& index = o.replay().recording->index;
  const auto puts = index.all(StepKind::kPutInBox);
  REQUIRE(!puts.empty());
  o.state().push(action::ShowPanel{"boxes"});
  const auto& put = std::get<step::PutInBox>(o.replay().recording->log.steps()[puts[0]].fact);
  REQUIRE(put.member.buffer != kNoBuffer);
  o.state().push(action::Select{{put.member.buffer}, SelectMode::kReplace});
  o.go(puts[0]);
  o.ui.frames(3);
  REQUIRE(o.ui.has("boxes.canvas"));
  const BoxesReplay& boxes = o.state().part<BoxesReplay>();
  REQUIRE(boxes.layout != nullptr);
  const auto state_of = [&](BufferIndex buffer) {
    for (const BoxShape& shape : boxes.layout->shapes) {
      if (!shape.is_box() && shape.what.buffer == buffer) return shape.state;
    }
    return BoxShape::State::kAbsent;
  };
  CHECK(state_of(put.member.buffer) == BoxShape::State::kWaiting);
  const std::uint64_t built = boxes.built;
  o.invoke(CommandId::step_on);
  CHECK(state_of(put.member.buffer) == BoxShape::State::kDone);
  CHECK(boxes.built > built);
  CHECK(path_words(*boxes.layout, put.member.buffer).find(fmt::format("in box {}", put.box)) == 0);
  REQUIRE(o.ui.settle());  // the job has arrived
  // Nothing is drawn anew while nothing changes.
  const std::uint64_t quiet = boxes.built;
  o.ui.frames(5);
  CHECK(boxes.built == quiet);
}

TEST_CASE("boxes: a box opens, fills and closes with the steps of the player") {
  OpenedPlayer o("idealloc", testing::csv_of(synthetic_family(40, 5)));
  if (o.replay().recording->index.all(StepKind::kOpenBox).empty()) {
    o.state().push(action::ShowPanel{"boxes"});
    o.ui.frames(4);
    REQUIRE(o.ui.has("boxes.force"));
    o.ui.click("boxes.force");
    REQUIRE(o.ui.settle());
  }
  o.state().push(action::ShowPanel{"boxes"});
  o.ui.frames(2);
  const Recording& recording = *o.replay().recording;
  const auto opens = recording.index.all(StepKind::kOpenBox);
  const auto closes = recording.index.all(StepKind::kCloseBox);
  REQUIRE(!opens.empty());
  REQUIRE(!closes.empty());
  const auto state_of = [&](std::uint32_t box) {
    for (const BoxShape& shape : o.state().part<BoxesReplay>().layout->shapes) {
      if (shape.is_box() && shape.what.box == box) return shape.state;
    }
    return BoxShape::State::kAbsent;
  };
  const auto opened = std::get<step::OpenBox>(recording.log.steps()[opens[0]].fact).box;
  o.go(opens[0]);
  o.ui.frames(2);
  CHECK(state_of(opened) == BoxShape::State::kAbsent);
  o.ui.click("player.step_on");
  CHECK(state_of(opened) == BoxShape::State::kOpen);
  REQUIRE(o.ui.has("boxes.canvas"));
  const auto closed = std::find_if(closes.begin(), closes.end(), [&](std::uint32_t step) {
    return std::get<step::CloseBox>(recording.log.steps()[step].fact).box == opened;
  });
  REQUIRE(closed != closes.end());
  o.go(*closed);
  o.ui.frames(2);
  CHECK(state_of(opened) == BoxShape::State::kOpen);
  o.ui.click("player.step_on");
  CHECK(state_of(opened) == BoxShape::State::kDone);
  o.go(o.size());
  o.ui.frames(2);
  CHECK(o.state().part<BoxesReplay>().layout->count(BoxShape::State::kOpen) == 0);
}

TEST_CASE("a long log stays cheap: a jump applies at most a keyframe's interval, a frame draws what is visible") {
  OpenedPlayer o("minimalloc", testing::csv_of(synthetic_family(60, 1)));
  const StepPlayer& player = *o.replay().recording->player;
  for (const double share : {0.9, 0.1, 0.5, 0.99, 0.0, 0.7}) {
    const std::size_t before = player.applied();
    o.go(static_cast<std::size_t>(share * static_cast<double>(o.size())));
    CHECK(player.applied() - before <= player.interval());
    o.ui.frames(2);
    std::size_t rows = 0;
    for (const auto& [name, box] : o.state().ui.widgets) {
      if (name.find("steps.row.") == 0) ++rows;
    }
    CHECK(rows < 60);
  }
}
