#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/hand.h"
#include "tests/ui/sample.h"

namespace stowage::testing {

/// A file that is open, planned and in edit mode.
struct EditedFile {
  explicit EditedFile(const std::string& csv) {
    REQUIRE(ui.open(folder.write("small.csv", csv)));
    REQUIRE(ui.settle());
    ui.state().push(action::ShowPlan{"first-fit-size"});  // where it puts what is known
    ui.frames(2);
    for (auto& [id, facts] : ui.state().plan_facts) facts.seconds = 0;  // fast on any machine
    ui.press("E");
    REQUIRE(ui.state().editing.mode);
  }
  void select(BufferIndex i) {
    ui.click(hand.middle(i));
    REQUIRE(ui.state().selection == std::vector<BufferIndex>{i});
  }
  Workbench::State& state() { return ui.state(); }
  std::size_t entries() { return ui.state().editing.history.size(); }

  TemporaryFolder folder;
  UiDriver ui;
  Hand hand{ui};
};

/// Large enough for hands: a KiB or more each, 64 aligned.
inline std::string roomy_problem() {
  return "id,lower,upper,size,alignment\n"
         "a,0,10,4096,64\n"
         "b,2,6,2048,64\n"
         "c,12,20,4096,64\n";
}

}  // namespace stowage::testing
