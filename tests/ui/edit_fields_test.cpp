#include "ui/edit_fields.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/ui/hand.h"
#include "tests/ui/opened_fields.h"

using namespace stowage;
using stowage::testing::Hand;
using stowage::testing::OpenedEditFields;

namespace {

Problem one_buffer() {
  ProblemInput input;
  Buffer b;
  b.start = 3;
  b.end = 9;
  b.size = 3 << 20;
  input.add("x", b);
  return make_problem(std::move(input)).value();
}

}  // namespace

TEST_CASE("what a field shows reads back as the same value") {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4096}, std::int64_t{4097},
                                  std::int64_t{1} << 20, (std::int64_t{1} << 40) + 1, kMaxInt64 / 4}) {
    ProblemInput input;
    Buffer b;
    b.end = 1;
    b.size = size;
    b.fixed = size;
    input.add("x", b);
    const Problem problem = make_problem(std::move(input)).value();
    const std::vector<BufferIndex> all = {0};
    for (const EditField field : {EditField::kSize, EditField::kFixed}) {
      const auto edits = field_edits(field, field_text(field, problem, 0), problem, all);
      REQUIRE(edits);
      CHECK(apply_edits(problem, *edits).value().problem[0] == problem[0]);
    }
  }
}

TEST_CASE("values that make no sense are refused in words") {
  const Problem problem = one_buffer();
  const std::vector<BufferIndex> all = {0};
  const auto why = [&](EditField field, const char* text) {
    const auto edits = field_edits(field, text, problem, all);
    return edits ? std::string() : edits.error().message;
  };
  CHECK(why(EditField::kSize, "1.5 KiB").empty());
  CHECK_FALSE(why(EditField::kSize, "-1").empty());
  CHECK_FALSE(why(EditField::kSize, "much").empty());
  CHECK_FALSE(why(EditField::kSize, "").empty());
  CHECK_FALSE(why(EditField::kAlignment, "0").empty());
  CHECK(why(EditField::kAlignment, "12").empty());
  CHECK(why(EditField::kStart, "10") == "x ends at 9, before that");
  CHECK(why(EditField::kEnd, "2") == "x starts at 3, after that");
  CHECK(why(EditField::kStart, "-4").empty());
  CHECK_FALSE(why(EditField::kStart, "4.5").empty());
  CHECK(why(EditField::kFixed, "0x1000").empty());
  CHECK(why(EditField::kFixed, "").empty());
  CHECK_FALSE(why(EditField::kFixed, "0xfffffffffffffffff").empty());
  CHECK_FALSE(why(EditField::kHint, "0x").empty());
  CHECK_FALSE(why(EditField::kName, " ").empty());
}

TEST_CASE("fields are there in edit mode only, and Enter commits what is typed as one entry") {
  OpenedEditFields one;
  one.select({0});
  REQUIRE(one.ui.has("edit.size"));
  one.enter("size", "1 MiB");
  CHECK(one.state().problem()[0].size == 1 << 20);
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Size of a");
  one.enter("end", "7");
  CHECK(one.state().problem()[0].end == 7);
  one.enter("name", "conv 1");
  CHECK(one.state().problem().id(0) == "conv 1");
  one.enter("kind", "weight");
  CHECK(one.state().problem().kind(0) == "weight");
  one.enter("alignment", "64");
  CHECK(one.state().problem()[0].alignment == 64);
  one.enter("fixed", "0x40");
  CHECK(one.state().problem()[0].fixed == 64);
  CHECK(one.state().offsets()[0] == 64);
  one.enter("hint", "128");
  REQUIRE(one.state().problem().details(0) != nullptr);
  CHECK(one.state().problem().details(0)->hint == 128);
  one.enter("space", "host");
  CHECK(one.state().problem().spaces().size() == 2);
  CHECK(one.entries() == 9);
  one.ui.press("E");
  one.ui.frames(2);
  CHECK_FALSE(one.ui.has("edit.size"));
}

TEST_CASE("leaving a field commits it, Escape does not, and the same text changes nothing") {
  OpenedEditFields one;
  one.select({0});
  one.write("size", "64");
  CHECK(one.state().problem()[0].size == 4);
  one.ui.click("edit.name");
  one.ui.frames(2);
  CHECK(one.state().problem()[0].size == 64);
  CHECK(one.entries() == 2);
  one.write("size", "128");
  one.ui.press("Escape");
  one.ui.click("edit.name");
  one.ui.press("Enter");
  CHECK(one.state().problem()[0].size == 64);
  CHECK(one.entries() == 2);
}

TEST_CASE("an error stands below its field and nothing has changed") {
  OpenedEditFields one;
  one.select({0});
  one.enter("size", "large");
  CHECK(one.ui.has("edit.size.error"));
  CHECK(one.state().problem()[0].size == 4);
  CHECK(one.entries() == 1);
  one.enter("size", "32");
  CHECK_FALSE(one.ui.has("edit.size.error"));
  CHECK(one.state().problem()[0].size == 32);
  // What only the whole problem can refuse is said in the same place.
  one.enter("size", "9223372036854775807");
  CHECK(one.ui.has("edit.size.error"));
  CHECK(one.entries() == 2);
}

