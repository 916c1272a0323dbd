#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/text.h"
#include "core/graph/graph.h"
#include "core/io/unpack_zstd.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/reading.h"
#include "tests/support/graph_document.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Life = std::pair<std::int64_t, std::int64_t>;

// The toy problem: a 64 [0,3), b 32 [1,4), d 16 [2,5), c 64 [3,5).
constexpr std::string_view kToyHlo =
    R"(HloModule toy, is_scheduled=true, entry_computation_layout={()->(f32[16]{0}, f32[4]{0})}

ENTRY %main () -> (f32[16], f32[4]) {
  %a = f32[16]{0} custom-call(), custom_call_target="make, \"this\" }"
  %b = f32[8]{0} custom-call(f32[16]{0} %a), custom_call_target="x"
  %d = f32[4]{0} custom-call(f32[16]{0} %a), custom_call_target="x"
  %c = f32[16]{0} custom-call(f32[8]{0} %b), custom_call_target="x", metadata={op_name="jit(f)/c" source_file="f.py" source_line=7}
  ROOT %out = (f32[16]{0}, f32[4]{0}) tuple(f32[16]{0} %c, /*index=1*/f32[4]{0} %d)
}
)";

constexpr std::string_view kToyXml = R"(<?xml version="1.0"?>
<net name="toy" version="11">
  <layers>
    <layer id="0" name="a" type="Make" version="x"><output><port id="0" precision="FP32"><dim>4</dim><dim>4</dim></port></output></layer>
    <layer id="1" name="b" type="F"><input><port id="0"><dim>4</dim><dim>4</dim></port></input><output><port id="1" precision="FP16"><dim>16</dim></port></output></layer>
    <layer id="2" name="d" type="F"><output><port id="1" precision="I4"><dim>32</dim></port></output></layer>
    <layer id="3" name="c" type="If"><output><port id="1" precision="boolean"><dim>64</dim></port></output>
      <then_body><layers><layer id="0" name="hidden" type="Parameter"><output><port id="0" precision="FP32"><dim>999</dim></port></output></layer></layers></then_body></layer>
    <layer id="4" name="out" type="Result"/>
    <layer id="5" name="out2" type="Result"/>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="3" to-port="0"/>
    <edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
    <edge from-layer="2" from-port="1" to-layer="5" to-port="0"/>
  </edges>
</net>
)";

constexpr std::string_view kToyRaw = R"(v 10500 3
# a comment
x 9 /bin/prog
X prog --fast
I 1000 5f
m 9 /bin/prog 5000 0 1000
t 5010 0
c 5
+ 40 1 1000
+ 20 1 1040
R 30
+ 10 1 1060
- 1000
+ 40 1 1000
- 1040
- 1000
- 1060
)";

constexpr std::string_view kToyInterpreted = R"(v 10500 3
X prog
s main
t 1 0
a 40 1
a 20 1
+ 0
+ 1
a 10 1
+ 2
- 0
+ 0
- 1
- 0
- 2
)";

const std::pair<std::string_view, std::string_view> kToys[] = {
    {"hlo", kToyHlo}, {"openvino", kToyXml}, {"heaptrack", kToyRaw}, {"heaptrack", kToyInterpreted}};

}  // namespace

TEST_CASE("text models and recordings: the toy problem has load 112, and cut off or damaged it is no danger") {
  for (const auto& toy : kToys) {
    const auto [format, text] = toy;
    CAPTURE(toy.first);
    const Document document = read_good(text, {}, "toy");
    CHECK(document.facts.format == format);
    CHECK(document.facts.left_out == 0);
    CHECK(load_of(document) == 112);
    ReadOptions options;
    options.format = format;
    const auto safely = [&](std::string_view bytes) {
      const auto read = read_document(bytes, "toy", options);
      if (!read) CHECK(is_utf8(read.error().message));
      if (read) (void)measure(*read->problem);
    };
    for (std::size_t length = 1; length < text.size(); ++length) safely(text.substr(0, length));
    for (std::size_t at = 0; at < text.size(); at += 3) {
      std::string bytes(text);
      for (const char other : {'\xFF', '(', '9', '-', '"', '}', '\n'}) {
        bytes[at] = other;
        safely(bytes);
      }
    }
  }
}

