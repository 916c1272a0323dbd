// Traces as values, from problems and back, and plans that are played.

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "core/pools/planned_pool.h"
#include "core/pools/size_rules.h"
#include "tests/core/pools/traces.h"
#include "tests/support/buffer.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// "0 alloc a, 2 free a, ".
std::string told(const Trace& trace) {
  std::string text;
  for (const TraceEvent& event : trace.events()) {
    text += fmt::format("{} {} {}, ", event.time, name_of(event.op), std::string(trace.id(event.allocation)));
  }
  return text;
}

}  // namespace

TEST_CASE("a trace takes only what can happen, and says what is wrong") {
  TraceBuilder builder;
  CHECK_FALSE(builder.alloc(3, "a", 10, 0, false));
  CHECK(builder.alloc(3, "a", 10, 0, false) == "a is allocated while it is live");
  CHECK(builder.alloc(2, "b", 10, 0, false) == "time falls from 3 to 2");
  CHECK(builder.alloc(3, "b", -1, 0, false) == "b asks for -1 bytes");
  CHECK(builder.alloc(3, "b", kMaxInt64, 0, false) == "the sum of all sizes is above 2^63-1");
  CHECK(builder.free(3, "b", {}) == "b was never allocated");
  CHECK(builder.free(3, "a", 11) == "a frees 11 bytes, but has 10");
  CHECK(builder.use(3, "c", 1) == "c was never allocated");
  CHECK_FALSE(builder.free(4, "a", 10));
  CHECK(builder.free(5, "a", {}) == "a is no longer live");
  CHECK(builder.use(5, "a", 1) == "a is no longer live");
  CHECK_FALSE(builder.alloc(5, "a", 7, 0, false));
  const Trace trace = builder.take();
  CHECK(trace.events().size() == 3);
  CHECK(trace.allocations().size() == 2);
  CHECK(trace.allocations()[0].ended == 1);
  CHECK(trace.allocations()[1].ended == kNoEvent);
}

TEST_CASE("a reset ends whatever is not static") {
  const Trace trace =
      TraceWriter().alloc("w", 1, 0, true).alloc("a", 2).free("a").alloc("b", 3).reset().alloc("b", 4).take();
  CHECK(trace.allocations()[0].ended == kNoEvent);
  CHECK(trace.allocations()[1].ended == 2);
  CHECK(trace.allocations()[2].ended == 4);
  CHECK(trace.allocations()[3].ended == kNoEvent);
}

TEST_CASE("a problem becomes a trace in which frees come before allocations of the same time") {
  ProblemInput input;
  input.add("a", buffer(0, 2, 8));
  input.add("nothing", buffer(0, 2, 0));
  input.add("b", buffer(2, 4, 8));
  input.add("instant", buffer(1, 1, 5));
  input.add("c", buffer(1, 2, 4));
  const auto problem = make_problem(input);
  REQUIRE(problem);
  std::vector<std::string> left_out;
  const auto trace = trace_of(*problem, left_out);
  REQUIRE(trace);
  CHECK(left_out.empty());
  CHECK(told(*trace) == "0 alloc a, 1 alloc c, 2 free a, 2 free c, 2 alloc b, 4 free b, ");
  CHECK(natural_axis(*trace) == TraceAxis::kTime);
  const Plan plan = plan_of(played("malloc-per-tensor", *trace, {{"alignment", "1"}}), *trace, problem->size());
  CHECK(plan.offsets == std::vector<std::int64_t>{0, 0, 0, 0, 8});
  CHECK(check_plan(*problem, plan).valid());
}

TEST_CASE("what no trace can say is left out, with one sentence for each kind") {
  ProblemInput input;
  input.add("a", buffer(0, 2, 8));
  Buffer pinned = buffer(0, 2, 8);
  pinned.fixed = 64;
  input.add("b", pinned);
  Buffer elsewhere = buffer(1, 3, 4);
  elsewhere.space = input.space_index("host");
  Details choice;
  choice.candidates = {1, 0};
  input.add("c", elsewhere, choice);
  input.add("d", buffer(5, 6, 2));
  input.constraints.conflicts = {{0, 3}, {1, 3}};
  const auto problem = make_problem(input);
  REQUIRE(problem);
  std::vector<std::string> left_out;
  const auto trace = trace_of(*problem, left_out);
  REQUIRE(trace);
  CHECK(trace->allocations().size() == 4);
  REQUIRE(left_out.size() == 4);
  CHECK(left_out[0].find("2 spaces") != std::string::npos);
  CHECK(left_out[1].find("1 fixed offset;") != std::string::npos);
  CHECK(left_out[2].find("2 conflicts") != std::string::npos);
  CHECK(left_out[3].find("1 choice of spaces") != std::string::npos);
}

TEST_CASE("colocated buffers and aliases are one allocation, from the first life to the last") {
  ProblemInput input;
  input.add("small", buffer(0, 2, 8));
  input.add("large", buffer(3, 5, 16));
  input.add("parent", buffer(1, 3, 32));
  input.add("child", buffer(2, 6, 8));
  input.constraints.colocations = {{0, 1}};
  input.constraints.aliases = {{3, 2, 8}};
  const auto problem = make_problem(input);
  REQUIRE(problem);
  std::vector<std::string> left_out;
  const auto trace = trace_of(*problem, left_out);
  REQUIRE(trace);
  CHECK(left_out.empty());
  CHECK(told(*trace) == "0 alloc large, 1 alloc parent, 5 free large, 6 free parent, ");
  CHECK(trace->allocations()[0].bytes == 16);
  CHECK(trace->allocations()[1].bytes == 32);
}

