#include <string>

#include <doctest/doctest.h>

#include "core/model/metrics.h"
#include "tests/core/io/read_dump.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

const ToyDump& toy_of(const std::vector<ToyDump>& toys, std::string_view format) {
  for (const ToyDump& toy : toys) {
    if (toy.format == format) return toy;
  }
  FAIL("no toy of this format");
  return toys.front();
}

constexpr std::string_view kBreaksOff = "the last line breaks off";

}  // namespace

TEST_CASE("ltrace: registers that nobody had set are neither sizes nor addresses") {
  const Document document = read_good(
      "p->malloc(64) = 0x5500\np->calloc(94540694891264, 2048) = 0x6600\np->realloc(0x5500, 6) = 0x6\n", {}, "x");
  CHECK(document.problem->size() == 1);
  CHECK(load_of(document) == 64);
  CHECK(document.facts.left_out == 2);
  CHECK(has_warning(document, "x:2: a size of 193619343137308672 bytes is above 2^47"));
  CHECK(has_warning(document, "x:3: the result 0x6 is below any address"));
  CHECK(document.problem->details(0)->open_end);  // the block was not taken back
}

TEST_CASE("ltrace: threads, times and libraries may stand before a call, whole or interrupted") {
  const Document document = read_good(
      "[pid 12] 10:11:12.345678 malloc(24 <unfinished ...> <0.000123>\n"
      "13 1700000000.345678 p->malloc(8 <unfinished ...>\n"
      "[pid 12] 10:11:12.345678 <... malloc resumed> ) = 0x5500 <0.000123>\n"
      "13 1700000000.345678 p-><... malloc resumed> ) = 0x6600\n"
      "p-><... calloc resumed> ) = 0x7700\n",
      {}, "x");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].size == 24);
  CHECK((*document.problem)[1].size == 8);
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document, "x:5: the call of calloc began before this log"));
}

TEST_CASE("ltrace: C++ and aligned allocations are read; what does not show its address is listed") {
  const Document document = read_good(
      "_Znwm(24, 1, 2) = 0x5500\n_ZdlPv(0x5500, 1) = <void>\n"
      "p->operator new(unsigned long)(32) = 0x5500\np->operator delete(void*)(0x5500) = <void>\n"
      "operator new[](unsigned long)(16) = 0x6600\noperator delete[](void*, unsigned long)(0x6600, 16) = <void>\n"
      "aligned_alloc(64, 128) = 0x7700\nmemalign(64, 8) = 0x8800\nposix_memalign(0x7ffe, 64, 100) = 0\n"
      "strlen(\"malloc(3) = 4\") = 13\n",
      {}, "x");
  REQUIRE(document.problem->size() == 5);
  CHECK((*document.problem)[0].lifetime() == 1);
  CHECK((*document.problem)[1].size == 32);
  CHECK((*document.problem)[2].size == 16);
  CHECK((*document.problem)[3].size == 128);
  CHECK((*document.problem)[4].size == 8);
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document, "x:9: posix_memalign does not show the address"));
}

TEST_CASE("text dumps: a last line that is cut is told, a whole one without its end is not") {
  const auto toys = toy_dumps();
  for (const std::string format : {"mtrace", "ltrace"}) {
    const ToyDump& toy = toy_of(toys, format);
    CHECK_FALSE(has_warning(read_good(toy.bytes, {}, toy.name), kBreaksOff));
    CHECK(has_warning(read_good(toy.bytes.substr(0, toy.bytes.size() - 1), {}, toy.name), kBreaksOff));
  }
  CHECK(has_warning(read_good("v 10400 3\n+ 40 1 1000\n+ 20 1 10", {}, "x"), "x:3: the last line breaks off"));
  const ToyDump& plan = toy_of(toys, "tflm-plan");
  const std::size_t last = plan.bytes.find("\n 0: 0000");
  CHECK_FALSE(has_warning(read_good(plan.bytes.substr(0, last), {}, plan.name), kBreaksOff));
  const Document cut = read_good(plan.bytes.substr(0, last - 3), {}, plan.name);
  CHECK(cut.facts.left_out == 1);
  CHECK(has_warning(cut, "plan.txt:4: the last line breaks off"));
}

