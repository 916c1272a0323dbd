#include <string>

#include <doctest/doctest.h>

#include "core/document/losses.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr const char* kToy =
    "id,lower,upper,size,offset\n"
    "a,0,3,64,0\n"
    "b,1,4,32,64\n"
    "c,3,5,64,0\n"
    "d,2,5,16,96\n";

std::int64_t load(const Document& document) {
  return document.problem->sections().load();
}

ReadOptions with_times(TimeRule times) {
  ReadOptions options;
  options.times = times;
  return options;
}

}  // namespace

TEST_CASE("CSV: times of several threads are clocks, and a first line may say where the pool begins") {
  const std::string text =
      "# pool_offset=4096\r\nid,lower,upper,size\r\na,0:0,2:1,10\r\nb,2:1,4:4,20\r\nc,2:0,4:1,5\r\n";
  const Document document = read_good(text);
  const Problem& problem = *document.problem;
  CHECK(problem.spaces()[0].base == 4096);
  REQUIRE(problem.clock(1) != nullptr);
  CHECK(*problem.clock(1) == Clock{{2, 1}, {4, 4}});
  CHECK(problem[1].start == 3);
  CHECK(problem[1].end == 8);
  CHECK(problem.needs().clocks);
  const Document again = read_good(write_as(document, "minimalloc-csv"));
  CHECK(again.problem->spaces()[0].base == 4096);
  for (BufferIndex i = 0; i < 3; ++i) CHECK(*again.problem->clock(i) == *problem.clock(i));

  CHECK(read_error("id,lower,upper,size\na,0:0,2,1\n").find("model.csv:2: ") == 0);
  CHECK(read_error("id,lower,upper,size\na,0:0,2:1,1\nb,0,2,1\n").find("times have 1 components here, 2 in the rows") !=
        std::string::npos);
  CHECK(read_error("id,lower,upper,size\na,0:3,2:1,1\n").find("component 1 ends at 1, before it starts at 3") !=
        std::string::npos);
  CHECK(read_error("id,lower,upper,size\na,0:x,2:1,1\n").find("not an integer") != std::string::npos);
}

TEST_CASE("CSV: what a row cannot hold is not lost in silence") {
  ProblemInput input;
  Buffer b;
  b.end = 4;
  b.size = 8;
  input.add("a", b);
  input.add("b", b);
  input.constraints.colocations = {{0, 1}};
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(input).value());
  const auto written = find_format("minimalloc-csv")->write(document, {});
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().message.find("colocated") != std::string::npos);
}

TEST_CASE("CSV: the toy problem has load 112, makespan 112 and no violation") {
  const Document document = read_good(kToy);
  CHECK(load(document) == 112);
  REQUIRE(document.plans.size() == 1);
  CHECK(document.plans[0].offsets == std::vector<std::int64_t>{0, 64, 0, 96});
  CHECK(measure(*document.problem, measure(*document.problem), document.plans[0]).makespan == 112);
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
  CHECK_FALSE(document.problem->has_fixed());
  CHECK(document.facts.format == "minimalloc-csv");
  CHECK(document.facts.times == "half-open");
  CHECK(document.facts.offsets == "plan");
  CHECK(document.facts.warnings.empty());
}

TEST_CASE("CSV: a column named end is inclusive, and the one is added once") {
  const std::string text = "id,start,end,size\na,0,2,64\nb,1,3,32\nc,3,4,64\nd,2,4,16\n";
  CHECK(load(read_good(text)) == 112);
  CHECK(read_good(text).facts.times == "closed");
  CHECK(load(read_good(text, with_times(TimeRule::kClosed))) == 112);
  CHECK((*read_good(text).problem)[0].end == 3);
  CHECK((*read_good(text, with_times(TimeRule::kHalfOpen)).problem)[0].end == 2);
}

TEST_CASE("CSV: --times closed adds one to upper, open and half-open take it as it is") {
  CHECK((*read_good(kToy, with_times(TimeRule::kClosed)).problem)[0].end == 4);
  CHECK(load(read_good(kToy, with_times(TimeRule::kClosed))) == 176);
  CHECK((*read_good(kToy, with_times(TimeRule::kOpen)).problem)[0].end == 3);
  CHECK(read_good(kToy, with_times(TimeRule::kOpen)).facts.times == "open");
  CHECK((*read_good(kToy, with_times(TimeRule::kHalfOpen)).problem)[0].end == 3);
}

