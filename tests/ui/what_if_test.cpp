#include "ui/what_if.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

using namespace stowage;
using stowage::testing::TemporaryFolder;
using stowage::testing::UiDriver;

namespace {

/// The small problem, whose load is 13, with the panel of what-ifs in front.
struct OpenedWhatIf {
  explicit OpenedWhatIf(const std::string& text = testing::small_problem()) {
    REQUIRE(ui.open(folder.write("small.csv", text)));
    ui.state().push(action::MovePanel{"what_if", "right 1"});
    ui.state().push(action::MovePanel{"inspector", "hidden"});
    ui.state().push(action::ShowPanel{"what_if"});
    ui.frames(4);
    REQUIRE(ui.has("edit.what_if.capacity"));
  }
  void enter(const std::string& text) {
    ui.click("edit.what_if.capacity");
    ui.press("Ctrl+A");
    if (text.empty()) ui.press("Backspace");
    ui.type(text);
    ui.press("Enter");
    ui.frames(4);
  }
  const std::string& typed() { return state().part<WhatIf>().typed.text; }
  bool on_the_chart(std::string_view words) {
    const std::vector<DrawItem>& items = state().map.scene.items;
    return std::any_of(items.begin(), items.end(), [&](const DrawItem& item) {
      const auto* text = std::get_if<draw::Text>(&item);
      return text != nullptr && text->text.find(words) != std::string::npos;
    });
  }
  /// Rectangles of the chart with an outline in the colour of what is wrong.
  std::size_t marked() {
    const std::vector<DrawItem>& items = state().map.scene.items;
    return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [&](const DrawItem& item) {
      const auto* border = std::get_if<draw::Border>(&item);
      return border != nullptr && border->color == state().ui.theme->bad;
    }));
  }
  Workbench::State& state() { return ui.state(); }

  TemporaryFolder folder;
  UiDriver ui;
};

}  // namespace

TEST_CASE("what if: the capacity is typed as well, with units, and nothing means the file's own") {
  OpenedWhatIf one;
  const std::int64_t makespan = what_if_capacity(one.state());
  CHECK(one.typed() == std::to_string(makespan) + " B");
  one.enter("0x10");
  CHECK(what_if_capacity(one.state()) == 16);
  CHECK(one.typed() == "16 B");
  one.enter("1.5 KiB");
  CHECK(what_if_capacity(one.state()) == 1536);
  one.enter("1024");
  CHECK(one.typed() == "1 KiB");
  one.enter("much");
  CHECK(one.ui.has("edit.what_if.capacity.error"));
  CHECK(what_if_capacity(one.state()) == 1024);
  one.enter("");
  CHECK_FALSE(one.ui.has("edit.what_if.capacity.error"));
  CHECK(what_if_capacity(one.state()) == makespan);
  // The slider writes into the field.
  one.ui.click(one.ui.point("what_if.capacity", 0.2F, 0.5F));
  one.ui.frames(2);
  CHECK(one.typed() == std::to_string(what_if_capacity(one.state())) + " B");
  CHECK_FALSE(one.state().editing.history.can_undo());
}

TEST_CASE("what if: each plan stands beside the slider with the height from which on it fits; a click asks for it") {
  OpenedWhatIf one(R"({"format":"stowage","version":1,"problem":{"buffers":[
    {"id":"low","lower":0,"upper":9,"size":4},{"id":"top","lower":2,"upper":7,"size":4}]},
    "plans":[{"id":"loose","allocator":"file","offsets":{"low":0,"top":10}},{"id":"tight","allocator":"file","offsets":{"low":0,"top":4}}]})");
  REQUIRE(one.state().shown_plan == "tight");
  CHECK(what_if_capacity(one.state()) == 8);
  CHECK(one.state().ui.words.at("what_if.mark.loose") == "14 B");
  one.ui.click("what_if.mark.loose");
  CHECK(what_if_capacity(one.state()) == 14);
  CHECK(one.state().shown_plan == "tight");
  one.ui.click("what_if.plan.loose");
  CHECK(one.state().shown_plan == "loose");
  CHECK(what_if_capacity(one.state()) == 14);
}

TEST_CASE("what if: the chart has a line of that name, and marks what ends above it, while the panel is in front") {
  OpenedWhatIf one("id,lower,upper,size,offset\nlow,0,9,4,0\nmid,2,7,4,4\ntop,3,6,4,8\n");
  CHECK_FALSE(one.on_the_chart("what if"));
  CHECK(one.marked() == 0);
  one.enter("8");
  CHECK(one.on_the_chart("what if 8 B"));
  CHECK(one.marked() == 1);  // top; mid ends there
  one.enter("7");
  CHECK(one.on_the_chart("what if 7 B"));
  CHECK(one.marked() == 2);
  one.state().push(action::MovePanel{"what_if", "hidden"});
  one.ui.frames(5);
  CHECK_FALSE(one.on_the_chart("what if"));
  CHECK(one.marked() == 0);
}

TEST_CASE("what if: each space is asked about by itself, and another file begins anew") {
  OpenedWhatIf one(R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"host"}],
    "buffers":[{"id":"a","lower":0,"upper":6,"size":8,"space":"device"},
               {"id":"b","lower":2,"upper":4,"size":24,"space":"host"}]}})");
  one.enter("5");
  one.state().push(action::SetSpace{1});
  one.ui.frames(4);
  CHECK(what_if_capacity(one.state()) == 24);
  CHECK_FALSE(one.on_the_chart("what if"));
  one.state().push(action::SetSpace{0});
  one.ui.frames(4);
  CHECK(what_if_capacity(one.state()) == 5);
  CHECK(one.on_the_chart("what if 5 B"));
  REQUIRE(one.ui.open(one.folder.write("other.csv", testing::small_problem())));
  CHECK_FALSE(one.on_the_chart("what if"));
}