TEST_CASE("mtrace: callers may be without a file, or missing") {
  const Document bare = read_good(" [0x401196] + 0x1000 0x40\n [0x401196] - 0x1000\n", {}, "x");
  CHECK(bare.facts.format == "mtrace");
  CHECK(load_of(bare) == 64);
  const Document missing = read_good("= Start\n+ 0x7000 0x10\n- 0x7000\n", {}, "x");
  CHECK(missing.facts.left_out == 0);
  CHECK(load_of(missing) == 16);
}

TEST_CASE("mtrace: addresses may be written with 0X, and what failed or makes no sense is told apart") {
  const Document document = read_good(
      "= Start\n@ ./p:[0x1] + 0X7000 0X10\n@ ./p:[0x2] + (nil) 0x1000000000000000\n@ ./p:[0x1] - 0X7000\nnoise\n= "
      "End\n",
      {}, "x");
  REQUIRE(document.problem->size() == 1);
  CHECK((*document.problem)[0].lifetime() == 1);
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document, "x:5:"));
}

TEST_CASE("ltrace: calls seen at the program and inside the library count once, times may follow the result") {
  const Document document = read_good(
      "malloc(64 <unfinished ...>\nmalloc@libc.so.6(64) = 0x5500\n<... malloc resumed> ) = 0x5500\n"
      "realloc(0x5500, 0) = 0 <0.000098>\nfree(0 <unfinished ...>\nfree@libc.so.6(0) = <void>\n"
      "<... free resumed> ) = <void>\nmalloc(8) = 0x5500 <0.000100>\n",
      {}, "x");
  REQUIRE(document.problem->size() == 2);
  CHECK(document.facts.warnings.empty());
  CHECK((*document.problem)[0].lifetime() == 1);
}

TEST_CASE("heaps: memory that lies far apart is several spaces") {
  const Document document = read_good(
      "= Start\n+ 0x5000 0x10\n+ 0x7f0000001000 0x40000\n+ 0x5010 0x20\n+ 0x7f0000000000 0x8\n= End\n", {}, "x");
  REQUIRE(document.problem->spaces().size() == 2);
  CHECK(document.problem->spaces()[0].id == "heap");
  CHECK(document.problem->spaces()[1].id == "heap at 0x7f0000000000");
  CHECK(document.problem->spaces()[1].base == 0x7f0000000000U);
  CHECK((*document.problem)[1].space == 1);
  CHECK(document.plans.at(0).offsets[1] == 0x1000);
  CHECK(document.plans.at(0).offsets[2] == 0x10);
  CHECK(has_warning(document, "2 groups more than 1 GiB apart"));
}

TEST_CASE("MLIR: other ops that give memory are counted, a type may stand on the next line") {
  const Document document = read_good(
      "func.func @f() {\n  %a = memref.alloc()\n      : memref<16xf32>\n  %b = memref.alloca() : memref<4xf32>\n"
      "  %c = memref.alloca() : memref<4xf32>\n  %d, %t = gpu.alloc async [%s] () : memref<8xf32>\n"
      "  memref.dealloc %a\n      : memref<16xf32>\n  return\n}\n",
      {}, "x.mlir");
  REQUIRE(document.problem->size() == 1);
  CHECK((*document.problem)[0].size == 64);
  CHECK((*document.problem)[0].lifetime() == 5);
  CHECK(has_warning(document, "memref.alloca is not read; it gives memory 2 times"));
  CHECK(has_warning(document, "gpu.alloc is not read; it gives memory 1 time"));
  const Document torn =
      read_good("func.func @f() {\n  %a = memref.alloc()\n  %b = memref.alloc() : memref<2xf32>\n}\n", {}, "x.mlir");
  CHECK(torn.problem->size() == 1);
  CHECK(torn.facts.left_out == 1);
  CHECK(read_error("%0 = \"memref.alloc\"() : () -> memref<16xf32>\n", {}, "x.mlir").find("generic form") !=
        std::string::npos);
}