TEST_CASE("CSV: every alias of a header, columns in any order") {
  for (const char* id : {"id", "buffer", "buffer_id"}) {
    for (const char* lower : {"lower", "begin", "start"}) {
      for (const char* upper : {"upper", "end"}) {
        const std::string text = std::string("size,") + upper + "," + id + "," + lower + "\n8,5,x,2\n";
        CAPTURE(text);
        const Document document = read_good(text);
        CHECK(document.problem->id(0) == "x");
        CHECK((*document.problem)[0].start == 2);
        CHECK((*document.problem)[0].end == (std::string(upper) == "end" ? 6 : 5));
        CHECK((*document.problem)[0].size == 8);
      }
    }
  }
}

TEST_CASE("CSV: gaps with negative times, windows, and inclusive ends under end") {
  const Document document = read_good(
      "id,lower,upper,size,gaps\n"
      "a,-9,9,64,-5--2 1-3@8:32\n");
  const auto gaps = document.problem->gaps(0);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0] == Gap{-5, -2, {}});
  CHECK(gaps[1] == Gap{1, 3, Window{8, 32}});
  const Document closed = read_good("id,lower,end,size,gaps\na,0,9,64,1-2@0:4\n");
  CHECK(closed.problem->gaps(0)[0] == Gap{1, 3, Window{0, 4}});
}

TEST_CASE("CSV: optional columns, empty cells and the hint that means none") {
  const Document document = read_good(
      "id,lower,upper,size,alignment,hint,category,space,op,source,requested\n"
      "a,0,1,8,16,-1,weight,device,conv,x.py:3,7\n"
      "b,0,1,8,,32,,host,,,\n"
      "c,0,1,8,,0,weight,device,,,\n");
  const Problem& problem = *document.problem;
  CHECK(problem[0].alignment == 16);
  CHECK(problem[1].alignment == 1);
  CHECK_FALSE(problem.details(0)->hint.has_value());
  CHECK(problem.details(1)->hint == 32);
  CHECK(problem.details(2)->hint == 0);
  CHECK(problem.kind(0) == "weight");
  CHECK(problem.kind(1).empty());
  CHECK(problem[0].kind == problem[2].kind);
  CHECK(problem.spaces()[problem[1].space].id == "host");
  CHECK(problem.spaces().size() == 2);
  CHECK(problem.details(0)->op == "conv");
  CHECK(problem.details(0)->source == "x.py:3");
  CHECK(problem.details(0)->requested == 7);
}

TEST_CASE("CSV: offsets in some rows are pins, in all rows a plan; --offsets overrides") {
  const std::string some = "id,lower,upper,size,offset\nr,0,9,64,192\na,0,3,80,\n";
  const Document pins = read_good(some);
  CHECK(pins.facts.offsets == "pins");
  CHECK(pins.plans.empty());
  CHECK((*pins.problem)[0].fixed == 192);
  CHECK_FALSE((*pins.problem)[1].is_fixed());

  ReadOptions options;
  options.offsets = OffsetRule::kPlan;
  const Document plan = read_good(some, options);
  REQUIRE(plan.plans.size() == 1);
  CHECK(plan.plans[0].offsets == std::vector<std::int64_t>{192, kNoOffset});
  CHECK_FALSE(plan.problem->has_fixed());

  options.offsets = OffsetRule::kPins;
  const Document pinned = read_good(kToy, options);
  CHECK(pinned.plans.empty());
  CHECK((*pinned.problem)[3].fixed == 96);
  CHECK(read_good("id,lower,upper,size,offset\na,0,1,2,\n").facts.offsets == "none");
}

TEST_CASE("CSV: a fixed column decides what is pinned, offset is then a plan") {
  const Document document = read_good("id,lower,upper,size,offset,fixed\na,0,3,64,0,0\nb,1,4,32,64,\n");
  REQUIRE(document.plans.size() == 1);
  CHECK(document.plans[0].offsets == std::vector<std::int64_t>{0, 64});
  CHECK((*document.problem)[0].fixed == 0);
  CHECK_FALSE((*document.problem)[1].is_fixed());
}

