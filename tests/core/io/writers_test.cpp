#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Ids that look like markup, commands and comments.
const std::string kOddIds =
    "id,lower,upper,size,alignment,offset\n</script><b>,0,3,64,1,0\na_{$}#,1,4,32,8,64\n*/x/*,3,5,64,1,0\n*/x/"
    "*,2,5,16,1,96\n";

Document read_back(const std::string& bytes, const std::string& format, const std::string& name) {
  const Document document = read_good(bytes, {}, name);
  CHECK(document.facts.format == format);
  return document;
}

}  // namespace

TEST_CASE("writers: a placement of idealloc holds times, sizes, alignments and offsets") {
  const Document document = read_good(kOddIds);
  const Document again = read_back(write_as(document, "plc"), "plc", "x.plc");
  REQUIRE(again.problem->size() == 4);
  CHECK(again.plans.at(0).offsets == document.plans.at(0).offsets);
  for (BufferIndex i = 0; i < 4; ++i) {
    CHECK((*again.problem)[i].start == (*document.problem)[i].start);
    CHECK((*again.problem)[i].end == (*document.problem)[i].end);
    CHECK((*again.problem)[i].size == (*document.problem)[i].size);
    CHECK((*again.problem)[i].alignment == (*document.problem)[i].alignment);
  }
  const Document numbered = read_good("id,lower,upper,size\n7,0,3,64\n9,1,2,8\n");
  CHECK(read_back(write_as(numbered, "plc"), "plc", "x.plc").problem->id(1) == "9");
  CHECK(read_back(write_as(numbered, "plc"), "plc", "x.plc").plans.empty());
  CHECK_FALSE(find_format("plc")->write(read_good("id,lower,upper,size\na,-1,3,64\n"), {}).has_value());
}

TEST_CASE("writers: a Chrome trace opens again as the same plan") {
  const Document document = read_good(kOddIds);
  const Document again = read_back(write_as(document, "chrome-trace"), "chrome-trace", "x.trace.json");
  CHECK(difference(*document.problem, *again.problem) == "");
  CHECK(again.plans.at(0).offsets == document.plans.at(0).offsets);
  CHECK(format_for_path("x.trace.json") == find_format("chrome-trace"));
  CHECK(format_for_path("x.json") == find_format("stowage-json"));
}

TEST_CASE("writers: a C header has one line a buffer, and ids cannot end its comments") {
  const std::string text = write_as(read_good(kOddIds), "c-header");
  CHECK(contains(text, "#define STOWAGE_TOTAL_SIZE 112ULL"));
  CHECK(contains(text, "#define STOWAGE_OFFSET_A_____ 64ULL /* a_{$}#: 32 bytes"));
  CHECK(contains(text, "#define STOWAGE_OFFSET___X__ 0ULL"));
  CHECK(contains(text, "#define STOWAGE_OFFSET___X___2 96ULL"));
  CHECK(contains(text, "#define STOWAGE_SIZE___X__ 64ULL"));
  CHECK_FALSE(contains(text, "*/x/*"));
  CHECK_FALSE(find_format("c-header")->write(read_good("id,lower,upper,size\na,0,3,64\n"), {}).has_value());
}

TEST_CASE("writers: a document without buffers opens again, or is refused") {
  const Document empty = read_good("id,lower,upper,size\n");
  for (const char* format : {"stowage-json", "minimalloc-csv", "stowage-trace", "chrome-trace"}) {
    CAPTURE(format);
    CHECK(read_back(write_as(empty, format), format, "x").problem->size() == 0);
  }
  const auto refused = find_format("plc")->write(empty, {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(contains(refused.error().message, "without a buffer it would be an empty file"));
}

TEST_CASE("writers: a TikZ picture has a rectangle for each buffer, and ids are text in it") {
  const std::string text = write_as(read_good(kOddIds), "tikz");
  std::size_t rectangles = 0;
  for (std::size_t at = text.find("rectangle"); at != std::string::npos; at = text.find("rectangle", at + 1))
    ++rectangles;
  CHECK(rectangles == 4);
  CHECK(contains(text, "a\\_\\{\\$\\}\\#"));
  CHECK(contains(text, "\\begin{tikzpicture}[x=1bp, y=1bp]"));
}

TEST_CASE("writers: a page holds its data, asks no network, and no id is markup") {
  const std::string text = write_as(read_good(kOddIds), "html-page");
  CHECK(contains(text, "\\u003C/script>\\u003Cb>"));
  CHECK_FALSE(contains(text, "</script><b>"));
  CHECK(contains(text, ",1,4,64,32,0,0,"));
  CHECK(contains(text, "default-src 'none'"));
  for (const std::string_view address : {"http://www.w3.org/2000/svg"}) CHECK(contains(text, address));
  CHECK_FALSE(contains(text, "https://"));
  CHECK_FALSE(contains(text, "src="));
}

TEST_CASE("writers: a trace names each of the buffers that share an id, so that it opens again") {
  const Document document = read_good(kOddIds);
  const Document again = read_back(write_as(document, "stowage-trace"), "stowage-trace", "x.trace");
  REQUIRE(again.problem->size() == 4);
  CHECK(again.problem->id(2) == "*/x/* (2)");  // a trace has them by their starts
  CHECK((*again.problem)[2].size == 16);
  CHECK((*again.problem)[3].size == 64);
}