TEST_CASE("MLIR of old is no log of calls, and a file without buffers says so") {
  const Document old = read_good(
      "func @f() {\n  %0 = alloc() : memref<16xf32>\n  dealloc %0 : memref<16xf32>\n  return\n}\n", {}, "x.mlir");
  CHECK(old.facts.format == "mlir-memref");
  CHECK(load_of(old) == 64);
  CHECK((*old.problem)[0].lifetime() == 1);
  const Document none = read_good("func.func @f() {\n  %0 = memref.alloca() : memref<16xf32>\n}\n", {}, "x.mlir");
  CHECK(none.problem->size() == 0);
  CHECK(has_warning(none, "no buffer could be read"));
}

TEST_CASE("TensorFlow Lite Micro: a plan behind a long log, and two plans in one log") {
  const auto toys = toy_dumps();
  const std::string& plan = toy_of(toys, "tflm-plan").bytes;
  std::string log;
  while (log.size() < 40000) log += "I (1234) main: nothing (id=7) that matters\n";
  const Document behind = read_good(log + plan, {}, "x");
  CHECK(behind.facts.format == "tflm-plan");
  CHECK(behind.problem->size() == 4);
  const Document twice = read_good(plan + "second model\n" + plan, {}, "x");
  REQUIRE(twice.problem->spaces().size() == 2);
  CHECK(twice.problem->spaces()[1].id == "arena (2)");
  CHECK((*twice.problem)[4].space == 1);
  CHECK(load_of(twice) == 112);
}

TEST_CASE("TensorFlow Lite Micro: the lines of older versions") {
  const Document document = read_good(
      "Planner buffer ID: 0, calculated offset: 0, size required: 64, first_time_created: 0, last_time_used: 2\n"
      "Planner buffer ID: 1, calculated offset: 64, size required: 32, first_time_created: 1, last_time_used: 3\n",
      {}, "x");
  CHECK(document.facts.format == "tflm-plan");
  REQUIRE(document.problem->size() == 2);
  CHECK(load_of(document) == 96);
  CHECK((*document.problem)[1].end == 4);
  CHECK(document.plans.at(0).offsets[1] == 64);
}

TEST_CASE("IREE: an affinity before the slices is none of them") {
  const Document document = read_good(
      "func.func @f() {\n  %c64 = arith.constant 64 : index\n"
      "  %t:3 = stream.resource.pack on(#hal.affinity.queue<[0]>) slices({\n    [0, 1] = %c64,\n    [1, 2] = %c64\n"
      "  }) : index\n}\n",
      {}, "x");
  CHECK(document.problem->size() == 2);
  CHECK(document.facts.left_out == 0);
  CHECK(load_of(document) == 128);
}

TEST_CASE("MLIR: memory may be freed by another name") {
  const Document document = read_good(
      "func.func @f() {\n  %a = memref.alloc() : memref<4x4xf32>\n"
      "  %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>\n"
      "  %c = memref.cast %b : memref<16xf32> to memref<?xf32>\n"
      "  memref.dealloc %c : memref<?xf32>\n  %d = memref.alloc() : memref<16xf32>\n  memref.dealloc %d : "
      "memref<16xf32>\n  return\n}\n",
      {}, "x");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].lifetime() == 3);
  CHECK(load_of(document) == 64);
}

TEST_CASE("USMP: a pool without a name gets one, so that what is written can be read") {
  const Document document = read_good(R"({"pools":[{"size":112}],"buffers":[
{"name":"a","size":16,"conflicts":["b"],"offset":0},{"name":"b","size":8,"conflicts":["a"],"pool":"memory","offset":16}]})",
                                      {}, "usmp.json");
  for (const Space& space : document.problem->spaces()) CHECK(!space.id.empty());
  const auto written = find_format("stowage-json")->write(document, {});
  REQUIRE(written);
  CHECK(read_good(*written, {}, "again.json").problem->size() == 2);
}

