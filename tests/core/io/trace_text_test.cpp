// Traces as text: what is read, what is refused with which words, and that nothing is lost on the way.

#include "core/io/trace_text.h"

#include <doctest/doctest.h>

#include "core/io/format.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/core/pools/traces.h"
#include "tests/support/buffer.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr std::string_view kHeader = "# stowage-trace 1\n";

Trace good_trace(const std::string& text) {
  std::vector<std::string> warnings;
  auto trace = read_trace(text, "t", false, warnings);
  REQUIRE_MESSAGE(trace, (trace ? "" : trace.error().message));
  return std::move(*trace);
}

std::string fault_of(const std::string& lines) {
  std::vector<std::string> warnings;
  const auto trace = read_trace(std::string(kHeader) + lines, "t", false, warnings);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().kind == Error::Kind::kInput);
  return trace.error().message;
}

}  // namespace

TEST_CASE("the example of a trace") {
  const Trace trace = good_trace("# stowage-trace 1\n0 alloc a 300\n1 alloc b 250\n2 free a\n");
  REQUIRE(trace.events().size() == 3);
  CHECK(trace.id(1) == "b");
  CHECK(trace.allocations()[0].bytes == 300);
  CHECK(trace.allocations()[0].ended == 2);
  CHECK(write_trace(trace) == "# stowage-trace 1\n0 alloc a 300\n1 alloc b 250\n2 free a\n");
}

TEST_CASE("every kind of event, comments, blanks, streams, static ones and quoted ids") {
  const Trace trace = good_trace(
      "\xEF\xBB\xBF# stowage-trace 1\r\n# a comment\n\n -3 alloc w 200 static # stays\r\n"
      "0\talloc \"x \\\"y\\\"\" 7 3\n1 use \"x \\\"y\\\"\" 7 1\n1 use \"x \\\"y\\\"\" 2\n"
      "2 alloc z#1 5 0\n3 free z#1 5\n4 reset\n5 empty");
  CHECK(trace.events().size() == 8);
  CHECK(trace.allocations()[0].is_static);
  CHECK(trace.id(1) == "x \"y\"");
  CHECK(trace.allocations()[1].stream == 3);
  CHECK(trace.events()[2].stream == 1);
  CHECK(trace.events()[3].stream == 2);
  CHECK(trace.id(2) == "z#1");
  CHECK(trace.allocations()[1].ended == 6);
  CHECK(trace.allocations()[0].ended == kNoEvent);
  CHECK(good_trace(write_trace(trace)) == trace);
}

TEST_CASE("what cannot happen is refused with its line") {
  CHECK(fault_of("0 alloc a 1\n0 alloc a 1\n") == "t:3: a is allocated while it is live");
  CHECK(fault_of("0 free a\n") == "t:2: a was never allocated");
  CHECK(fault_of("0 alloc a 1\n1 free a\n2 free a\n") == "t:4: a is no longer live");
  CHECK(fault_of("0 alloc a -1\n") == "t:2: a asks for -1 bytes");
  CHECK(fault_of("5 alloc a 1\n4 free a\n") == "t:3: time falls from 5 to 4");
  CHECK(fault_of("0 alloc a 9223372036854775807\n0 alloc b 1\n") == "t:3: the sum of all sizes is above 2^63-1");
  CHECK(fault_of("0 alloc a 4\n1 free a 5\n") == "t:3: a frees 5 bytes, but has 4");
}

TEST_CASE("what is no event is refused with its line") {
  CHECK(fault_of("0 alloc a 1.5\n") == "t:2: the bytes \"1.5\" are not a whole number");
  CHECK(fault_of("x alloc a 1\n") == "t:2: the time \"x\" is not a whole number");
  CHECK(fault_of("0 sing a 1\n") == "t:2: \"sing\" is none of alloc, free, use, reset and empty");
  CHECK(fault_of("0 alloc a\n") == "t:2: alloc needs bytes");
  CHECK(fault_of("0 alloc\n") == "t:2: alloc needs an id");
  CHECK(fault_of("0\n") == "t:2: an event is written: time op id bytes [stream]");
  CHECK(fault_of("0 alloc a 1 0 0\n") == "t:2: too many words: an event is written: time op id bytes [stream]");
  CHECK(fault_of("0 reset a\n") == "t:2: reset stands alone: it has no id");
  CHECK(fault_of("0 alloc a 1 -1\n").find("the stream \"-1\" is not a number") != std::string::npos);
  CHECK(fault_of("0 alloc a 1 9999999999\n").find("t:2: the stream") == 0);
  CHECK(fault_of("0 alloc \"a 1\n") == "t:2: a quote is not closed, or what stands in it is no text");
  CHECK(fault_of("0 alloc \"a\"b 1\n") == "t:2: a quote is not closed, or what stands in it is no text");
}

TEST_CASE("all faults are listed, at most twenty, and a lenient reading leaves those lines out") {
  std::string lines;
  for (int k = 0; k < 30; ++k) lines += "0 free a\n";
  const std::string message = fault_of(lines + "0 alloc b 3\n");
  CHECK(message.find("t:2: ") != std::string::npos);
  CHECK(message.find("t:21: ") != std::string::npos);
  CHECK(message.find("t:22: ") == std::string::npos);
  std::vector<std::string> warnings;
  const auto trace = read_trace(std::string(kHeader) + lines + "0 alloc b 3\n", "t", true, warnings);
  REQUIRE(trace);
  CHECK(trace->allocations().size() == 1);
  CHECK_FALSE(warnings.empty());
}

TEST_CASE("another version is refused, a missing first line is a warning") {
  std::vector<std::string> warnings;
  const auto newer = read_trace("# stowage-trace 2\n0 alloc a 1\n", "t", false, warnings);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().message == "t:1: version \"2\" of a trace; readable is 1");
  CHECK(read_trace("0 alloc a 1\n", "t", false, warnings));
  CHECK(warnings.size() == 1);
  CHECK(is_trace("\n# stowage-trace 1\n"));
  CHECK_FALSE(is_trace("id,lower,upper,size\n"));
}

TEST_CASE("random traces are written and read back as they were") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Trace trace = random_trace(seed, {200, 20, 3, true});
    trace.time_unit = "time";
    CHECK(good_trace(write_trace(trace)) == trace);
  }
}

TEST_CASE("a trace opens as a problem, and a problem is written as a trace") {
  const auto document = read_document("# stowage-trace 1\n0 alloc a 300\n1 alloc b 250\n2 free a\n", "t.trace", {});
  REQUIRE(document);
  CHECK(document->facts.format == "stowage-trace");
  const Problem& problem = *document->problem;
  REQUIRE(problem.size() == 2);
  CHECK(problem[0].end == 2);
  CHECK(problem[1].end == 3);
  CHECK(problem.details(1)->open_end);
  const auto family = make_problem(synthetic_family(50, 1));
  REQUIRE(family);
  Document from;
  from.problem = std::make_shared<const Problem>(*family);
  const Format* format = find_format("stowage-trace");
  REQUIRE(format != nullptr);
  const auto text = format->write(from, {});
  REQUIRE(text);
  const auto again = read_document(*text, "t.trace", {});
  REQUIRE(again);
  CHECK(measure(*again->problem).load == measure(*family).load);
}
