#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

namespace stowage::testing {

/// A file in edit mode, and a person at the fields of the inspector.
struct OpenedEditFields {
  explicit OpenedEditFields(const std::string& csv = small_problem()) {
    REQUIRE(ui.open(folder.write("small.csv", csv)));
    REQUIRE(ui.settle());
    ui.press("E");
  }
  void select(std::vector<BufferIndex> buffers) {
    ui.state().push(action::Select{std::move(buffers), SelectMode::kReplace});
    ui.frames(3);
  }
  /// Types into a field as a person does: click, everything in it is selected, text.
  void write(const std::string& field, const std::string& text) {
    ui.click("edit." + field);
    ui.press("Ctrl+A");
    if (text.empty()) ui.press("Backspace");
    ui.type(text);
  }
  void enter(const std::string& field, const std::string& text) {
    write(field, text);
    ui.press("Enter");
    ui.frames(2);
  }
  Workbench::State& state() { return ui.state(); }
  std::size_t entries() { return ui.state().editing.history.size(); }

  TemporaryFolder folder;
  UiDriver ui;
};

}  // namespace stowage::testing