TEST_CASE("USMP: the first buffer needs no conflicts, and numbers may be text") {
  const Document document = read_good(
      R"({"buffers":[{"name_hint":"a","size_bytes":"64","alignment":"16"},
{"name_hint":"b","size_bytes":"32","byte_offset":"64","conflicts":["a"]}]})",
      {}, "x.json");
  CHECK(document.facts.format == "usmp");
  CHECK(document.facts.left_out == 0);
  CHECK((*document.problem)[0].size == 64);
  CHECK((*document.problem)[0].alignment == 16);
  CHECK(load_of(document) == 96);
}

TEST_CASE("USMP: the list of buffers may stand alone") {
  const Document document = read_good(
      R"([{"name":"a","size":64,"conflicts":["b"],"offset":0},{"name":"b","size":32,"offset":64}])", {}, "x.json");
  CHECK(document.facts.format == "usmp");
  REQUIRE(document.problem->size() == 2);
  CHECK(document.plans.at(0).offsets[1] == 64);
  CHECK(load_of(document) == 96);
}

TEST_CASE("SOMAS: blanks in place of tabs") {
  std::string text = kToySomas;
  const Document tabs = read_good(text, {}, "x.ir");
  for (std::size_t at = text.find('\t'); at != std::string::npos; at = text.find('\t', at)) text.replace(at, 1, "    ");
  const Document blanks = read_good(text, {}, "x.ir");
  CHECK(blanks.facts.format == "somas");
  CHECK(blanks.facts.left_out == 0);
  REQUIRE(blanks.problem->size() == tabs.problem->size());
  CHECK(blanks.plans.at(0).offsets == tabs.plans.at(0).offsets);
  CHECK(blanks.problem->details(0)->op == tabs.problem->details(0)->op);
  CHECK(load_of(blanks) == 112);
}

TEST_CASE("IREE: constants that are defined below a pack, or not at all, have their values in their names") {
  const std::string pack =
      "%t:5 = stream.resource.pack slices({ [0, 2] = %c64, [1, 3] = %c32_0, [3, 4] = %c64_i64, [2, 4] = %c16 }) : "
      "index\n";
  for (const std::string& text : {pack, pack + "%c64 = arith.constant 64 : index\n"}) {
    const Document document = read_good(text, {}, "x.mlir");
    CHECK(document.facts.left_out == 0);
    CHECK(load_of(document) == 112);
    CHECK(has_warning(document, "4 sizes are what the names of constants say"));
  }
  const Document other = read_good("%t:2 = stream.resource.pack slices({ [0, 2] = %cst }) : index\n", {}, "x.mlir");
  CHECK(other.facts.left_out == 1);
}

TEST_CASE("XLA: the columns of a memory space assignment may stand in any order") {
  const Document document = read_good(
      "size,buffer_id,offset,end_time,start_time\n64,0,0,2,0\n32,1,64,3,1\n64,3,0,4,3\n16,-2,96,4,2\n", {}, "a.csv");
  CHECK(document.facts.format == "xla-memory-spaces");
  CHECK(load_of(document) == 112);
}

TEST_CASE("XLA: the buffer information of an assignment is a problem") {
  const Document document = read_good(
      "buffer_id,buffer_name,offset,size,definition_time,end_time,num_uses,use_times,use_names\n"
      "0,\"<0 a @0>\",0,64,0,2,1,\"2\",\"b, operand 0\"\n1,\"<1 b @0>\",64,32,2,5,0,\"\",\"\"\n",
      {}, "x.csv");
  CHECK(document.facts.format == "xla-memory-spaces");
  CHECK(document.plans.empty());
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].end == 3);
  CHECK((*document.problem)[1].end == 6);
  CHECK(has_warning(document, "not in which allocation"));
}

