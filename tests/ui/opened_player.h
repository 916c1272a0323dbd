#pragma once

#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/replay.h"

namespace stowage::testing {

/// The small problem with the plan of one allocator shown and its steps recorded.
struct OpenedPlayer {
  TemporaryFolder folder;
  UiDriver ui;

  explicit OpenedPlayer(const std::string& allocator = "first-fit-size", const std::string& csv = small_problem()) {
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

}  // namespace stowage::testing