TEST_CASE("heaptrack: raw files give the plan of the heap, interpreted ones sizes and lifetimes") {
  const Document raw = read_good(kToyRaw, {}, "heaptrack.prog.1.raw");
  REQUIRE(raw.plans.size() == 1);
  CHECK(measure(*raw.problem, measure(*raw.problem), raw.plans[0]).makespan == 112);
  CHECK(check_plan(*raw.problem, raw.plans[0]).valid());
  const Document interpreted = read_good(kToyInterpreted, {}, "heaptrack.prog.1");
  CHECK(interpreted.plans.empty());
  CHECK(has_warning(interpreted, "has no addresses"));
  CHECK(life_of(interpreted, "a0_0") == Life(0, 3));
  const Document odd = read_good("v 1 2\nX p\nt 1 0\n+ 10 1 ff\n- aa\n+ zz 1 1\n+ 8 1 200\n", {}, "r");
  CHECK(odd.problem->size() == 2);
  CHECK(odd.facts.left_out == 1);
  CHECK(has_warning(odd, "frees 0xaa, which this file never gave out"));
  CHECK(has_warning(odd, "r:6:"));
}

TEST_CASE("Zstandard: files are unpacked, damaged ones and those cut off are named") {
  // One frame with a raw block of "v 1 2\n+ 8 1 200\n".
  const std::string text = "v 1 2\n+ 8 1 200\n";
  std::string frame("\x28\xB5\x2F\xFD\x20\x10\x81\x00\x00", 9);
  frame += text;
  std::string out;
  const std::string why = unpack_zstd(frame, out, 1000);
  if (why.find("this build cannot unpack") != std::string::npos) return;
  CHECK(why.empty());
  CHECK(out == text);
  CHECK(read_good(frame, {}, "heaptrack.p.raw.zst").problem->size() == 1);
  CHECK(read_error(frame.substr(0, 14), {}, "h.zst").find("h.zst: the Zstandard file breaks off") == 0);
  CHECK(read_error(frame + "x", {}, "h.zst").find("h.zst: the Zstandard file") == 0);
  CHECK(read_error(frame, {}, "h.raw").find("this is a Zstandard file") != std::string::npos);
  out.clear();
  CHECK(unpack_zstd(frame, out, 5).find("unpacks to more than") != std::string::npos);
}

TEST_CASE("HLO: shapes, spaces, classes and where things come from") {
  const Document document = read_good(R"(HloModule m, is_scheduled=true
ENTRY main {
  p = (f32[2,3]{1,0:T(8,128)S(1)}, s32[]) parameter(0)
  g = f32[2,3]{1,0} get-tuple-element(p), index=0
  big = c128[3]{0} constant({(1,2), (3,4),
     (5,6)})
  four = s4[3]{0:E(4)} convert(g)
  dynamic = pred[<=8]{0} custom-call(four, big), custom_call_target="t"
  fast = bf16[4]{0:S(1)} custom-call(dynamic), custom_call_target="t", metadata={source_file="f.py" source_line=7}
  odd = what[4]{0} custom-call(fast), custom_call_target="t"
  unbounded = f32[?] custom-call(odd), custom_call_target="t"
  t = token[] after-all()
  ROOT r = u8[5]{0} custom-call(unbounded, t, fast), custom_call_target="t"
}
)");
  CHECK(tensor_of(document, "p{0}").bytes == 24);
  CHECK(tensor_of(document, "p{0}").space == "S(1)");
  CHECK(tensor_of(document, "p{0}").kind == TensorKind::kInput);
  CHECK(tensor_of(document, "big").bytes == 48);
  CHECK(tensor_of(document, "big").kind == TensorKind::kConstant);
  CHECK(tensor_of(document, "four").bytes == 2);
  CHECK(tensor_of(document, "dynamic").bytes == 8);
  CHECK(tensor_of(document, "fast").space == "S(1)");
  CHECK(tensor_of(document, "fast").source == "f.py:7");
  CHECK_FALSE(tensor_of(document, "odd").bytes.has_value());
  CHECK_FALSE(tensor_of(document, "unbounded").bytes.has_value());
  CHECK(tensor_of(document, "t").bytes == 0);
  CHECK(document.graph->ops().size() == 10);
  CHECK(life_of(document, "four") == Life(3, 5));
  CHECK(life_of(document, "p{0}") == Life(-1, -1));
  CHECK(life_of(document, "r") == Life(9, 10));
}