TEST_CASE("SOMAS: the nodes give a graph with streams, control edges and workspaces, and the plan lies in it") {
  const std::string text =
      "All Parameters:\n\nindex:\tsize:\tsource node name:\tnode out index:\n%0P\t#4096S\tweight\t0\n\n"
      "All Tensors:\n\nindex:\taligned_size:\toriginal_size:\toffset:\ttype:\tlifelong:\tlife_start:\tlife_end:\t"
      "source node name:\n"
      "%0T\t#512S\t#500S\t&0\tCommon\tLifelongNone\t0\t2\tconv\n"
      "%1T\t#512S\t#512S\t&512\tCommon\tLifelongNone\t1\t2\trelu\n"
      "%2T\t#1024S\t#1024S\t&1024\tWorkspace\tLifelongNone\t1\t1\trelu\n"
      "%3T\t#512S\t#512S\t&1024\tOutputOnly\tLifelongNone\t2\t2\tadd\n"
      "%0CT\t#0S\t#0S\t&0\tControl\tLifelongNone\t0\t1\tconv\n\n"
      "All Nodes:\n\n"
      "$0\tDefault/Conv2D-op1\t0\tinputs[%0P, ]\toutputs[%0T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[%0CT, "
      "]\tstreamID[@0]\n"
      "$1\tDefault/ReLU-op2\t0\tinputs[%0T, ]\toutputs[%1T, ]\tworkspace[%2T, ]\tctrl_inputs[%0CT, ]\tctrl_outputs[]"
      "\tstreamID[@1]\n"
      "$2\tDefault/Add-op3\t0\tinputs[%0T, %1T, ]\toutputs[%3T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]"
      "\tstreamID[@0]\n\nAll Stream Groups:\n\nstm0 stm1\n";
  CHECK(read_good(text, {}, "x.ir").graph == nullptr);
  ReadOptions options;
  options.choices["as"] = "graph";
  for (const char* tab : {"\t", "   "}) {
    std::string pasted = text;
    for (std::size_t at = pasted.find('\t'); at != std::string::npos; at = pasted.find('\t', at + 1)) {
      pasted.replace(at, 1, tab);
    }
    const Document document = read_good(pasted, options, "x.ir");
    REQUIRE(document.graph != nullptr);
    const Graph& graph = *document.graph;
    REQUIRE(graph.ops().size() == 3);
    CHECK(graph.op(0).type == "Conv2D");
    CHECK(graph.op(1).stream == 1);
    CHECK(graph.op(2).in == std::vector<TensorIndex>{0, 1});
    CHECK(graph.tensor(2).kind == TensorKind::kWorkspace);
    CHECK(graph.tensor(4).kind == TensorKind::kWeight);
    CHECK(graph.input().outputs == std::vector<TensorIndex>{3});
    REQUIRE(graph.events().size() == 1);
    CHECK(graph.events()[0] == Event{0, 1});
    CHECK(document.problem->size() == 4);
    REQUIRE(document.plans.size() == 1);
    CHECK(document.plans[0].offsets == std::vector<std::int64_t>{0, 512, 1024, 1024});
  }
  CHECK(read_error(text.substr(0, text.find("All Nodes:")), options, "x.ir").find("no nodes") != std::string::npos);
}

TEST_CASE("idealloc: a trace of few calls that is torn is still one") {
  const std::string whole = toy_trc();
  const Document torn = read_good(std::string_view(whole).substr(0, 60), {}, "x.trc");
  CHECK(torn.facts.format == "idealloc-trc");
  CHECK(torn.problem->size() == 1);
  CHECK(torn.facts.left_out == 1);
}

TEST_CASE("IOPDDL: numbers may stand in quotes") {
  const Document document = read_good(
      R"({"problem":{"nodes":{"intervals":[["0","3"],["2",4]],"costs":[["1","2"],[1]],"usages":[["70","60"],["8"]]},
"usage_limit":"100"}})",
      {}, "x.json");
  CHECK(document.facts.left_out == 0);
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].size == 60);
  CHECK(load_of(document) == 68);
  CHECK(document.problem->capacity() == 100);
}

TEST_CASE("IOPDDL: a limit that does not fit is told") {
  const Document document = read_good(
      R"({"problem":{"nodes":{"intervals":[[0,3]],"costs":[[1]],"usages":[[70]]},
"usage_limit":1000000000000000000000000000000}})",
      {}, "x.json");
  CHECK_FALSE(document.problem->capacity().has_value());
  CHECK(has_warning(document, "usage_limit is no number of bytes"));
}
