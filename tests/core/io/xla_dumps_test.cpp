// Buffer assignments, memory usage reports, HloProto and XProf: what XLA says of its plans.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/text.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/read_dump.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("XLA: the two halves are joined when they lie side by side") {
  ReadOptions options;
  options.beside = [](const std::string& name) -> std::optional<std::string> {
    if (name == "module_1.f.cpu-live-range.txt") return kToyRanges;
    if (name == "module_1.f.cpu-buffer-assignment.txt") return kToyAssignment;
    return std::nullopt;
  };
  for (const auto& [text, name] : {std::pair(kToyAssignment, "dir/module_1.f.cpu-buffer-assignment.txt"),
                                   std::pair(kToyRanges, "dir/module_1.f.cpu-live-range.txt")}) {
    const Document document = read_good(text, options, name);
    CHECK(document.problem->size() == 4);
    CHECK(load_of(document) == 112);
    CHECK(document.problem->details(0)->op == "jit(f)/add");
    CHECK(document.problem->details(0)->source == "f.py:12");
  }
  CHECK(read_error(kToyRanges, {}, "x-live-range.txt").find("buffer-assignment.txt") != std::string::npos);
}

TEST_CASE("XLA: without live ranges everything is shown at one instant and shared bytes count once") {
  const Document document = read_good(kToyAssignment, {}, "x-buffer-assignment.txt");
  CHECK(load_of(document) == 112);
  CHECK(makespan_of(document) == 112);
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
  CHECK(has_warning(document, "no live ranges"));
}

TEST_CASE("XLA: parameters are shown when asked for, allocations stacked when asked for") {
  ReadOptions options = choose("constants", "on");
  options.choices["layout"] = "stacked";
  const Document document = read_good(kToyAssignment + kToyRanges, options, "x");
  CHECK(document.problem->size() == 5);
  CHECK(document.problem->spaces().size() == 1);
  CHECK(makespan_of(document) == 4096 + 112);
}

TEST_CASE("XLA: values that touch at one step in the same bytes are in place, others that overlap collide") {
  const std::string head = "BufferAssignment:\nallocation 3: size 64, preallocated-temp:\n";
  const std::string values =
      " value: <0 a @0> (size=64,offset=0): f32[16]\n value: <1 b @0> (size=64,offset=0): f32[16]\n";
  const std::string ranges = "HloLiveRange (max 9):\n  BufferLiveRange:\n    a{}:0-2\n    b{}:";
  const Document in_place = read_good(head + values + ranges + "2-4\n", {}, "x");
  CHECK(check_plan(*in_place.problem, in_place.plans[0]).valid());
  CHECK(load_of(in_place) == 64);
  const Document real = read_good(head + values + ranges + "1-4\n", {}, "x");
  CHECK(check_plan(*real.problem, real.plans[0]).count == 1);
}

TEST_CASE("XLA: a chain of values in place hides no collision between its ends") {
  const std::string text =
      "BufferAssignment:\nallocation 3: size 64, preallocated-temp:\n value: <0 a @0> (size=64,offset=0): f32[16]\n"
      " value: <1 b @0> (size=64,offset=0): f32[16]\n value: <2 c @0> (size=64,offset=0): f32[16]\n"
      "HloLiveRange (max 9):\n  BufferLiveRange:\n    a{}:0-2\n    b{}:2-4\n    c{}:1-2\n";
  const Document document = read_good(text, {}, "x");
  CHECK_FALSE(check_plan(*document.problem, document.plans[0]).valid());
}

TEST_CASE("XLA: a value without a live range is listed, drawn for the life of its allocation, and counts for nothing") {
  std::string text = kToyAssignment + kToyRanges;
  const std::string line = " value: <1 b @0> (size=32,offset=64): f32[8]{0}\n";
  text.insert(text.find(line), " value: <7 loop.1 @0> (size=112,offset=0): f32[28]{0}\n");
  const Document document = read_good(text, {}, "x");
  CHECK(document.problem->size() == 5);
  CHECK(load_of(document) == 112);
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
  CHECK(has_warning(document, "\"loop.1\" has no live range"));
  CHECK((*document.problem)[1].start == 0);
  CHECK((*document.problem)[1].end == 5);
}

TEST_CASE("XLA: what shares with a buffer is tied to it") {
  const Document document = read_good(
      R"({"bufferAssignment":{"logicalBuffers":[{"id":"0","size":"8"},{"id":"1","size":"8"}],"bufferAllocations":[
{"size":"8","assigned":[{"size":"8"},{"logicalBufferId":"1","size":"8"}]}],"heapSimulatorTraces":[{"events":[
{"bufferId":"0"},{"kind":"SHARE_WITH","bufferId":"1","shareWithCanonicalId":"0"},{"kind":"FREE","bufferId":"0"},
{"kind":"FREE","bufferId":"1"},{"kind":"FREE","bufferId":"1"}]}]}})",
      {}, "x.json");
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
  CHECK(load_of(document) == 8);
  CHECK(document.facts.left_out == 1);  // freed twice
}

