#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

const std::string kColumns = "id,lower,upper,size\n";

std::ptrdiff_t lines_of(const std::string& text) {
  return 1 + std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("CSV: a number that is no 64-bit decimal integer is an error that names line, column and cell") {
  for (const char* cell : {"0.5", "128.0", "1e3", "0x10", "NaN", "ten", "-", "+-1", "1_000", "1 000"}) {
    const std::string message = read_error(kColumns + "a,0,4," + cell + "\n");
    CHECK(message == std::string("model.csv:2: size is \"") + cell + "\", not an integer");
  }
  CHECK(contains(read_error(kColumns + "a,0,4,9223372036854775808\n"),
                 "model.csv:2: size is \"9223372036854775808\", outside"));
  CHECK(contains(read_error(kColumns + "a,-9223372036854775809,4,1\n"), "model.csv:2: lower is"));
  CHECK(contains(read_error(kColumns + "a,0,,1\n"), "model.csv:2: upper is empty"));
}

TEST_CASE("CSV: faults of the gate come with the line of the row") {
  CHECK(contains(read_error(kColumns + "a,0,4,1\n\nb,5,3,1\n"),
                 "model.csv:4: lifetime ends at 3, before it starts at 5"));
  CHECK(contains(read_error(kColumns + "a,0,4,-20\n"), "model.csv:2: size -20 is negative"));
  CHECK(contains(read_error("id,lower,upper,size,alignment\na,0,4,1,0\n"), "model.csv:2: alignment 0 is below 1"));
  CHECK(contains(read_error("id,lower,upper,size,gaps\na,0,4,1,3-9\n"), "model.csv:2: gap 3-9 is not inside"));
  CHECK(contains(read_error("id,lower,upper,size,gaps\na,0,4,1,1-2 x\n"), "model.csv:2: gap \"x\" is not"));
  for (const char* gap :
       {"1", "1-", "-1", "1-2@", "1-2@3", "1-2@3:", "1-2@3:4:5", "1-2-3", "1--", "--1-2", "1-2@3:4x"}) {
    CHECK(contains(read_error(std::string("id,lower,upper,size,gaps\na,-9,9,9,") + gap + "\n"), "model.csv:2: gap"));
  }
}

TEST_CASE("CSV: sums and ends above 2^63-1 are errors, never a wrap") {
  const std::string big = "4611686018427387904";
  const std::string sum = read_error(kColumns + "a,0,4," + big + "\nb,5,6," + big + "\n");
  CHECK(contains(sum, "model.csv:3: the sum of all sizes"));
  const std::string end = read_error("id,lower,upper,size,offset\na,0,4,16,9223372036854775800\n");
  CHECK(end == "model.csv:2: offset 9223372036854775800 plus size 16 is above 2^63-1");
  CHECK(contains(read_error("id,lower,upper,size,fixed\na,0,4,16,9223372036854775800\n"), "model.csv:2: fixed offset"));
  CHECK(contains(read_error("id,lower,end,size\na,0,9223372036854775807,16\n"),
                 "model.csv:2: upper is 9223372036854775807"));
  CHECK(contains(read_error("id,lower,upper,size,offset\na,0,4,16,-9223372036854775808\n"), "no address"));
}

TEST_CASE("CSV: a missing or doubled column is named") {
  CHECK(contains(read_error("id,lower,size\na,0,10\n"), "model.csv:1: missing column \"upper\""));
  CHECK(contains(read_error("lower,upper,size\n0,1,10\n"), "missing column \"id\""));
  CHECK(contains(read_error("id,lower,start,upper,size\na,0,0,1,10\n"), "\"lower\" and \"start\" mean the same"));
  CHECK(contains(read_error("id;lower;upper;size\na;0;1;10\n"), "separated by commas"));
  CHECK(contains(read_error("1,2,3\n"), "no header"));
}

TEST_CASE("CSV: short and long rows and unclosed quotes") {
  CHECK(contains(read_error(kColumns + "a,0,4\n"), "model.csv:2: the row has 3 cells, the header has 4"));
  CHECK(contains(read_error(kColumns + "a,0,4,1,\n"), "model.csv:2: the row has 5 cells, the header has 4"));
  CHECK(contains(read_error(kColumns + "\"a,0,4,10\nb,2,6,20\n"), "model.csv:2: the quote that opens"));
  CHECK(contains(read_error(kColumns + "\"a\"b,0,4,10\n"), "model.csv:2: text between a closing quote"));
  CHECK(contains(read_error(kColumns + "\"x\ny\",0,4\n\"z,0,1,1\n"), "model.csv:4: the quote that opens"));
}

TEST_CASE("CSV: all errors are listed in the order of the lines, at most twenty") {
  const std::string three = read_error(kColumns + "a,5,3,1\nb,x,3,1\nc,0,3,-1\n");
  CHECK(lines_of(three) == 3);
  CHECK(three.find("model.csv:2:") < three.find("model.csv:3:"));
  CHECK(three.find("model.csv:3:") < three.find("model.csv:4:"));

  std::string text = kColumns;
  for (int i = 0; i < 100; ++i) text += i % 2 == 0 ? "a,5,3,1\n" : "b,x,3,1\n";
  const std::string many = read_error(text);
  CHECK(lines_of(many) == 21);
  for (int line = 2; line < 22; ++line) CHECK(contains(many, "model.csv:" + std::to_string(line) + ": "));
  CHECK(contains(many, "and 80 more"));
}

TEST_CASE("CSV: --lenient leaves bad rows out and lists each") {
  ReadOptions lenient;
  lenient.lenient = true;
  const Document document = read_good(
      "id,lower,upper,size,offset\na,0,4,10,0\nb,5,3,1,7\nc,x,3,1,8\n\"d\"!,0,1,1,9\nf,0,1,5,9223372036854775807\ne,2,"
      "6,20,10\n",
      lenient);
  CHECK(document.problem->size() == 2);
  CHECK(document.problem->id(1) == "e");
  CHECK(document.plans.at(0).offsets == std::vector<std::int64_t>{0, 10});
  for (const char* line : {"model.csv:3:", "model.csv:4:", "model.csv:5:", "model.csv:6:"})
    CHECK(has_warning(document, line));
}

TEST_CASE("CSV: --lenient lists more than twenty rows and keeps what fits of a sum") {
  ReadOptions lenient;
  lenient.lenient = true;
  std::string text = kColumns;
  for (int i = 0; i < 50; ++i) text += "a" + std::to_string(i) + ",0,1,4611686018427387904\n";
  const Document document = read_good(text, lenient);
  CHECK(document.problem->size() == 1);
  CHECK(document.facts.warnings.size() == 49);
}

TEST_CASE("CSV: --lenient goes on after an unclosed quote in the next line") {
  ReadOptions lenient;
  lenient.lenient = true;
  const Document document = read_good(kColumns + "\"a,0,4,10\nb,2,6,20\n", lenient);
  CHECK(document.problem->size() == 1);
  CHECK(document.problem->id(0) == "b");
}

TEST_CASE("CSV: messages are printable and short whatever the cell holds") {
  const std::string message = read_error(kColumns + "a,0,4,\"" + std::string(10000, 'x') + "\xFF\n\"\n");
  CHECK(message.size() < 200);
  CHECK(lines_of(message) == 1);
}

TEST_CASE("CSV: a header of a million columns is refused, and never written") {
  CHECK(contains(read_error("id,lower,upper,size" + std::string(1'000'000, ',') + "\n"), "1000004 columns"));
  std::string text = R"({"buffers":[)";
  for (int i = 0; i < 1200; ++i) {
    text += i == 0 ? "" : ",";
    text += R"({"id":"a","lower":0,"upper":1,"size":1,"k)" + std::to_string(i) + "\":1}";
  }
  const auto bytes = find_format("minimalloc-csv")->write(read_good(text + "]}"), {});
  REQUIRE_FALSE(bytes.has_value());
  CHECK(contains(bytes.error().message, "too many different unknown keys"));
}
