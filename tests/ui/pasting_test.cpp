#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/ui/opened_fields.h"

using namespace stowage;
using stowage::testing::OpenedEditFields;

TEST_CASE("pasted text adds its buffers as one entry, whatever its columns are called") {
  OpenedEditFields one;
  one.ui.host.clipboard = "id,lower,upper,size,alignment,kind\nnew one,3,5,1000,8,weight\na,0,2,7,1,\n";
  one.ui.press("Ctrl+V");
  REQUIRE(one.state().problem().size() == 8);
  CHECK(one.state().problem().id(6) == "new one");
  CHECK(one.state().problem()[6].alignment == 8);
  CHECK(one.state().problem().kind(6) == "weight");
  CHECK(one.state().problem().id(7) == "a 2");
  CHECK(one.state().selection == std::vector<BufferIndex>{6, 7});
  CHECK(one.entries() == 2);
  // Cells of a spreadsheet come with tabs.
  one.ui.host.clipboard = "id\tlower\tupper\tsize\nt\t0\t1\t5\n";
  one.ui.press("Ctrl+V");
  CHECK(one.state().problem().size() == 9);
}

TEST_CASE("what cannot be pasted is said with its line, and nothing has changed") {
  OpenedEditFields one;
  one.ui.host.clipboard = "id,lower,upper,size\nx,0,2,5\ny,4,2,5\n";
  one.ui.press("Ctrl+V");
  CHECK(one.state().problem().size() == 6);
  CHECK(one.entries() == 1);
  REQUIRE_FALSE(one.state().notices.empty());
  CHECK(one.state().notices.back().error);
  CHECK(one.state().notices.back().text.find("3") != std::string::npos);
  one.ui.host.clipboard.clear();
  one.ui.press("Ctrl+V");
  CHECK(one.entries() == 1);
}

TEST_CASE("copies of buffers can be pasted, names with commas and quotes too") {
  OpenedEditFields one("id,lower,upper,size\n\"q\"\"x, y\",0,4,16\nplain,0,2,8\n");
  one.ui.press("Ctrl+A");
  CHECK(one.state().selection.size() == 2);
  one.ui.press("Ctrl+C");
  one.ui.press("Ctrl+V");
  REQUIRE(one.state().problem().size() == 4);
  CHECK(one.state().problem().id(2) == "q\"x, y 2");
}

TEST_CASE("copies keep kind, space and gaps, and what is not placed does not become a pin") {
  OpenedEditFields one(
      R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"host"}],"buffers":[
    {"id":"a","lower":0,"upper":6,"size":8,"kind":"weight","space":"host","gaps":[{"lower":2,"upper":4}]},
    {"id":"b","lower":0,"upper":6,"size":8,"space":"device","fixed":64},
    {"id":"c","lower":0,"upper":6,"size":8,"space":"device"}]},
    "plans":[{"id":"p","allocator":"file","offsets":{"a":0,"b":64}}]})");
  one.ui.press("Ctrl+A");
  one.ui.press("Ctrl+C");
  one.ui.press("Ctrl+V");
  const Problem& problem = one.state().problem();
  REQUIRE(problem.size() == 6);
  for (BufferIndex i = 3; i < 6; ++i) CHECK_FALSE(problem[i].is_fixed());
  BufferIndex copy = 3;
  while (copy < 6 && problem.id(copy) != "a 2") ++copy;
  REQUIRE(copy < 6);
  CHECK(problem.kind(copy) == "weight");
  CHECK(problem.spaces()[problem[copy].space].id == "host");
  REQUIRE(problem.gaps(copy).size() == 1);
  CHECK(problem.gaps(copy)[0] == Gap{2, 4, std::nullopt});
}

TEST_CASE("cells of a spreadsheet may hold commas, quotes and line ends") {
  OpenedEditFields one;
  one.ui.host.clipboard =
      "id\tlower\tupper\tsize\tkind\r\nx, y\t0\t 1\t5\tweight\r\n\"two\n\"\"lines\"\"\"\t0\t1\t7\t\r\n";
  one.ui.press("Ctrl+V");
  const Problem& problem = one.state().problem();
  REQUIRE(problem.size() == 8);
  CHECK(problem.id(6) == "x, y");
  CHECK(problem.kind(6) == "weight");
  CHECK(problem.id(7) == "two\n\"lines\"");
  CHECK(problem[7].size == 7);
}

TEST_CASE("rubbish on the clipboard is refused in words, and nothing has changed") {
  OpenedEditFields one;
  const std::vector<std::string> rubbish = {"hello",
                                            "a line of prose, with a comma\nand another",
                                            "\t\t\t\n\t",
                                            "{\t\"buffers\": 7}",
                                            "[1,2",
                                            "id,lower,upper,size\n",
                                            "id,lower,upper,size\nx,0,9223372036854775807,9223372036854775807\n",
                                            std::string("PK\x03\x04\0\0", 6)};
  for (const std::string& text : rubbish) {
    CAPTURE(text);
    one.state().notices.clear();
    one.ui.host.clipboard = text;
    one.ui.press("Ctrl+V");
    one.ui.frames(2);
    CHECK(one.state().problem().size() == 6);
    CHECK(one.entries() == 1);
    REQUIRE_FALSE(one.state().notices.empty());
    CHECK(one.state().notices.back().error);
  }
}

TEST_CASE("buffers of different spaces cannot be merged, and the button says why") {
  OpenedEditFields one(R"({"format":"stowage","version":1,"problem":{"spaces":[{"id":"device"},{"id":"host"}],
    "buffers":[{"id":"a","lower":0,"upper":6,"size":8,"space":"device"},
               {"id":"b","lower":2,"upper":4,"size":8,"space":"host"}]}})");
  one.select({0, 1});
  CHECK(why_disabled(one.state(), CommandId::merge_buffers) == "they lie in different memory spaces");
}

TEST_CASE("splitting names what it has split: one of several that are long enough") {
  OpenedEditFields one("id,lower,upper,size\nshort,0,2,4\nlong,0,9,8\n");
  one.select({0, 1});
  one.ui.click("edit.split_lifetime");
  CHECK(one.entries() == 2);
  CHECK(one.state().editing.history[1].label == "Split long");
  CHECK(one.state().problem().gaps(0).empty());
  CHECK(one.state().problem().gaps(1).size() == 1);
  // What is left of it can be split again, but not for ever.
  for (int k = 0; k < 6 && why_disabled(one.state(), CommandId::split_lifetime).empty(); ++k) {
    one.ui.click("edit.split_lifetime");
  }
  CHECK_FALSE(why_disabled(one.state(), CommandId::split_lifetime).empty());
  CHECK(one.state().problem()[1].lifetime() == 9);
}

TEST_CASE("several buffers with different values lose them by the word that an empty field shows") {
  OpenedEditFields one("id,lower,upper,size,gaps,hint,fixed\na,0,6,4,2-3,8,0\nb,0,6,5,3-4,16,4\nc,0,6,6,,,\n");
  one.select({0, 1, 2});
  one.enter("gaps", "none");
  one.enter("hint", "None");
  one.enter("fixed", "free");
  for (BufferIndex i = 0; i < 3; ++i) {
    CHECK(one.state().problem().gaps(i).empty());
    CHECK_FALSE(one.state().problem()[i].is_fixed());
    const Details* details = one.state().problem().details(i);
    CHECK((details == nullptr || !details->hint));
  }
  CHECK(one.entries() == 4);
}
