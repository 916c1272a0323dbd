#include "ui/reading.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

std::string two_buffers() {
  return "id,lower,upper,size\na,0,3,64\nb,3,5,32\n";
}

}  // namespace

TEST_CASE("reading panel: times are meant in another way without opening the file again") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("two.csv", two_buffers())));
  ui.state().push(action::ShowPanel{"reading"});
  REQUIRE(ui.settle());
  CHECK(ui.state().analysis.facts.load == 64);
  ui.state().push(action::Select{{1}, SelectMode::kReplace});
  ui.click("reading.times");
  ui.frames(2);
  ui.click("reading.times.closed");
  REQUIRE(ui.settle());
  CHECK(ui.state().analysis.facts.load == 96);  // both are needed at 3
  CHECK(ui.state().selection == std::vector<BufferIndex>{1});
  ui.press("F5");  // reading it again keeps the way
  REQUIRE(ui.settle());
  CHECK(ui.state().analysis.facts.load == 96);
}

TEST_CASE("window: a file with bad rows is refused, and opens without them at the press of a button") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.write("two.csv", two_buffers())));
  REQUIRE(ui.open(folder.write("bad.csv", two_buffers() + "c,9,2,8\n")));
  CHECK(ui.state().problem().size() == 2);  // the open one stays
  REQUIRE(ui.has("notice.offer"));
  ui.click("notice.offer");
  REQUIRE(ui.settle());
  CHECK(ui.state().document.path.ends_with("bad.csv"));
  CHECK(ui.state().problem().size() == 2);
  CHECK(ui.state().document.facts.left_out == 1);
  ui.state().push(action::ShowPanel{"reading"});
  REQUIRE(ui.settle());
  CHECK(ui.has("reading.warnings"));
  CHECK(ui.state().part<Reading>().options.lenient);
}

TEST_CASE("window: what cannot be read at all offers nothing") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.file("none.csv")));
  CHECK(ui.has("notice.error"));
  CHECK_FALSE(ui.has("notice.offer"));
}