TEST_CASE("XLA: a memory usage report has places at one instant") {
  const Document document = read_good(
      "Total bytes used: 1048 (1.0KiB)\n\nAllocations sorted by size:\n\ncumulative_size; total_size - "
      "cumulative_size; "
      "allocation\n----\n   1.0KiB( 99%);        24B; allocation 2: size 1.0KiB, preallocated-temp:\n\n\n"
      "Allocations sorted by size with their values:\nallocation 2: size 1.0KiB, preallocated-temp:\n\n"
      "\tcumulative_size;       size;       offset; used_by_n_values; shapes_list\n\t----\n"
      "\t     512B( 67%);       512B;            0;                3; f32[128], 2×f32[64]\n"
      "\t     768B(100%);       256B;          256;                1; f32[64]\n\n"
      "allocation 0: size 24B, parameter 0, shape |f32[6]| at ShapeIndex {}:\n",
      {}, "m-memory-usage-report.txt");
  CHECK(document.problem->size() == 2);
  CHECK(load_of(document) == 512);
  CHECK(makespan_of(document) == 512);
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
}

TEST_CASE("XLA: sizes of a memory usage report that are no whole bytes are the nearest, or those of the assignment") {
  const std::string report =
      "Allocations sorted by size with their values:\nallocation 0: size 4.2KiB, parameter 0, shape |f32[9]| at "
      "ShapeIndex {}:\nallocation 1: size 3.8MiB, preallocated-temp:\n\n"
      "  cumulative_size;         size;       offset; used_by_n_values; shapes_list\n  ----\n"
      "  3.14MiB( 80%);    3.14MiB;            0;                2; f32[16]\n"
      "  3.15MiB(100%);     1.1KiB;      4000000;                1; f32[8]\n"
      "allocation 2: size lots, constant:\nallocation 3: size 1.5KiB, thread-local:\n"
      "allocation 4: size lots, thread-local:\n";
  ReadOptions options = choose("constants", "on");
  const Document rounded = read_good(report, options, "m-memory-usage-report.txt");
  REQUIRE(rounded.problem->size() == 4);
  CHECK((*rounded.problem)[0].size == 4301);
  CHECK(rounded.problem->kind(0) == "input");
  CHECK((*rounded.problem)[1].size == 3292529);
  CHECK((*rounded.problem)[2].size == 1126);
  CHECK((*rounded.problem)[3].size == 1536);
  CHECK(rounded.facts.left_out == 2);
  options.beside = [](const std::string& name) -> std::optional<std::string> {
    if (name != "m-buffer-assignment.txt") return std::nullopt;
    return "BufferAssignment:\nallocation 1: size 4001234, preallocated-temp:\n"
           " value: <0 a @0> (size=3292540,offset=0): f32[16]{0}\n value: <1 b @0> (size=1130,offset=4000000): f32[8]\n"
           "allocation 2: size 77, constant:\n";
  };
  const Document exact = read_good(report, options, "m-memory-usage-report.txt");
  REQUIRE(exact.problem->size() == 5);
  CHECK((*exact.problem)[1].size == 3292540);
  CHECK((*exact.problem)[2].size == 1130);
  CHECK((*exact.problem)[3].size == 77);
  CHECK(exact.problem->kind(3) == "constant");
  CHECK(exact.facts.left_out == 1);
}

TEST_CASE("XLA: assignments of other versions: addresses, blanks between size and offset, no peak") {
  const std::string head = "BufferAssignment:\nallocation 0: 0x7f1a2c3d40, size 64, preallocated-temp:\n";
  const std::string value = " value: <0 a @0> (size=64, offset=0): f32[16]\n";
  const std::string ranges =
      "HloLiveRange (max 9):\n  InstructionSequence:\n    0:a\n  BufferLiveRange:\n    a{}:0-2\n";
  const Document document =
      read_good(head + value + ranges + "  Peak could not be determined due to unbounded dynamic shape\n", {}, "x");
  CHECK(document.facts.format == "xla-buffer-assignment");
  CHECK(document.facts.left_out == 0);
  REQUIRE(document.problem->size() == 1);
  CHECK((*document.problem)[0].size == 64);
  CHECK((*document.problem)[0].end == 3);
  CHECK(read_good(head.substr(head.find('\n') + 1) + value, {}, "x").problem->size() == 1);
}

TEST_CASE("XLA: assignments from before 2019 name their values otherwise, and what is no value is listed") {
  const Document document = read_good(
      "BufferAssignment:\nallocation 0: 0x55aa10, size 64, output shape is f32[16], maybe-live-out:\n"
      "  sum.1[](#7 @0) [0,64]: f32[16]{0}\n"
      "allocation 1: 0x55aa20, size 80, preallocated-temp:\n"
      "  pair[0,1](#2) [16,64]: f32[16]{0}\n  something else\n",
      {}, "x");
  REQUIRE(document.problem->size() == 2);
  CHECK(document.problem->id(0) == "sum.1");
  CHECK(document.problem->id(1) == "pair[0,1]");
  CHECK((*document.problem)[1].size == 64);
  CHECK(document.plans.at(0).offsets[1] == 16);
  CHECK(document.facts.left_out == 1);
}