TEST_CASE("several selected buffers are set together, and differing values are shown as mixed") {
  OpenedEditFields one;
  one.select({0, 1, 2});
  CHECK_FALSE(one.ui.has("edit.name"));
  CHECK(one.state().part<EditFields>().fields[static_cast<std::size_t>(EditField::kSize)].mixed);
  CHECK_FALSE(one.state().part<EditFields>().fields[static_cast<std::size_t>(EditField::kAlignment)].mixed);
  one.ui.click("edit.size");
  one.ui.press("Enter");  // untouched: nothing
  CHECK(one.entries() == 1);
  one.enter("size", "2 KiB");
  for (BufferIndex i = 0; i < 3; ++i) CHECK(one.state().problem()[i].size == 2048);
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Size of 3 buffers");
  one.enter("end", "2");  // c starts at 4
  CHECK(one.ui.has("edit.end.error"));
  CHECK(one.entries() == 2);
}

TEST_CASE("the inspector's buttons add, copy, split, merge, pin and delete") {
  OpenedEditFields one;
  one.select({0});
  one.ui.click("edit.add_buffer");
  REQUIRE(one.state().problem().size() == 7);
  CHECK(one.state().problem()[6].start == one.state().problem()[0].end);
  CHECK(one.state().selection == std::vector<BufferIndex>{6});
  one.select({0});
  one.ui.click("edit.duplicate");
  REQUIRE(one.state().problem().size() == 8);
  CHECK(one.state().problem().id(7) == "a 2");
  one.select({0});
  one.ui.click("edit.split_lifetime");
  REQUIRE(one.state().problem().gaps(0).size() == 1);
  CHECK(one.state().problem().gaps(0)[0] == Gap{2, 4, std::nullopt});
  one.ui.click("edit.pin");
  CHECK(one.state().problem()[0].is_fixed());
  one.ui.click("edit.pin");
  CHECK_FALSE(one.state().problem()[0].is_fixed());
  one.select({1, 2});
  one.ui.click("edit.merge_buffers");
  CHECK(one.state().problem().size() == 7);
  CHECK(one.state().problem()[1].end == 9);
  one.ui.click("edit.remove_buffers");
  CHECK(one.state().problem().size() == 6);
  CHECK(one.entries() == 8);
  for (int k = 0; k < 7; ++k) one.ui.press("Ctrl+Z");
  CHECK(one.state().problem().size() == 6);
  CHECK(one.state().problem().id(1) == "b");
}

TEST_CASE("undo inside a field takes back what was typed there now, nothing from before it was left") {
  OpenedEditFields one;
  one.select({0});
  one.write("name", "a name that is far longer than the others");
  for (int k = 0; k < 3; ++k) one.ui.press("Backspace");
  one.ui.press("Enter");
  one.ui.frames(3);
  REQUIRE(one.state().problem().id(0) == "a name that is far longer than the oth");
  one.select({1});
  one.ui.click("edit.name");
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  one.ui.press("Enter");
  one.ui.frames(3);
  CHECK(one.state().problem().id(1) == "b");
}

TEST_CASE("the capacity is a field beside the plan: units, nothing, one entry each, and the issues follow") {
  OpenedEditFields one;
  CHECK_FALSE(one.state().problem().capacity());
  one.enter("capacity", "12");  // the load is 13
  CHECK(one.state().problem().capacity() == 12);
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Capacity");
  REQUIRE(one.ui.settle());
  CHECK(name_of(one.state().shown_facts()->report.issues.front().kind) == "over-capacity");
  const auto on_the_chart = [&] {
    const std::vector<DrawItem>& items = one.state().map.scene.items;
    return std::any_of(items.begin(), items.end(), [](const DrawItem& item) {
      const auto* words = std::get_if<draw::Text>(&item);
      return words != nullptr && words->text.find("capacity") != std::string::npos;
    });
  };
  CHECK(on_the_chart());
  one.enter("capacity", "1.5 KiB");
  REQUIRE(one.ui.settle());
  CHECK(one.state().problem().capacity() == 1536);
  CHECK(one.state().shown_facts()->report.valid());
  one.enter("capacity", "as much as there is");
  CHECK(one.ui.has("edit.capacity.error"));
  CHECK(one.state().problem().capacity() == 1536);
  CHECK(one.entries() == 3);
  one.enter("capacity", "none");
  CHECK_FALSE(one.ui.has("edit.capacity.error"));
  CHECK_FALSE(one.state().problem().capacity());
  CHECK_FALSE(on_the_chart());
  one.ui.press("Ctrl+Z");
  one.ui.press("Ctrl+Z");
  CHECK(one.state().problem().capacity() == 12);
  one.ui.press("E");
  one.ui.frames(2);
  CHECK_FALSE(one.ui.has("edit.capacity"));
}

