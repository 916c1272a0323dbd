#include <string>

#include <doctest/doctest.h>

#include "core/base/text.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

std::int64_t load_of(const Document& document) {
  return measure(*document.problem).load;
}

std::int64_t makespan_of(const Document& document) {
  return measure(*document.problem, measure(*document.problem), document.plans.at(0)).makespan;
}

ReadOptions choose(const std::string& key, const std::string& value) {
  ReadOptions options;
  options.choices[key] = value;
  return options;
}

/// Whatever it is, it must end with a document that can be checked or with a message.
void read_safely(std::string_view bytes, const std::string& name, const std::string& format) {
  ReadOptions options;
  options.format = format;
  const auto document = read_document(bytes, name, options);
  if (!document) {
    CHECK_FALSE(document.error().message.empty());
    CHECK(is_utf8(document.error().message));
    return;
  }
  for (const Plan& plan : document->plans) check_plan(*document->problem, plan);
  for (const std::string& warning : document->facts.warnings) CHECK(is_utf8(warning));
}

}  // namespace

TEST_CASE("dumps: the toy problem has load 112, makespan 112 and no violation in every format") {
  for (const ToyDump& toy : toy_dumps()) {
    CAPTURE(toy.format);
    const Document document = read_good(toy.bytes, {}, toy.name);
    CHECK(document.facts.format == toy.format);
    CHECK(document.facts.left_out == 0);
    CHECK(document.problem->size() == 4);
    CHECK(load_of(document) == 112);
    REQUIRE(document.plans.size() == (toy.placed ? 1 : 0));
    if (!toy.placed) continue;
    CHECK(makespan_of(document) == 112);
    CHECK(check_plan(*document.problem, document.plans[0]).valid());
  }
}

TEST_CASE("dumps: cut off at any byte they still open or say why not") {
  for (const ToyDump& toy : toy_dumps()) {
    CAPTURE(toy.format);
    for (std::size_t length = 1; length < toy.bytes.size(); ++length) {
      read_safely(std::string_view(toy.bytes).substr(0, length), toy.name, toy.format);
    }
  }
}

TEST_CASE("dumps: any byte may be another") {
  for (const ToyDump& toy : toy_dumps()) {
    CAPTURE(toy.format);
    for (std::size_t at = 0; at < toy.bytes.size(); at += 3) {
      std::string bytes = toy.bytes;
      for (const char other : {'\xFF', '\0', '9', '-', '"'}) {
        bytes[at] = other;
        read_safely(bytes, toy.name, toy.format);
      }
    }
  }
}

TEST_CASE("dumps: the other reading of times is one step longer or shorter") {
  const std::string closed = toy_dumps()[0].bytes;
  ReadOptions options;
  options.times = TimeRule::kHalfOpen;
  const Document document = read_good(closed, options, "m-buffer-assignment.txt");
  CHECK(document.facts.times == "half-open");
  CHECK((*document.problem)[0].end == 2);
  options.times = TimeRule::kClosed;
  const Document longer = read_good(toy_plc(), options, "toy.plc");
  CHECK(longer.facts.times == "closed");
  CHECK(load_of(longer) == 176);
  options.times = TimeRule::kOpen;
  CHECK(load_of(read_good(toy_plc(), options, "toy.plc")) == 112);
}

TEST_CASE("dumps: an answer to a question that nobody asks is a wrong usage") {
  const auto unknown = read_document(toy_plc(), "toy.plc", choose("device", "1"));
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().kind == Error::Kind::kUsage);
  const auto value = read_document(toy_dumps()[0].bytes, "x", choose("layout", "sideways"));
  REQUIRE_FALSE(value.has_value());
  CHECK(value.error().message.find("lanes, stacked") != std::string::npos);
}

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

TEST_CASE("Vela: equivalent tensors share their bytes, others collide") {
  const std::string head =
      "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name\n"
      "  0 - 2: 0x0 - 0x40: 64: 64: FeatureMap : a\n  0 - 2: 0x0 - 0x40: 64: 64: FeatureMap : a\n";
  const Document same = read_good(head, {}, "x");
  CHECK(check_plan(*same.problem, same.plans[0]).valid());
  CHECK(load_of(same) == 64);
  CHECK(same.problem->id(1) == "a (2)");  // what is tied must have a name of its own
  const Document other = read_good(head + "  1 - 2: 0x20 - 0x40: 32: 96: FeatureMap : c\n", {}, "x");
  CHECK_FALSE(check_plan(*other.problem, other.plans[0]).valid());
}