TEST_CASE("HLO: what hands on its operand owns nothing, loops and branches are one step") {
  constexpr std::string_view text = R"(HloModule m, is_scheduled=true

%body (s: (f32[16])) -> (f32[16]) {
  %s = (f32[16]) parameter(0)
  %v = f32[16] get-tuple-element(%s), index=0
  %tmp = f32[100] custom-call(%v), custom_call_target="x"
  %w = f32[16] custom-call(%tmp), custom_call_target="x"
  ROOT %t = (f32[16]) tuple(%w)
}

%cond (s.1: (f32[16])) -> pred[] {
  %s.1 = (f32[16]) parameter(0)
  ROOT %yes = pred[] constant(true)
}

ENTRY %main () -> f32[4] {
  %a = f32[16] custom-call(), custom_call_target="x"
  %t0 = (f32[16]) tuple(%a)
  %loop = (f32[16]) while(%t0), condition=%cond, body=%body
  %r = f32[16] get-tuple-element(%loop), index=0
  %view = f32[4,4] bitcast(%r)
  %start = (f32[4,4], f32[4,4], u32[]) copy-start(%view)
  %done = f32[4,4] copy-done(%start)
  %twin = (f32[4], f32[16]) fusion(%done), kind=kLoop, calls=%f, output_to_operand_aliasing={{1}: (0, {})}
  ROOT %end = f32[4] get-tuple-element(%twin), index=0
}
)";
  const Document document = read_good(text);
  CHECK(life_of(document, "a") == Life(0, 7));  // with the loop's result and its view, until the copy is done
  CHECK(life_of(document, "loop{0}") == Life(-1, -1));
  CHECK(life_of(document, "view") == Life(-1, -1));
  CHECK(life_of(document, "start{0}") == Life(5, 8));
  CHECK(life_of(document, "done") == Life(-1, -1));
  CHECK(life_of(document, "twin{1}") == Life(-1, -1));
  CHECK(life_of(document, "twin{0}") == Life(7, 9));
  CHECK(load_of(document) == 64 + 64 + 4);
  CHECK(has_warning(document, "1 of the instructions call computations"));
  const Document inner = read_good(text, choose("inner", "count"));
  CHECK(load_of(inner) == 64 + 400);
  CHECK(life_of(inner, "loop.workspace") == Life(2, 3));
}

TEST_CASE("HLO: lines may end with CRLF") {
  const std::string text =
      "HloModule m, is_scheduled=true\n\n%body (p: f32[4]) -> f32[4] {\n  %p = f32[4] parameter(0)\n"
      "  %u = f32[4] negate(%p)\n  ROOT %v = f32[4] negate(%u)\n}\n\nENTRY %main () -> f32[4] {\n"
      "  %a = f32[4] iota(), iota_dimension=0\n  %t = (f32[4], f32[4]) custom-call(%a,\n    %a\n  )\n"
      "  %g = f32[4] get-tuple-element(%t), index=1\n  ROOT %r = f32[4] call(%g), to_apply=%body\n}\n";
  std::string windows;
  for (const char letter : text) windows += letter == '\n' ? "\r\n" : std::string(1, letter);
  const ReadOptions inner = choose("inner", "count");
  const Document expected = read_good(text, inner, "m.hlo");
  const Document document = read_good(windows, inner, "m.hlo");
  CHECK(document.facts.left_out == 0);
  CHECK(document.facts.warnings == expected.facts.warnings);
  CHECK(document.problem->size() == expected.problem->size());
  CHECK(load_of(document) == load_of(expected));
}

TEST_CASE("HLO: what people write and newer versions print") {
  const Document document = read_good(R"(// RUN: something
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, must-alias) }, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

FileNames
1 "g.py"
2 "f.py"

FunctionNames
1 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=9}
2 {file_name_id=2 function_name_id=1 line=12 end_line=12 column=1 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

%part (x: f32[8]) -> f32[4] {
  %x = f32[8]{0} parameter(0)
  ROOT %s = f32[4]{0} slice(%x), slice={[0:4]}
}, execution_thread="side"

ENTRY %main (a: f32[8],
    b: f32[8]) -> f32[8] {
  // CHECK: negate
  %a = f32[8]{0} parameter(0),
    metadata={op_name="a"}
  %n = f32[8]{0} negate(%a), /* why */
    control-predecessors={%a},  // and so on
    metadata={op_name="jit(f)/neg" stack_frame_id=2}, backend_config={"x":{"y":"}"}}
  %slice-start = ((f32[8]{0}), f32[4]{0}, u32[]) slice-start(%n), calls=%part
  %slice-update = ((f32[8]{0}), f32[4]{0}, u32[]) slice-update(%slice-start)
  %slice-done = f32[4]{0} slice-done(%slice-update)
  %w = f32[8]{0} custom-call(%slice-done), custom_call_target="t"
  %pinned = b(f32[8]{0}) custom-call(%w), custom_call_target="Pin"
  %bad = add(%w, %w)
  ROOT all = tuple(%w)
}

// -----
HloModule second
ENTRY %other () -> f32[] {
  ROOT %c = f32[] constant(0)
}
)");
  CHECK(tensor_of(document, "n").source == "f.py:12");
  CHECK(life_of(document, "n") == Life(1, 5));  // until the slice is done
  CHECK(life_of(document, "slice-start{1}") == Life(2, 6));
  CHECK(life_of(document, "slice-done") == Life(-1, -1));
  CHECK(life_of(document, "w") == Life(5, 8));  // the tuple hands it out
  CHECK(tensor_of(document, "pinned").bytes == 32);
  CHECK(has_warning(document, "line 37: its shape is missing"));
  CHECK(has_warning(document, "another module begins here"));
  CHECK(has_warning(document, "1 outputs lie in parameters"));
  CHECK(document.facts.left_out == 2);
}

