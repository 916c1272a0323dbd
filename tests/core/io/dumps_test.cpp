#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/text.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/documents.h"
#include "tests/core/io/read_dump.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

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

TEST_CASE("samples of every format that is read may be cut off or changed anywhere") {
  // These have tests of their own, beside their samples.
  std::set<std::string> covered = {"hlo", "openvino", "heaptrack", "onnx"};
  for (const ToyDump& toy : toy_dumps()) covered.insert(toy.format);
  for (const ToyDump& sample : other_samples()) {
    CAPTURE(sample.format);
    covered.insert(sample.format);
    const Document document = read_good(sample.bytes, {}, sample.name);
    CHECK(document.facts.format == sample.format);
    CHECK(document.facts.left_out == 0);
    CHECK(document.plans.size() == (sample.placed ? 1 : 0));
    for (std::size_t length = 1; length < sample.bytes.size(); ++length) {
      read_safely(std::string_view(sample.bytes).substr(0, length), sample.name, sample.format);
    }
    for (std::size_t at = 0; at < sample.bytes.size(); at += 3) {
      std::string bytes = sample.bytes;
      for (const char other : {'\xFF', '\0', '9', '-', '"'}) {
        bytes[at] = other;
        read_safely(bytes, sample.name, sample.format);
      }
    }
  }
  for (const Format& format : formats()) {
    CAPTURE(format.id);
    if (format.read != nullptr) CHECK(covered.count(format.id) == 1);
  }
}

