#include <algorithm>
#include <cstdint>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/ui/opened_player.h"
#include "ui/boxes_replay.h"
#include "ui/easing.h"
#include "ui/replay.h"

using namespace stowage;
using namespace stowage::testing;

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

TEST_CASE("boxes: a job flies into its box, unless motion is switched off") {
  OpenedPlayer o("idealloc");
  o.state().push(action::ShowPanel{"boxes"});
  o.ui.frames(4);
  if (o.replay().recording->index.all(StepKind::kOpenBox).empty()) {
    REQUIRE(o.ui.has("boxes.force"));
    o.ui.click("boxes.force");
    REQUIRE(o.ui.settle());
  }
  const auto puts = o.replay().recording->index.all(StepKind::kPutInBox);
  REQUIRE(!puts.empty());
  const BufferIndex put = std::get<step::PutInBox>(o.replay().recording->log.steps()[puts[0]].fact).member.buffer;
  const auto flying_after = [&](int setting) {
    o.state().settings.layout[kEasingSetting] = setting;
    o.go(puts[0]);
    o.ui.frames(3);
    o.invoke(CommandId::step_on);
    return o.state().part<BoxesReplay>().flying;
  };
  CHECK(flying_after(1) == put);
  CHECK(flying_after(0) == kNoBuffer);
  CHECK_FALSE(boxes_moving(o.state()));
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
