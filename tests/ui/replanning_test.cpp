#include "ui/replanning.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/state.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// A sample with the engine's plan shown.
struct Planned {
  UiDriver ui;

  Planned() {
    REQUIRE(ui.open(std::string(STOWAGE_SOURCE_DIR) + "/samples/residual_net.json"));
    ui.state().push(action::RunAllocator{"best"});
    REQUIRE(ui.settle());
    ui.state().push(action::ShowPlan{"best"});
    REQUIRE(ui.settle());
    REQUIRE(ui.state().shown_plan == "best");
  }
  Workbench::State& state() { return ui.state(); }
  const std::vector<std::int64_t>& offsets() { return state().plan()->offsets; }
  void edit(Edit what) {
    EditRequest request;
    request.label = "Edit";
    request.edits.push_back(std::move(what));
    state().push(action::EditProblem{std::move(request)});
    REQUIRE(ui.settle());
  }
  /// Upside down: as good as before, but nothing that planning anew would come up with.
  void turn_over() {
    state().later([](Workbench::State& s) {
      Plan plan = *s.plan();
      const std::int64_t top = s.shown_facts()->metrics.makespan;
      for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
        plan.offsets[i] = top - plan.offsets[i] - s.problem()[static_cast<BufferIndex>(i)].size;
      }
      s.plan_facts[plan.id] = judge(s.problem(), s.analysis, plan);
      s.document.put_plan(std::move(plan));
      ++s.plan_revision;
    });
    REQUIRE(ui.settle());
  }
  void check_sound() {
    REQUIRE(state().shown_plan == "best");
    REQUIRE(state().shown_facts() != nullptr);
    CHECK(state().shown_facts()->report.valid());
    CHECK_FALSE(state().shown_facts()->stale);
  }
};

}  // namespace

TEST_CASE("editing under the engine's plan: the rest stays where it lies, and the plan is sound") {
  Planned p;
  p.turn_over();
  p.check_sound();
  const std::vector<std::int64_t> before = p.offsets();
  const auto last = static_cast<BufferIndex>(before.size() - 1);
  p.edit(edit::Size{last, p.state().problem()[last].size + 1});
  p.check_sound();
  std::size_t moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) moved += p.offsets()[i] != before[i];
  CHECK(moved <= before.size() / 4);
}

TEST_CASE("editing under the engine's plan: grown at the peak, its plan still ends at the load or says so") {
  Planned p;
  p.edit(edit::Size{0, p.state().problem()[0].size * 3});
  p.check_sound();
  CHECK(p.state().shown_facts()->metrics.makespan >= p.state().analysis.facts.load);
  p.ui.press("Ctrl+Z");
  REQUIRE(p.ui.settle());
  p.check_sound();
}

TEST_CASE("editing under the engine's plan: a removed and a longer buffer leave a sound plan") {
  Planned p;
  p.edit(edit::Lifetime{3, p.state().problem()[3].start, p.state().problem()[3].end + 5});
  p.check_sound();
  const std::size_t count = p.state().problem().size();
  p.state().push(action::Select{{3}, SelectMode::kReplace});
  p.state().push(action::Invoke{CommandId::remove_buffers});
  REQUIRE(p.ui.settle());
  CHECK(p.state().problem().size() == count - 1);
  p.check_sound();
}

TEST_CASE(
    "editing under the engine's plan: what is kept for the next edit follows edits, undo, drags and new buffers") {
  Planned p;
  const auto longer = [&](BufferIndex i, std::int64_t by) {
    const Buffer& b = p.state().problem()[i];
    return edit::Lifetime{i, b.start, b.end + by};
  };
  const auto kept_is_present = [&] {
    const std::shared_ptr<KeptPlan>& kept = p.state().editing.kept;
    return kept != nullptr && kept->problem == p.state().document.problem;
  };
  p.edit(longer(2, 1));
  CHECK(kept_is_present());
  p.check_sound();
  p.edit(longer(5, 2));
  CHECK(kept_is_present());
  p.ui.press("Ctrl+Z");
  REQUIRE(p.ui.settle());
  CHECK_FALSE(kept_is_present());
  p.edit(edit::Size{4, p.state().problem()[4].size * 2});
  CHECK(kept_is_present());
  p.check_sound();
  const std::shared_ptr<const Problem> before = p.state().document.problem;
  begin_edit_drag(p.state());
  for (std::int64_t by = 1; by <= 5; ++by) {
    edit_problem(p.state(),
                 EditRequest{"Lifetime", {edit::Lifetime{7, (*before)[7].start, (*before)[7].end + by}}, true});
    CHECK(p.state().editing.kept->problem == before);
    CHECK(p.state().shown_facts()->report.valid());
  }
  REQUIRE(p.ui.settle());
  p.edit(edit::Add{"new", "", Buffer{0, 4, 64}, kNoBuffer, std::nullopt, ""});
  CHECK(kept_is_present());
  p.check_sound();
}
