#include <set>
#include <string>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/ui/opened_player.h"
#include "ui/best_curve.h"
#include "ui/step_list.h"

using namespace stowage;
using namespace stowage::testing;

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
    REQUIRE(has_best_curve(recording));
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