namespace {

std::string with_each(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// The same text as other editors, systems and shells leave it behind.
std::vector<std::pair<std::string, std::string>> other_looks(const std::string& text) {
  return {{"line ends of Windows", with_each(text, "\n", "\r\n")},
          {"a byte order mark", "\xEF\xBB\xBF" + text},
          {"both", "\xEF\xBB\xBF" + with_each(text, "\n", "\r\n")},
          {"blanks at the ends of lines", with_each(text, "\n", " \t\n")},
          {"empty lines around it", "\n\n" + text + "\n\n"},
          {"no last line end", text.substr(0, text.find_last_not_of('\n') + 1)}};
}

}  // namespace

TEST_CASE("texts of every format are read whatever editors and systems did to their lines") {
  std::vector<ToyDump> samples = toy_dumps();
  for (ToyDump& sample : other_samples()) samples.push_back(std::move(sample));
  for (const ToyDump& sample : samples) {
    if (find_format(sample.format)->binary && sample.format != "torch-snapshot") continue;
    CAPTURE(sample.format);
    const Document wanted = read_good(sample.bytes, {}, sample.name);
    for (const auto& look : other_looks(sample.bytes)) {
      CAPTURE(look.first);
      const auto document = read_document(look.second, sample.name, {});
      REQUIRE_MESSAGE(document.has_value(), (document ? std::string() : document.error().message));
      CHECK(document->facts.format == sample.format);
      CHECK(document->facts.left_out == 0);
      CHECK(full_difference(wanted, *document) == "");
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

namespace {

std::string graphics_dump(const std::string& suballocations, const std::string& dedicated = "") {
  return R"({"General":{"API":"Vulkan"},"DefaultPools":{"Type 0":{"Blocks":{"0":{"TotalBytes":256,"Suballocations":[)" +
         suballocations + R"(]}},"DedicatedAllocations":[)" + dedicated + "]}}}";
}
const std::string kGraphicsFirst =
    graphics_dump(R"({"Offset":0,"Type":"BUFFER","Size":64,"Name":"a"},{"Offset":64,"Type":"BUFFER","Size":32},
{"Offset":96,"Type":"FREE","Size":160})",
                  R"({"Type":"IMAGE","Size":9},{"Type":"IMAGE","Size":9},{"Type":"BUFFER","Size":7})");
// "a" stays, what lay behind it went, one of two equal dedicated images went.
const std::string kGraphicsSecond =
    graphics_dump(R"({"Offset":0,"Type":"BUFFER","Size":64,"Name":"a"},{"Offset":64,"Type":"IMAGE","Size":32})",
                  R"({"Type":"BUFFER","Size":7},{"Type":"IMAGE","Size":9},{"Type":"IMAGE","Size":5})");
const std::string kGraphicsThird = graphics_dump(R"({"Offset":64,"Type":"BUFFER","Size":32})");

void check_sequence(const Document& document) {
  const Problem& problem = *document.problem;
  REQUIRE(problem.size() == 8);
  CHECK(problem.time_unit() == "dump");
  const std::pair<std::int64_t, std::int64_t> lives[] = {{0, 2}, {0, 1}, {0, 2}, {0, 1},
                                                         {0, 2}, {1, 2}, {1, 2}, {2, 3}};
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    CAPTURE(i);
    CHECK(problem[i].start == lives[i].first);
    CHECK(problem[i].end == lives[i].second);
  }
  CHECK(problem.spaces()[problem[6].space].id == "Type 0, dedicated 3");
  CHECK(check_plan(problem, document.plans.at(0)).valid());
}

}  // namespace

TEST_CASE("graphics allocators: dumps that follow each other make a time axis") {
  ReadOptions options;
  options.beside = [](const std::string& name) -> std::optional<std::string> {
    if (name == "frame10.json") return kGraphicsSecond;
    if (name == "frame11.json") return "\xEF\xBB\xBF" + kGraphicsThird;
    return std::nullopt;
  };
  CHECK(read_good(kGraphicsFirst, options, "dir/frame9.json").problem->time_unit() == "instant");
  options.choices["sequence"] = "numbered";
  check_sequence(read_good(kGraphicsFirst, options, "dir/frame9.json"));
  options.choices["sequence"] = "frame10.json, frame11.json";
  check_sequence(read_good(kGraphicsFirst, options, "dir/frame9.json"));
  check_sequence(read_good("[" + kGraphicsFirst + "," + kGraphicsSecond + "," + kGraphicsThird + "]", {}, "all.json"));
  const std::string quoted = with_each(with_each(kGraphicsThird, ":64,", ":\"64\","), ":32}", ":\"32\"}");
  CHECK(read_good(quoted, {}, "quoted.json").problem->size() == 1);
  options.choices["sequence"] = "frame10.json,frame12.json";
  CHECK(read_error(kGraphicsFirst, options, "dir/frame9.json").find("dir/frame12.json: there is no such file") == 0);
  options.beside = [](const std::string& name) -> std::optional<std::string> {
    return name == "frame10.json" ? std::optional<std::string>("{") : std::nullopt;
  };
  options.choices["sequence"] = "numbered";
  CHECK(read_error(kGraphicsFirst, options, "dir/frame9.json").find("dir/frame10.json:1:") == 0);
}

TEST_CASE("graphics allocators: dumps of older versions lose nothing") {
  const Document document = read_good(
      R"({"Total":{"Blocks":2,"UsedBytes":300},"Heap 0":{"Size":1000},"DEFAULT":{"Blocks":1},
"DedicatedAllocations":{"Type 0":[{"Type":"IMAGE","Size":99,"UserData":"texture"}]},
"DefaultPools":{"Type 1":{"Blocks":{"0":{"TotalBytes":128,"Suballocations":[{"Offset":0,"Type":"BUFFER","Size":64}]}},
"CommittedAllocations":[{"Type":"BUFFER","Size":73}]}},
"Pools":{"1":{"Name":"mine","Blocks":{"0":{"TotalBytes":128,"Suballocations":[{"Offset":64,"Type":"BUFFER","Size":64}]}}}},
"Novelties":{"Type 0":[1]}})",
      {}, "x.json");
  CHECK(document.facts.format == "vma-stats");
  REQUIRE(document.problem->size() == 4);
  std::int64_t sum = 0;
  std::string spaces;
  for (const Buffer& buffer : document.problem->buffers()) {
    sum += buffer.size;
    spaces += document.problem->spaces()[buffer.space].id + "|";
  }
  CHECK(sum == 300);
  CHECK(spaces == "Type 1, block 0|Type 1, dedicated 0|pool mine, block 0|Type 0, dedicated 0|");
  CHECK(document.problem->details(3)->source == "texture");
  CHECK(has_warning(document, "\"Novelties\" is not read"));
  CHECK_FALSE(has_warning(document, "add up to"));
  CHECK_FALSE(has_warning(document, "\"DEFAULT\""));
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

TEST_CASE("Vela: a tensor that is there before the first step does not end its table") {
  const Document document = read_good(
      "Tensor Allocation for mem_area Sram:\n"
      "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name\n"
      "        -1 -          2:        0x0 -       0x40:          64:           64: FeatureMap  : x:0\n"
      "         1 -         -1:       0x40 -       0x60:          32:           96: FeatureMap  : never\n"
      "         1 -          3:       0x40 -       0x60:          32:           96: FeatureMap  : y\n",
      {}, "x.txt");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].start == -1);
  CHECK(document.problem->id(1) == "y");
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document, "x.txt:4: not a tensor with times"));
}

TEST_CASE("VMA: blocks may be a list") {
  const Document document = read_good(
      R"({"General":{"API":"Direct3D 12"},"Total":{},"DefaultPools":{"DEFAULT":{"Blocks":[
{"TotalBytes":256,"UnusedBytes":128,"Suballocations":[{"Offset":0,"Type":"TEXTURE2D","Size":128,"Name":"rt"}]},
{"TotalBytes":64,"UnusedBytes":0,"Suballocations":[{"Offset":0,"Type":"BUFFER","Size":64}]}]}}})",
      {}, "x.json");
  REQUIRE(document.problem->size() == 2);
  CHECK(document.problem->id(0) == "rt");
  CHECK(document.problem->spaces()[1].id == "DEFAULT, block 1");
}

