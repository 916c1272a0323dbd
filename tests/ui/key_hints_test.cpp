#include "ui/key_hints.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct OpenedForHints {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedForHints() { REQUIRE(ui.open(folder.write("small.csv", small_problem()))); }
};

const KeyHints& hints_of(UiDriver& ui) {
  return ui.state().part<KeyHints>();
}

std::string letters_of(UiDriver& ui, const std::string& widget) {
  for (const KeyHints::Hint& hint : hints_of(ui).hints) {
    if (hint.widget == widget) return hint.letters;
  }
  return "";
}

std::string lower(std::string letters) {
  for (char& c : letters) c = static_cast<char>(c - 'A' + 'a');
  return letters;
}

/// Shows the hints and types those of a widget, all but the last letter small.
void click_by_keys(UiDriver& ui, const std::string& widget, bool right = false, const std::string& key = "G") {
  ui.press(key);
  ui.frames(2);
  const std::string letters = letters_of(ui, widget);
  INFO(widget);
  REQUIRE(!letters.empty());
  std::string typed = lower(letters);
  if (right) typed.back() = letters.back();
  ui.type(typed);
  ui.frames(8);
  CHECK(!hints_of(ui).on());
}

}  // namespace

TEST_CASE("hints: letters appear on every control and click it") {
  OpenedForHints o;
  click_by_keys(o.ui, "buffers.row.0");
  CHECK(o.ui.state().chosen() == 0);
  click_by_keys(o.ui, "toolbar.palette");
  CHECK(o.ui.state().popup == Popup::kPalette);
  // In a dialog with a text field a function key does it, and the letters are no text.
  o.ui.frames(2);
  o.ui.type("theme");
  o.ui.frames(2);
  click_by_keys(o.ui, "palette.toggle_theme", false, "F2");
  CHECK(o.ui.state().popup == Popup::kNone);
  CHECK(o.ui.workbench().settings().theme == "light");
}

TEST_CASE("hints: all letters differ, none begins another, and each hint is a control in sight") {
  OpenedForHints o;
  o.ui.press("G");
  o.ui.frames(2);
  const std::vector<KeyHints::Hint> hints = hints_of(o.ui).hints;
  CHECK(hints.size() > 40);
  for (std::size_t a = 0; a < hints.size(); ++a) {
    for (std::size_t b = 0; b < hints.size(); ++b) {
      if (a != b) CHECK(!hints[a].letters.starts_with(hints[b].letters));
    }
    CHECK(o.ui.state().ui.widgets.find(hints[a].widget)->second.clickable);
    CHECK(o.ui.has("hint." + hints[a].letters));
  }
  CHECK(letters_of(o.ui, "toolbar.open") != "");
  CHECK(letters_of(o.ui, "toolbar.undo") == "");  // nothing to undo: it is disabled
  SUBCASE("Esc ends it and no command hears the letters") {
    o.ui.type("t");
    o.ui.press("Escape");
    CHECK(!hints_of(o.ui).on());
    CHECK(o.ui.workbench().settings().theme == "dark");
    o.ui.press("T");
    CHECK(o.ui.workbench().settings().theme == "light");
  }
  SUBCASE("a click ends it") {
    o.ui.click(ImVec2(700, 500));
    o.ui.frames(2);
    CHECK(!hints_of(o.ui).on());
  }
}

TEST_CASE("hints: the last letter with Shift clicks with the right button") {
  OpenedForHints o;
  o.ui.press("Ctrl+R");
  REQUIRE(o.ui.settle());
  const std::string row = "allocators." + o.ui.state().shown_plan;
  REQUIRE(o.ui.has(row));
  click_by_keys(o.ui, row, true);
  // What can be clicked now is the menu, and nothing behind it.
  o.ui.press("G");
  o.ui.frames(2);
  CHECK(letters_of(o.ui, "toolbar.open") == "");
  o.ui.press("Escape");
  const std::string pin = "allocators.pin." + o.ui.state().shown_plan;
  if (!o.ui.has(pin)) click_by_keys(o.ui, row, true);
  click_by_keys(o.ui, pin);
  CHECK(!o.ui.has(pin));
  const auto& layout = o.ui.state().settings.layout;
  CHECK(std::any_of(layout.begin(), layout.end(),
                    [&](const auto& one) { return one.first.ends_with(o.ui.state().shown_plan) && one.second == 1; }));
}

TEST_CASE("palette: panels and saved filters can be called by name") {
  OpenedForHints o;
  o.ui.state().settings.filters["large ones"] = "size>1";
  o.ui.press("Ctrl+Shift+P");
  o.ui.type("show panel studies");
  o.ui.press("Enter");
  o.ui.frames(2);
  CHECK(o.ui.has("tab.studies"));
  o.ui.press("Ctrl+Shift+P");
  o.ui.frames(2);
  o.ui.type("large ones");
  o.ui.press("Enter");
  o.ui.frames(2);
  CHECK(o.ui.state().query == "size>1");
}