TEST_CASE("HLO: unscheduled modules, fragments and lines that are no instructions are told") {
  const Document open = read_good(
      "HloModule m\n\nf {\n  a = f32[4] iota(), iota_dimension=0\n  nonsense here\n"
      "  b = f32[4] negate(a)\n  c = f32[4] add(b, ghost)\n}\n");
  CHECK(has_warning(open, "not scheduled"));
  CHECK(has_warning(open, "no computation is marked ENTRY"));
  CHECK(has_warning(open, "line 5: not an instruction"));
  CHECK(has_warning(open, "c reads ghost"));
  CHECK(open.facts.left_out == 1);
  CHECK(open.problem->size() == 3);
  CHECK(read_error("HloModule m\n").find("no computation") != std::string::npos);
  CHECK(has_warning(read_good("HloModule m, is_scheduled=true\nENTRY f {\n a = f32[4] iota()\n"), "breaks off inside"));
  std::string deep = "HloModule m\nENTRY f {\n a = ";
  deep += std::string(100'000, '(') + "f32[1]" + std::string(100'000, ')') + " x()\n}\n";
  CHECK(read_good(deep).problem->size() == 0);
  // Tuples of the same twice would double without end.
  std::string doubling = "HloModule m\nENTRY f {\n t0 = f32[4] iota()\n";
  for (int i = 1; i < 200; ++i)
    doubling += " t" + std::to_string(i) + " = (f32[4]) tuple(t" + std::to_string(i - 1) + ", t" +
                std::to_string(i - 1) + ")\n";
  CHECK(read_good(doubling + "}\n").problem->size() == 1);
}

TEST_CASE("OpenVINO: inputs, weights, old precisions, dimensions that are asked for") {
  const std::string text =
      R"(<net name="n"><layers>
<layer id="3" name="relu" type="ReLU" precision="FP16"><output><port id="1"><dim>-1</dim><dim>8</dim></port></output></layer>
<layer id="1" name="x" type="Parameter"><output><port id="0" precision="FP32"><dim>-1</dim><dim>8</dim></port></output></layer>
<layer id="2" name="w" type="Const"><output><port id="0" precision="U1"><dim>9</dim></port></output></layer>
<layer id="9" name="y" type="Result"/><layer name="broken" type="ReLU"/>
</layers><edges><edge from-layer="1" from-port="0" to-layer="3" to-port="0"/><edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="1" to-layer="9" to-port="0"/><edge from-layer="7" from-port="0" to-layer="3" to-port="3"/></edges></net>)";
  const Document open = read_good(text);
  CHECK(has_warning(open, "--dims '?=NUMBER'"));
  CHECK(open.problem->size() == 0);
  ReadOptions options = choose("dims", "?=2");
  options.choices["include"] = "inputs,weights,outputs";
  const Document document = read_good(text, options);
  CHECK(tensor_of(document, "x").bytes == 64);
  CHECK(tensor_of(document, "relu").bytes == 32);
  CHECK(tensor_of(document, "w").bytes == 2);
  CHECK(document.graph->ops().size() == 1);
  CHECK(load_of(document) == 98);
  CHECK(has_warning(document, "1 layers and edges without their numbers"));
  CHECK(has_warning(document, "1 edges lead from a port that there is not"));
  CHECK(load_of(read_good(text, choose("dims", "x.0=2,relu.0=4"))) == 128);
}

TEST_CASE("OpenVINO: XML that is damaged, too deep or defines entities is refused with its line") {
  const auto why = [](const std::string& text) {
    ReadOptions options;
    options.format = "openvino";
    return read_error(text, options, "n.xml");
  };
  CHECK(why("<net>\n<layers>\n</net>").find("n.xml: line 3: mismatched tag") == 0);
  CHECK(why("<page/>").find("the outermost element is not net") != std::string::npos);
  CHECK(why("<!DOCTYPE net [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<net name=\"&b;\"/>").find("document type") !=
        std::string::npos);
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<net>";
  CHECK(why(deep).find("nested more than 256 deep") != std::string::npos);
  CHECK(read_error("<?xml version=\"1.0\"?><svg/>", {}, "p.xml").find("looks like a page") != std::string::npos);
}
