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

TEST_CASE("reading panel: a field for each size that the file leaves open, also once it has a value") {
  const testing::TemporaryFolder folder;
  UiDriver ui{1600, 1800};
  REQUIRE(ui.open(folder.write("f.mlir",
                               "func.func @f(%n: index, %m: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n"
                               "  %b = memref.alloc(%n, %m) : memref<?x?xi8>\n}\n")));
  CHECK(ui.state().problem().size() == 0);
  ui.state().push(action::ShowPanel{"reading"});
  REQUIRE(ui.settle());
  REQUIRE(ui.has("reading.open.%n"));
  CHECK(ui.has("reading.open.%m"));
  ui.click("reading.open.%n");
  ui.frames(2);
  ui.type("8");
  ui.press("Enter");
  REQUIRE(ui.settle());
  CHECK(ui.state().part<Reading>().options.choices["sizes"] == "%n=8");
  CHECK(ui.state().problem().size() == 1);
  CHECK(ui.has("reading.open.%n"));
  CHECK(ui.state().document.facts.open == std::vector<OpenSize>{{"sizes", "%m"}});
}

TEST_CASE("window: a graph whose dimensions have no value can be opened, and asks for them") {
  const testing::TemporaryFolder folder;
  UiDriver ui{1600, 1800};
  REQUIRE(ui.open(folder.write("open.graph.json",
                               R"({"tensors":[{"id":"x","shape":["n",4]},{"id":"y","bytes":64}],
 "ops":[{"id":"a","type":"Make","in":[],"out":["x"]},{"id":"b","type":"Relu","in":["x"],"out":["y"]}]})")));
  REQUIRE(ui.has("notice.offer"));
  ui.click("notice.offer");
  REQUIRE(ui.settle());
  CHECK(ui.state().problem().size() == 1);
  CHECK(ui.state().document.facts.left_out == 1);
  ui.state().push(action::ShowPanel{"reading"});
  REQUIRE(ui.settle());
  REQUIRE(ui.has("reading.open.n"));
  ui.click("reading.open.n");
  ui.frames(2);
  ui.type("8");
  ui.press("Enter");
  REQUIRE(ui.settle());
  CHECK(ui.state().problem().size() == 2);
  CHECK(ui.state().problem()[0].size == 128);
  CHECK(ui.state().document.facts.open.empty());
}

TEST_CASE("window: what cannot be read at all offers nothing") {
  const testing::TemporaryFolder folder;
  UiDriver ui;
  REQUIRE(ui.open(folder.file("none.csv")));
  CHECK(ui.has("notice.error"));
  CHECK_FALSE(ui.has("notice.offer"));
}
