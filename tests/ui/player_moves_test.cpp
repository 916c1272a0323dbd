#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/ui/opened_player.h"
#include "ui/easing.h"
#include "ui/replay.h"

using namespace stowage;
using namespace stowage::testing;

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

TEST_CASE("player: called by name it has the arrows again") {
  OpenedPlayer o;
  o.go(3);
  o.ui.click("buffers.row.0");
  CHECK_FALSE(o.replay().focused);
  o.ui.press("Ctrl+Shift+P");
  o.ui.type("show panel player");
  o.ui.press("Enter");
  o.ui.frames(2);
  o.ui.press("Left");
  CHECK(o.replay().position == 2);
}

TEST_CASE("player: a presentation tells the step and has the arrows") {
  OpenedPlayer o;
  o.go(o.size() / 2);
  o.ui.press("F10");
  o.ui.frames(3);
  REQUIRE(o.ui.has("presentation.step"));
  CHECK_FALSE(o.ui.has("player.play"));
  CHECK(o.state().ui.words.find("presentation.step")->second == caption_at(o.replay(), o.size() / 2));
  o.ui.press("Right");
  CHECK(o.replay().position == o.size() / 2 + 1);
  CHECK(o.ui.centre("chart.canvas").y < o.ui.point("presentation.step", 0, 0).y);
  o.ui.press("Escape");
  o.ui.frames(3);
  CHECK_FALSE(o.ui.has("presentation.step"));
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