TEST_CASE("a gap is a free and another allocation, unless a part of the buffer is needed in it") {
  ProblemInput input;
  Details gap;
  gap.gaps = {Gap{2, 4, {}}};
  input.add("a", buffer(0, 6, 8), gap);
  Details window;
  window.gaps = {Gap{2, 4, Window{0, 2}}};
  input.add("b", buffer(0, 6, 8), window);
  const auto problem = make_problem(input);
  REQUIRE(problem);
  std::vector<std::string> left_out;
  const auto trace = trace_of(*problem, left_out);
  REQUIRE(trace);
  CHECK(told(*trace) == "0 alloc a, 0 alloc b, 2 free a, 4 alloc a, 6 free a, 6 free b, ");
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].find("1 gap with a window") != std::string::npos);
}

TEST_CASE("an allocation is made on the stream of its first use, other streams use it") {
  ProblemInput input;
  input.add("a", buffer(0, 3, 8));
  const auto problem = make_problem(input);
  REQUIRE(problem);
  std::vector<std::string> left_out;
  const std::vector<StreamUse> uses = {{0, 0, 1}, {1, 0, 2}, {2, 0, 2}, {2, 0, 1}};
  const auto trace = trace_of(*problem, left_out, uses);
  REQUIRE(trace);
  CHECK(told(*trace) == "0 alloc a, 1 use a, 3 free a, ");
  CHECK(trace->allocations()[0].stream == 1);
  CHECK(trace->events()[1].stream == 2);
}

TEST_CASE("a problem, its trace and the trace's problem have the same load") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto problem = make_problem(synthetic_family(200, seed));
    REQUIRE(problem);
    std::vector<std::string> left_out;
    const auto trace = trace_of(*problem, left_out);
    REQUIRE(trace);
    CHECK(natural_axis(*trace) == TraceAxis::kTime);
    for (const TraceAxis axis : {TraceAxis::kTime, TraceAxis::kEvent}) {
      const auto again = problem_of(*trace, axis);
      REQUIRE(again);
      CHECK(measure(*again).load == measure(*problem).load);
    }
    CHECK(played("malloc-per-tensor", *trace, {{"alignment", "1"}}).peaks().requested == measure(*problem).load);
  }
}

TEST_CASE("the order of events is the axis where times do not tell who lives beside whom") {
  TraceBuilder builder;
  CHECK_FALSE(builder.alloc(0, "a", 4, 0, false));
  CHECK_FALSE(builder.alloc(1, "b", 4, 0, false));
  CHECK_FALSE(builder.free(1, "a", {}));
  const Trace trace = builder.take();
  CHECK(natural_axis(trace) == TraceAxis::kEvent);
  CHECK(places_of(trace, TraceAxis::kTime) == std::vector<std::int64_t>{0, 1, 1, 2});
  CHECK(places_of(trace, TraceAxis::kEvent) == std::vector<std::int64_t>{0, 1, 2, 3});
  const auto by_time = problem_of(trace, TraceAxis::kTime);
  const auto by_event = problem_of(trace, TraceAxis::kEvent);
  REQUIRE(by_time);
  REQUIRE(by_event);
  CHECK(measure(*by_time).load == 4);
  CHECK(measure(*by_event).load == 8);
  CHECK(by_event->details(1)->open_end);
}

TEST_CASE("later allocations of one id have names of their own") {
  const Trace trace = TraceWriter().alloc("a", 1).free("a").alloc("a", 2).take();
  const auto problem = problem_of(trace, TraceAxis::kTime);
  REQUIRE(problem);
  CHECK(problem->id(0) == "a");
  CHECK(problem->id(1) == "a#2");
}

TEST_CASE("a plan can be played like a pool") {
  const Trace trace = TraceWriter().alloc("a", 8).alloc("b", 4).free("a").alloc("c", 8).take();
  const auto run = play_plan("first-fit", trace, {0, 8, 0});
  REQUIRE(run);
  CHECK(run->addresses == std::vector<std::int64_t>{0, 8, 0});
  CHECK(run->peaks().reserved == 12);
  CHECK(run->peaks().requested == 12);
  CHECK(run->points[2].largest_free == 8);
  CHECK(run->highest_address() == 12);
  const auto wrong = play_plan("wrong", trace, {0, 4, 0});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().kind == Error::Kind::kRefused);
  CHECK_FALSE(play_plan("wrong", trace, {-1, 8, 0}));
  const auto partial = play_plan("partial", trace, {0, kNoOffset, 0});
  REQUIRE(partial);
  CHECK(partial->failures.size() == 1);
}

TEST_CASE("sizes are rounded as each system does") {
  const auto rounded = [](std::string_view rule, std::int64_t bytes) {
    return find_size_rule(rule)->round(bytes);
  };
  CHECK(rounded("mindspore-gpu", 0) == 0);
  CHECK(rounded("mindspore-gpu", 1) == 512);
  CHECK(rounded("mindspore-gpu-output", 0) == 512);
  CHECK(rounded("mindspore-ascend", 1) == 512);
  CHECK(rounded("mindspore-ascend", 480) == 512);
  CHECK(rounded("mindspore-ascend", 481) == 1024);
  CHECK(rounded("mindspore-ascend", 512) == 1024);
  CHECK(rounded("mindspore-ascend", 1024) == 1536);
  CHECK(rounded("mindspore-communication", 513) == 2048);
  CHECK(rounded("mindspore-pool", 0) == 512);
  CHECK(rounded("pytorch", 513) == 1024);
  CHECK(rounded("bfc", 257) == 512);
  CHECK(find_size_rule("nobody") == nullptr);
}
