#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/gesture.h"
#include "ui/shortcuts.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Which of the first two buffers a query matches: 1 for the one, 2 for the other, summed.
int matched(const Problem& problem, const char* text) {
  const auto query = BufferQuery::parse(text);
  REQUIRE(query.has_value());
  return int{query->matches(problem, 0, {})} + 2 * int{query->matches(problem, 1, {})};
}

}  // namespace

TEST_CASE("commands: no key is bound twice") {
  std::map<std::string, std::string> owner;
  for (const Command& one : commands()) {
    for (const Shortcut& shortcut : parse_shortcuts(one.keys)) {
      const std::string key = printed(shortcut);
      INFO(key << " of " << std::string(one.name));
      CHECK(owner.find(key) == owner.end());
      owner[key] = std::string(one.name);
    }
  }
}

TEST_CASE("commands: each has a title, a help text, a group and a key that exists") {
  UiDriver ui;
  std::set<std::string_view> names;
  for (const Command& one : commands()) {
    INFO(std::string(one.name));
    CHECK_FALSE(one.title.empty());
    CHECK_FALSE(one.help.empty());
    CHECK_FALSE(one.group.empty());
    CHECK(names.insert(one.name).second);
    for (const Shortcut& shortcut : parse_shortcuts(one.keys)) {
      CHECK((shortcut.key == "?" || key_number(shortcut.key) >= 0));
    }
  }
}

TEST_CASE("gesture: a press becomes a drag after three pixels, before that it is a click") {
  Gesture gesture;
  CHECK(gesture.update(true, true, {10, 10}, GestureKind::kPan) == Gesture::Event::kNothing);
  CHECK(gesture.update(true, false, {12, 10}, GestureKind::kPan) == Gesture::Event::kNothing);
  CHECK_FALSE(gesture.dragging());
  CHECK(gesture.update(false, false, {12, 10}, GestureKind::kPan) == Gesture::Event::kClicked);

  gesture.update(true, true, {10, 10}, GestureKind::kPan);
  CHECK(gesture.update(true, false, {13, 10}, GestureKind::kPan) == Gesture::Event::kStarted);
  CHECK(gesture.delta().x == doctest::Approx(3));
  CHECK(gesture.update(true, false, {20, 10}, GestureKind::kPan) == Gesture::Event::kMoved);
  CHECK(gesture.update(false, false, {20, 10}, GestureKind::kPan) == Gesture::Event::kFinished);
}

TEST_CASE("gesture: a cancelled drag neither finishes nor clicks") {
  Gesture gesture;
  gesture.update(true, true, {0, 0}, GestureKind::kBox);
  gesture.update(true, false, {9, 9}, GestureKind::kBox);
  gesture.cancel();
  CHECK_FALSE(gesture.dragging());
  CHECK(gesture.update(true, false, {20, 9}, GestureKind::kBox) == Gesture::Event::kNothing);
  CHECK(gesture.update(false, false, {20, 9}, GestureKind::kBox) == Gesture::Event::kNothing);
}