TEST_CASE("XLA: a memory usage report of which only the first list is there has allocations") {
  const Document document = read_good(
      "Total bytes used: 700\n\nAllocations sorted by size:\n\ncumulative_size; total_size - cumulative_size; "
      "allocation\n----\n  512B( 73%);   188B; allocation 6: size 512B, preallocated-temp:\n"
      "  604B( 86%);    96B; allocation 0: size 92B, parameter 0, shape |f32[23]| at ShapeIndex {}:\n"
      "  700B(100%);      0B; allocation 1: size 96B, output shape is |f32[24]|, maybe-live-out:\n",
      {}, "x");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].size == 512);
  CHECK(document.problem->kind(1) == "output");
  CHECK(has_warning(document, "1 parameters and constants are not shown"));
  CHECK(has_warning(document, "values of each allocation is missing"));
}

TEST_CASE("XLA: live ranges that break off before the first are none") {
  const std::string ranges = kToyRanges.substr(0, kToyRanges.find("    a{}:0-2"));
  for (const std::size_t lost : {std::size_t{0}, std::size_t{6}, std::size_t{30}}) {
    const Document document = read_good(kToyAssignment + ranges.substr(0, ranges.size() - lost), {}, "x");
    CHECK(has_warning(document, "the section of the live ranges breaks off before its first range"));
    CHECK((*document.problem)[0].end == 1);
    CHECK(load_of(document) == 112);
    CHECK(check_plan(*document.problem, document.plans[0]).valid());
  }
}

TEST_CASE("XLA: numbers of an HloProto that cannot be read are left out and listed, those that are missing are 0") {
  const Document document = read_good(
      R"({"hloProto":{"bufferAssignment":{"logicalBuffers":[{"size":"8"},{"id":"1","size":"8"},{"id":"x","size":8}],
"bufferAllocations":[{"size":"16","assigned":[{"size":8.0},{"logicalBufferId":"1","offset":"far","size":"8"}]},
{"index":"1","size":"8.5","assigned":[{"logicalBufferId":"3","size":"8"}]}],"heapSimulatorTraces":[{"events":[
{"bufferId":"0"},{"kind":1.5,"bufferId":"0"},{"kind":"FREE"}]}]}}})",
      {}, "x.json");
  CHECK(document.problem->size() == 1);
  CHECK((*document.problem)[0].size == 8);
  CHECK((*document.problem)[0].end == 2);
  CHECK(document.facts.left_out == 4);
  CHECK(has_warning(document, "x.json: logicalBuffers[2]: "));
  CHECK(has_warning(document, "x.json: bufferAllocations[0].assigned[1]: buffer 1 has no sound place"));
  CHECK(has_warning(document, "x.json: heapSimulatorTraces[0].events[1]: "));
}

TEST_CASE("XLA: each heap simulator trace counts its own events") {
  const Document document = read_good(
      R"({"bufferAssignment":{"logicalBuffers":[{"id":"0","size":"8"},{"id":"1","size":"4"}],"bufferAllocations":[
{"size":"8","assigned":[{"size":"8"}]},{"index":"1","size":"4","assigned":[{"logicalBufferId":"1","size":"4"}]}],
"heapSimulatorTraces":[{"events":[{"bufferId":"0"},{"kind":"FREE","bufferId":"0"}]},{"bufferAllocationIndex":"1",
"events":[{"bufferId":"1","instructionName":"z"},{"bufferId":"0"}]}]}})",
      {}, "x.json");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[1].start == 0);
  CHECK((*document.problem)[1].end == 2);
  CHECK(has_warning(document, "there are 2 heap simulator traces"));
  CHECK(has_warning(document, "heapSimulatorTraces[1].events[1]: buffer 0 is in an earlier trace already"));
}

TEST_CASE("XLA: blocks of XProf keep their shape and source; a result without blocks is named") {
  const Document document = read_good(
      R"({"bufferBlocks":[{"logicalBufferId":"-1","name":"all","size":1048576,"endStep":9},{"logicalBufferId":"1",
"name":"p0","size":1e2,"unpaddedSize":90,"endStep":2,"shapeString":"f32[25]","sourceInfo":{"fileName":"a.py",
"lineNumber":5},"tfOpName":"op"},{"logicalBufferId":"2","name":"t","offset":"100","size":"100.5","endStep":3}]})",
      {}, "x.json");
  REQUIRE(document.problem->size() == 1);
  CHECK((*document.problem)[0].size == 100);
  CHECK(document.problem->details(0)->source == "a.py:5");
  CHECK(document.problem->details(0)->extra == R"({"hlo_shape":"f32[25]"})");
  CHECK(has_warning(document, "x.json: bufferBlocks[2]: a block without sound size"));
  const std::string curves = R"({"peakHeapMib":1.5,"heapSizes":[0,1.5],"logicalBufferSpans":{"3":{"limit":3}}})";
  CHECK(read_error(curves, {}, "x.json").find("looks like what XProf's memory viewer made") != std::string::npos);
}