TEST_CASE("Vela: tables of its newer compiler have other columns") {
  const Document document = read_good(
      "####\nAllocation, memory sram, usage mask: FeatureMap|Staging\n"
      "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage : Name\n"
      "         0 -          1:        0x0 -       0x40:          64:           80 : a:0\n"
      "         1 -          2:       0x60 -       0x70:          16:           80 : b\n"
      "Allocation Peak Tensor Size: 112 bytes == 0.109375 KiB\n"
      "####\nAllocation, memory flash, usage mask: ReadOnly\n"
      "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Format         : Name\n"
      "         0 -          2:        0x0 -       0x20:          32:           32: NHCWB16        : w\n"
      "Allocation Peak Tensor Size: 32 bytes == 0.03125 KiB\n",
      {}, "x");
  REQUIRE(document.problem->size() == 3);
  CHECK(document.facts.left_out == 0);
  CHECK(document.facts.warnings.empty());
  CHECK(document.problem->id(0) == "a:0");
  CHECK((*document.problem)[0].end == 2);
  CHECK(document.problem->kind(2) == "NHCWB16");
  CHECK(document.problem->spaces()[1].id == "flash");
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

TEST_CASE("Chrome trace: memory events of old versions tell only how much is in use") {
  const Document document = read_good(
      R"({"traceEvents":[{"ph":"X","name":"op","pid":1,"tid":1,"ts":1.5,"dur":2},
{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":2,"args":{"Bytes":64,"Total Allocated":64,"Device Type":1,"Device Id":0}},
{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":3,"args":{"Bytes":32,"Total Allocated":96,"Device Type":1,"Device Id":0}},
{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":4,"args":{"Bytes":-64,"Total Allocated":32,"Device Type":1,"Device Id":0}}]})",
      {}, "x.json");
  CHECK(document.plans.empty());
  CHECK(load_of(document) == 96);
  CHECK(document.problem->spaces()[0].id == "device 1 0");
  CHECK(has_warning(document, "how much is in use"));
}

TEST_CASE("Chrome trace: the array may end without its bracket or behind a comma") {
  const std::string events =
      R"([{"ph":"X","name":"a","cat":"memory_allocation","pid":1,"tid":0,"ts":0,"dur":64.0},
{"ph":"X","name":"b","cat":"memory_allocation","pid":1,"tid":1,"ts":6.4e1,"dur":32})";
  for (const char* end : {"]", "", "\n", ",", ",\n", ",]", " ,\r\n ]\n"}) {
    const Document document = read_good(events + end, {}, "x.json");
    CAPTURE(end);
    REQUIRE(document.problem->size() == 2);
    CHECK(makespan_of(document) == 96);
  }
  CHECK(read_error(events + ",{\"ph\":", {}, "x.json").find("x.json:2:") == 0);
}

TEST_CASE("Chrome trace: the base of a space survives writing and reading whatever it is") {
  ProblemInput input;
  input.spaces[0].base = (std::uint64_t{1} << 63U) + 4097;
  Buffer buffer;
  buffer.end = 3;
  buffer.size = 64;
  input.add("a", buffer);
  Document document;
  document.problem = std::make_shared<const Problem>(std::move(*make_problem(std::move(input))));
  const Document again = read_good(write_as(document, "chrome-trace"), {}, "x.trace.json");
  CHECK(again.problem->id(0) == "a");
  CHECK((*again.problem)[0].end == 3);
  CHECK(again.problem->spaces()[0].base == document.problem->spaces()[0].base);
}

TEST_CASE("Chrome trace: memory events and counters that do not stand in order are read in the order of their time") {
  const Document events = read_good(
      R"({"traceEvents":[{"ph":"i","name":"[memory]","ts":4.25,"args":{"Addr":"0x1000","Bytes":-64,"Device Id":0}},
{"ph":"i","name":"[memory]","ts":1,"args":{"Addr":"4096","Bytes":64,"Device Id":0}},
{"ph":"i","name":"[memory]","ts":2.5,"args":{"Addr":8192,"Bytes":32,"Device Id":0}},
{"ph":"i","name":"Iteration"},
{"ph":"i","name":"[memory]","ts":2.75,"args":{"Addr":8192,"Bytes":-32,"Device Id":0}}]})",
      {}, "x.json");
  REQUIRE(events.problem->size() == 2);
  CHECK((*events.problem)[0].start == 0);
  CHECK((*events.problem)[0].end == 3);
  CHECK((*events.problem)[1].start == 1);
  CHECK((*events.problem)[1].end == 2);
  CHECK(has_warning(events, "order of their time"));
  const Document counters = read_good(
      R"([{"ph":"C","name":"mem","ts":2,"args":{"bytes":2}},{"ph":"C","name":"mem","ts":0,"args":{"bytes":5}},
{"ph":"C","name":"mem","ts":1,"args":{"bytes":9}}])",
      {}, "x.json");
  CHECK((*counters.problem)[0].start == 1);
  CHECK(load_of(counters) == 9);
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
        std::pair("3\n10\n1 2 3\n2 4 5\n", "strip packing"), std::pair("<svg width=\"1\"></svg>", "picture in XML"),
        std::pair("func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) {\n  return\n}\n", "MLIR in which nothing")}) {
    const std::string message = read_error(text, {}, "x");
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
  }
}