TEST_CASE("query: words must all hold, and a wrong word is named") {
  ProblemInput input;
  const std::uint16_t weight = input.kind_index("weight");
  Buffer one;
  one.start = 0;
  one.end = 5;
  one.size = 2048;
  one.kind = weight;
  input.add("conv1", one);
  one.kind = 0;
  one.start = 5;
  one.end = 9;
  one.size = 64;
  input.add("Conv10", one);
  const auto problem = make_problem(std::move(input));
  REQUIRE(problem.has_value());
  const auto count = [&](const char* text) {
    return matched(*problem, text);
  };
  CHECK(count("life>=5") == 1);
  CHECK(count("life<5") == 2);
  CHECK(count("life=4") == 2);
  CHECK(count("space:memory") == 3);
  CHECK(count("op:conv") == 0);
  CHECK(count("is:pinned") == 0);
  CHECK(count("is:empty") == 0);
  CHECK_FALSE(BufferQuery::parse("life>x").has_value());
  CHECK_FALSE(BufferQuery::parse("is:green").has_value());
  CHECK(count("") == 3);
  CHECK(count("CONV") == 3);
  CHECK(count("weight") == 1);
  CHECK(count("kind:wei") == 1);
  CHECK(count("kind=wei") == 0);
  CHECK(count("kind=weight") == 1);
  CHECK(count("kind=\"weight\"") == 1);
  CHECK(count("!kind=weight") == 2);
  CHECK(count("op=") == 3);
  CHECK(count("row<1") == 1);
  CHECK(count("row%2=1") == 2);
  CHECK(count("at:cursor") == 3);
  CHECK(count("waste>=0") == 0);
  CHECK_FALSE(BufferQuery::parse("row%0=1").has_value());
  CHECK_FALSE(BufferQuery::parse("row%8").has_value());
  CHECK_FALSE(BufferQuery::parse("!size>x").has_value());
  CHECK(count("/conv[0-9]$/") == 1);
  CHECK(count("at:4") == 1);
  CHECK(count("at:5") == 2);
  CHECK(count("size>1KiB") == 1);
  CHECK(count("size<=64") == 2);
  CHECK(count("conv size<100") == 2);
  CHECK(count("conv nothing") == 0);
  const auto wrong = BufferQuery::parse("conv /a(/");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message.find("/a(/") != std::string::npos);
  CHECK_FALSE(BufferQuery::parse("at:x").has_value());
}

TEST_CASE("the find box: phrases and expressions may hold blanks, and expressions look at name, kind and op") {
  ProblemInput input;
  input.kinds = {"weight of a layer", "rest"};
  Buffer one;
  one.end = 4;
  one.size = 8;
  one.kind = 0;
  input.add("block 1 conv", one);
  one.kind = 1;
  Details details;
  details.op = "batch norm";
  input.add("1 block", one, details);
  const auto problem = make_problem(std::move(input));
  REQUIRE(problem.has_value());
  const auto count = [&](const char* text) {
    return matched(*problem, text);
  };
  CHECK(count("block 1") == 3);
  CHECK(count("\"block 1\"") == 1);
  CHECK(count("\"Block 1") == 1);  // not closed yet
  CHECK(count("\"block 1\" nothing") == 0);
  CHECK(count("\"at:9\"") == 0);  // a phrase is text
  CHECK(count("kind:\"of a\"") == 1);
  CHECK(count("kind:\"of a\" conv") == 1);
  CHECK(count("\"\"") == 3);
  CHECK(count("/block 1/") == 1);
  CHECK(count("/^1 b/ block") == 2);
  CHECK(count("/^weight of/") == 1);
  CHECK(count("/batch n.rm$/") == 2);
  CHECK(count("/block") == 0);
}

TEST_CASE("the find box: no expression takes long") {
  ProblemInput input;
  Buffer one;
  one.end = 4;
  one.size = 8;
  input.add(std::string(60, 'a') + "!", one);
  input.add(std::string(100'000, 'a'), one);
  const auto problem = make_problem(std::move(input));
  REQUIRE(problem.has_value());
  for (const char* text : {"/(a+)+$/", "/(a|aa)*b/", "/(a*)*b/"}) {
    CAPTURE(text);
    const auto query = BufferQuery::parse(text);
    REQUIRE(query.has_value());
    CHECK(query->may_take_long());
    CHECK(query->matches(*problem, 0, {}) == false);
    query->matches(*problem, 1, {});
  }
  CHECK_FALSE(BufferQuery::parse("/((a{50}){50}){50}/").has_value());
  CHECK_FALSE(BufferQuery::parse("/" + std::string(5'000, '(') + "/").has_value());
  CHECK(BufferQuery::parse("/a{2,3}b{4}/").has_value());
}