TEST_CASE("each of several spaces has its own capacity in the field, the one that is shown") {
  OpenedEditFields one(R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"host"}],
    "buffers":[{"id":"a","lower":0,"upper":6,"size":8,"space":"device"},
               {"id":"b","lower":2,"upper":4,"size":8,"space":"host"}]}})");
  REQUIRE(one.state().problem().spaces().size() == 2);
  one.state().push(action::SetSpace{1});
  one.ui.frames(3);
  one.enter("capacity", "4 KiB");
  CHECK_FALSE(one.state().problem().capacity(0));
  CHECK(one.state().problem().capacity(1) == 4096);
  CHECK(one.state().editing.history[1].label == "Capacity of host");
  one.state().push(action::SetSpace{0});
  one.ui.frames(3);
  one.enter("capacity", "64");
  CHECK(one.state().problem().capacity(0) == 64);
  CHECK(one.state().problem().capacity(1) == 4096);
  one.enter("capacity", "");
  CHECK_FALSE(one.state().problem().capacity(0));
  CHECK(one.state().problem().capacity(1) == 4096);
  CHECK(one.entries() == 4);
}

TEST_CASE("gaps are a field: typed, changed, cleared, each one entry; what cannot be is said below") {
  OpenedEditFields one;
  one.select({2});  // c, 4 to 9
  one.enter("gaps", "7-8, 5 - 6");
  const auto gaps = [&] {
    const auto held = one.state().problem().gaps(2);
    return std::vector<Gap>(held.begin(), held.end());
  };
  CHECK(gaps() == std::vector<Gap>{{5, 6, std::nullopt}, {7, 8, std::nullopt}});
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Gaps of c");
  const auto refused = [&](const char* text) {
    one.enter("gaps", text);
    CHECK(one.entries() == 2);
    return one.ui.has("edit.gaps.error") ? one.state().ui.words["edit.gaps.error"] : std::string();
  };
  CHECK(refused("5-6, soon") == "Steps, for example 4-6, 9-11, or nothing; not \"soon\"");
  CHECK(refused("6-5") == "The gap 6-5 is over before it begins");
  CHECK(refused("1-3").find("is not inside the lifetime [4, 9)") != std::string::npos);
  CHECK(refused("5-7, 6-8").find("overlaps") != std::string::npos);
  CHECK(gaps().size() == 2);
  one.enter("gaps", "");
  CHECK(gaps().empty());
  CHECK(one.entries() == 3);
  one.ui.press("Ctrl+Z");
  CHECK(gaps().size() == 2);
}

TEST_CASE("windows of gaps stand in the field and stay when another gap is typed") {
  OpenedEditFields one("id,lower,upper,size,gaps\na,0,20,64,4-6@0:16\nb,0,20,8,\n");
  one.select({0});
  const auto shown = [&] {
    return one.state().part<EditFields>().fields[static_cast<std::size_t>(EditField::kGaps)].text;
  };
  REQUIRE(shown() == "4-6@0:16");
  one.enter("gaps", "4-6@0:16, 9-11");
  REQUIRE(one.state().problem().gaps(0).size() == 2);
  CHECK(one.state().problem().gaps(0)[0] == Gap{4, 6, Window{0, 16}});
  CHECK(one.state().problem().gaps(0)[1] == Gap{9, 11, std::nullopt});
  CHECK(shown() == "4-6@0:16, 9-11");
}

TEST_CASE("the keys go to the first field, and on from there") {
  OpenedEditFields one;
  one.select({0});
  one.ui.press("Ctrl+I");  // also where the inspector is hidden
  one.state().later(focus_first_field);
  one.ui.frames(6);
  REQUIRE(one.ui.has("edit.name"));
  one.ui.type("first");
  one.ui.press("Enter");
  one.ui.frames(2);
  CHECK(one.state().problem().id(0) == "first");
  CHECK(one.entries() == 2);
}

TEST_CASE("Ctrl+A selects what the filter shows") {
  OpenedEditFields one;
  one.state().push(action::SetQuery{"size>5"});
  one.ui.frames(3);
  one.ui.press("Ctrl+A");
  std::vector<BufferIndex> chosen = one.state().selection;
  std::sort(chosen.begin(), chosen.end());
  CHECK(chosen == std::vector<BufferIndex>{2, 4});
}

TEST_CASE("in a plan of the file a new buffer is placed where it fits") {
  OpenedEditFields one("id,lower,upper,size,offset\na,0,6,8,0\nb,2,4,8,8\n");
  REQUIRE(one.state().shown_plan == "file");
  one.select({0});
  one.ui.press("Ctrl+D");
  REQUIRE(one.state().problem().size() == 3);
  CHECK(one.state().shown_plan == "hand");
  CHECK(one.state().offsets()[2] == 16);
  CHECK(one.state().shown_facts()->report.valid());
  CHECK(one.entries() == 2);
  one.ui.press("Ctrl+Z");
  CHECK(one.state().shown_plan == "file");
}