TEST_CASE("CSV: byte order mark, every kind of line end, blank lines, no last line end") {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string e = end;
    const Document document =
        read_good("\xEF\xBB\xBFid,lower,upper,size" + e + e + "a,0,4,10" + e + " \t" + e + "b,2,6,20");
    CHECK(document.problem->size() == 2);
    CHECK(load(document) == 30);
    CHECK(has_warning(document, "byte order mark"));
    CHECK(has_warning(document, "model.csv:2: blank line"));
    CHECK(has_warning(document, "model.csv:4: blank line"));
    CHECK(has_warning(document, "CR LF") == (e == "\r\n"));
    CHECK(has_warning(document, "CR alone") == (e == "\r"));
  }
}

TEST_CASE("CSV: padded cells, plus signs and leading zeros are decimal") {
  const Document document = read_good("id , lower, upper ,size\na, +0 , 4,10 \nb,2,6,020\n");
  CHECK(load(document) == 30);
  CHECK(document.problem->id(0) == "a");
}

TEST_CASE("CSV: quotes as in RFC 4180; inside an unquoted cell they are characters") {
  const Document document = read_good(
      "id,lower,upper,size\n"
      "\"a,b\",0,4,10\n"
      "\"say \"\"hi\"\"\" ,0,4,\"10\"\n"
      "=HYPERLINK(\"http://x\"),0,4,10\n"
      "\" padded \",0,4,10\n"
      "\"two\nlines\",0,4,10\n"
      "\"\",0,4,10\n");
  CHECK(document.problem->id(0) == "a,b");
  CHECK(document.problem->id(1) == "say \"hi\"");
  CHECK(document.problem->id(2) == "=HYPERLINK(\"http://x\")");
  CHECK(document.problem->id(3) == " padded ");
  CHECK(document.problem->id(4) == "two\nlines");
  CHECK(document.problem->id(5).empty());
}

TEST_CASE("CSV: unknown columns are kept with a warning and written back") {
  const std::string text =
      "id,lower,upper,size,note,note,,open_start\n"
      "a,0,1,8,\"x, y\",second,third,1\n"
      "b,0,1,8,,,,\n";
  const Document document = read_good(text);
  CHECK(has_warning(document, "unknown column \"note\""));
  CHECK(has_warning(document, "unknown column \"note (2)\""));
  CHECK(has_warning(document, "unknown column \"column 7\""));
  CHECK(has_warning(document, "unknown column \"extra open_start\""));
  const std::string written = write_as(document, "minimalloc-csv");
  CHECK(written.find("\"x, y\",second,third,1") != std::string::npos);
  const Document through_json = read_good(write_as(document, "stowage-json"), {}, "m.json");
  CHECK(write_as(through_json, "minimalloc-csv") == written);
}

TEST_CASE("CSV: duplicate ids, zero sizes and zero lengths are warnings and stay in the problem") {
  const Document document = read_good("id,lower,upper,size\nx,0,4,10\nx,2,6,0\ny,5,5,30\n");
  CHECK(document.problem->size() == 3);
  CHECK(load(document) == 10);
  CHECK(has_warning(document, "model.csv:3: duplicate id \"x\", first at model.csv:2"));
  CHECK(has_warning(document, "model.csv:3: \"x\" has size 0"));
  CHECK(has_warning(document, "model.csv:4: \"y\" lives for no time"));
}

TEST_CASE("CSV: an id that is not UTF-8 is a warning and is written back byte by byte") {
  const Document document = read_good("id,lower,upper,size\ncaf\xE9_\xFF\xFE,0,4,10\n");
  CHECK(has_warning(document, "not UTF-8"));
  CHECK(document.problem->id(0) == "caf\xE9_\xFF\xFE");
  CHECK(write_as(document, "minimalloc-csv").find("caf\xE9_\xFF\xFE,0,4,10") != std::string::npos);
}

TEST_CASE("CSV: no header but four integers a row is read with a warning") {
  const Document document = read_good("7,0,4,10\n8,2,6,20\n");
  CHECK(document.problem->size() == 2);
  CHECK(document.problem->id(0) == "7");
  CHECK(load(document) == 30);
  CHECK(has_warning(document, "no header"));
}