TEST_CASE("TensorFlow Lite: the print of an interpreter shows the arena at one instant") {
  const Document document = read_good(
      "Interpreter has 1 subgraphs.\n"
      "Tensor   0 serving_default images:0  kTfLiteUInt8    kTfLiteArenaRw     64   / 0.29 [1,8,8] [0, 64)\n"
      "Tensor   1 weights  kTfLiteInt32    kTfLiteMmapRo      8        / 0.00 [2] [3730368, 3730376)\n"
      "Tensor   2 out  kTfLiteInt8    kTfLiteArenaRw      48        / 0.00 [48] [64, 112)\n"
      "Tensor   3 later  kTfLiteInt8    kTfLiteArenaRw      64        / 0.00 [64] [0, 64)\n"
      "Tensor   4 gone  kTfLiteInt8    kTfLiteArenaRw      4        / 0.00 [4] [-1, -1)\n",
      {}, "x");
  CHECK(document.problem->size() == 3);
  CHECK(document.problem->id(0) == "serving_default images:0");
  CHECK(load_of(document) == 112);
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document, "1 tensors lie in MmapRo memory"));
}

TEST_CASE("Chrome trace: running sums are no addresses") {
  const Document document = read_good(
      R"([{"ph":"X","name":"a","pid":1,"tid":0,"ts":0,"dur":8,"args":{"bytes":8}},
{"ph":"X","name":"b","pid":1,"tid":0,"ts":8,"dur":4,"args":{"bytes":4}},
{"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":4,"args":{"bytes":4}}])",
      {}, "x.json");
  CHECK(document.problem->size() == 2);
  CHECK(load_of(document) == 12);
  CHECK(document.plans.empty());
  CHECK(has_warning(document, "running sums"));
}

TEST_CASE("Chrome trace: memory events of Kineto and counters") {
  const Document events = read_good(
      R"({"traceEvents":[{"ph":"i","name":"[memory]","args":{"Addr":4096,"Bytes":64,"Device Id":0}},
{"ph":"i","name":"[memory]","args":{"Addr":8192,"Bytes":-32,"Device Id":0}},
{"ph":"i","name":"[memory]","args":{"Addr":4096,"Bytes":-64,"Device Id":0}}]})",
      {}, "x.json");
  CHECK(load_of(events) == 96);
  const Document counters = read_good(
      R"({"traceEvents":[{"ph":"C","name":"mem","ts":0,"args":{"bytes":5}},{"ph":"C","name":"mem","ts":1,"args":{"bytes":9}},
{"ph":"C","name":"mem","ts":2,"args":{"bytes":2}}]})",
      {}, "x.json");
  CHECK(load_of(counters) == 9);
  CHECK(read_error(R"({"traceEvents":[]})", {}, "x.json").find("nothing about memory") != std::string::npos);
}

TEST_CASE("MLIR: blocks, layouts, spaces and sizes that are known only at run time") {
  const std::string text =
      "func.func @f(%n: index) {\n  scf.for %i = %c0 to %c4 step %c1 {\n"
      "    %x = memref.alloc(%n) {alignment = 64 : i64} : memref<?x3xi1, strided<[3, 1]>, 2>\n  }\n"
      "  %y = memref.alloc() : memref<2xvector<4xf32>>\n  return\n}\n"
      "func.func @g() {\n  %z = memref.alloc() : memref<5xi8>\n}\n";
  const Document unknown = read_good(text, {}, "x.mlir");
  CHECK(unknown.facts.left_out == 1);
  const Document known = read_good(text, choose("sizes", "n=10"), "x.mlir");
  REQUIRE(known.problem->size() == 2);
  CHECK((*known.problem)[0].size == 30);
  CHECK((*known.problem)[0].alignment == 64);
  CHECK((*known.problem)[0].lifetime() == 1);
  CHECK(known.problem->spaces()[(*known.problem)[0].space].id == "space 2");
  CHECK((*known.problem)[1].size == 32);
  CHECK(read_good(text, choose("function", "g"), "x.mlir").problem->id(0) == "%z");
}

TEST_CASE("files of another kind get one polite sentence") {
  for (const auto& [text, part] :
       {std::pair(R"({"metadata":{},"weight_map":{"a":"b"}})", "list of a model's weights"),
        std::pair(R"({"data":[],"layout":{}})", "looks like a plot"),
        std::pair("3\n10\n1 2 3\n2 4 5\n", "strip packing"), std::pair("<svg width=\"1\"></svg>", "picture in XML")}) {
    const std::string message = read_error(text, {}, "x");
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
  }
}
