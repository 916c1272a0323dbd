#pragma once

#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

namespace stowage::testing {

/// The small problem, open and planned by everyone.
struct OpenedCompare {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedCompare() {
    const std::string path = folder.write("small.csv", small_problem());
    REQUIRE(ui.open(path));
  }
  Workbench::State& state() { return ui.state(); }
};

}  // namespace stowage::testing