TEST_CASE("CSV: the number in a file's name is a hint, never the capacity") {
  const Document document = read_good(kToy, {}, "some.dir/K.1048576.csv");
  CHECK(document.facts.capacity_hint == "1048576 in the file's name");
  CHECK_FALSE(document.problem->capacity().has_value());
  CHECK(read_good(kToy, {}, "G_1.csv").facts.capacity_hint.empty());
}

TEST_CASE("CSV: a header without rows is an empty problem and says so") {
  const Document document = read_good("id,lower,upper,size\n");
  CHECK(document.problem->size() == 0);
  CHECK(has_warning(document, "no rows"));
}

TEST_CASE("CSV: the writer writes only the columns that the problem needs") {
  CHECK(write_as(read_good("size,upper,lower,id\n8,5,2,x\n"), "minimalloc-csv") == "id,lower,upper,size\nx,2,5,8\n");
  CHECK(write_as(read_good(kToy), "minimalloc-csv") == kToy);
  WriteOptions options;
  options.problem_only = true;
  CHECK(write_as(read_good(kToy), "minimalloc-csv", options).substr(0, 20) == "id,lower,upper,size\n");
}

TEST_CASE("CSV: a plan of a problem with pins gets a column fixed, and both come back") {
  Document document = read_good("id,lower,upper,size,offset\nr,0,9,64,192\na,0,3,80,\n");
  Plan plan;
  plan.id = "p";
  plan.offsets = {192, 0};
  document.put_plan(plan);
  const std::string text = write_as(document, "minimalloc-csv");
  CHECK(text == "id,lower,upper,size,offset,fixed\nr,0,9,64,192,192\na,0,3,80,0,\n");
  const Document again = read_good(text);
  CHECK(difference(*document.problem, *again.problem).empty());
  CHECK(again.plans.at(0).offsets == plan.offsets);
}

TEST_CASE("CSV: pins in every row and plans with holes do not turn into each other") {
  ReadOptions pins;
  pins.offsets = OffsetRule::kPins;
  const Document pinned = read_good(kToy, pins);
  const Document again = read_good(write_as(pinned, "minimalloc-csv"));
  CHECK(difference(*pinned.problem, *again.problem).empty());
  CHECK(again.plans.empty());

  Document holes = read_good(kToy);
  holes.plans[0].offsets[1] = kNoOffset;
  const Document read = read_good(write_as(holes, "minimalloc-csv"));
  CHECK_FALSE(read.problem->has_fixed());
  CHECK(read.plans.at(0).offsets == holes.plans[0].offsets);
}

TEST_CASE("CSV: an unknown plan cannot be written") {
  WriteOptions options;
  options.plan = "none such";
  const auto bytes = find_format("minimalloc-csv")->write(read_good(kToy), options);
  REQUIRE_FALSE(bytes.has_value());
  CHECK(bytes.error().kind == Error::Kind::kUsage);
}

TEST_CASE("CSV: unknown columns whose names are not UTF-8 are still told apart") {
  const Document document = read_good("id,lower,upper,size,\xC4,\xFF\na,0,1,2,first,second\n");
  const std::string text = write_as(document, "minimalloc-csv");
  CHECK(text.find("first,second") != std::string::npos);
  CHECK(full_difference(document, read_good(write_as(document, "stowage-json"))) == "");
  CHECK(write_as(read_good(text), "minimalloc-csv") == text);
}

TEST_CASE("CSV: bases and capacities of spaces are lost and said so; no line of ours is before the header") {
  ProblemInput input;
  Buffer b;
  b.end = 4;
  b.size = 8;
  input.add("a", b);
  input.spaces[0].base = 4096;
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(input).value());
  const std::string text = write_as(document, "minimalloc-csv");
  CHECK(text.find("id,") == 0);  // minimalloc itself reads no comments
  CHECK(losses(document, read_good(text)) == std::vector<std::string>{"base addresses of 1 memory space"});

  input.spaces.push_back(Space{"other", 8192, 64, {}});
  b.space = 1;
  input.add("b", b);
  document.problem = std::make_shared<const Problem>(make_problem(input).value());
  CHECK(losses(document, read_good(write_as(document, "minimalloc-csv"))) ==
        std::vector<std::string>{"base addresses of 2 memory spaces", "capacities of 1 memory space"});
}
