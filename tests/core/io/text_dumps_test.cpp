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

TEST_CASE("ltrace: calls that give memory of a size that nobody sees are counted") {
  const Document document = read_good(
      "strdup(\"abc\")  = 0x5000\nmalloc(16)  = 0x6000\nlibc.so.6->__strdup(\"d\")  = 0x7000\nfree(0x6000)  = "
      "<void>\nstrdup(\"e\")  = 0x8000\n",
      {}, "x.txt");
  CHECK(document.problem->size() == 1);
  CHECK(has_warning(document, "strdup gives memory of a size that the log does not tell; 2 calls not shown"));
  CHECK(has_warning(document, "__strdup gives memory of a size that the log does not tell; 1 call not shown"));
}

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

TEST_CASE("ltrace: lines cut behind a thread or inside a name are no calls") {
  const std::string text = "malloc(64) = 0x5500\n[pid 30\n<... resumed> = 0x10\n<... \n[pid \nmalloc(8) = 0x6000\n";
  ReadOptions options;
  options.format = "ltrace";
  const auto document = read_document(text, "cut.txt", options);
  REQUIRE_MESSAGE(document.has_value(), document.error().message);
  CHECK(document->problem->size() == 2);
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

TEST_CASE("MLIR: memory of the stack, of a device and of a reallocation, a type may stand on the next line") {
  const Document document = read_good(
      "func.func @f() {\n  %a = memref.alloc()\n      : memref<16xf32>\n  %b = memref.alloca() : memref<4xf32>\n"
      "  scf.for %i = %c0 to %c1 step %c1 {\n    %c = memref.alloca() : memref<4xf32, 5>\n  }\n"
      "  %d, %t = gpu.alloc async [%s] host_shared () : memref<8xf32>\n  %e = memref.realloc %a : memref<16xf32> to "
      "memref<32xf32>\n  %g = bufferization.clone %e : memref<32xf32> to memref<32xf32>\n"
      "  %u = gpu.dealloc async [%t] %d : memref<8xf32>\n  memref.dealloc %e\n      : memref<32xf32>\n  return\n}\n",
      {}, "x.mlir");
  REQUIRE(document.problem->size() == 5);
  const Problem& problem = *document.problem;
  const auto space_of = [&](BufferIndex i) {
    return problem.spaces()[problem[i].space].id;
  };
  CHECK(problem[0].size == 64);
  CHECK(problem[0].lifetime() == 8);  // while its contents are copied, too
  CHECK(space_of(1) == "stack");
  CHECK(problem[1].end == 14);
  CHECK(space_of(2) == "space 5");
  CHECK(problem[2].lifetime() == 1);
  CHECK(space_of(3) == "gpu host_shared");
  CHECK(problem[3].lifetime() == 3);
  CHECK(problem[4].size == 128);
  CHECK(problem[4].lifetime() == 3);
  CHECK(has_warning(document, "bufferization.clone is not read; it gives memory 1 time"));
  const Document torn =
      read_good("func.func @f() {\n  %a = memref.alloc()\n  %b = memref.alloc() : memref<2xf32>\n}\n", {}, "x.mlir");
  CHECK(torn.problem->size() == 1);
  CHECK(torn.facts.left_out == 1);
}

TEST_CASE("MLIR: the generic form is read, with the name of a function before or behind its body") {
  const std::string text = R"("builtin.module"() ({
  "func.func"() <{function_type = (index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: index):
    %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
    %0 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x4xf32>
    %1 = "memref.alloc"(%c4) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x4xf32, 1 : i32>
    %2 = "memref.subview"(%0) : (memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1]>>
    "memref.dealloc"(%2) : (memref<2x2xf32, strided<[4, 1]>>) -> ()
    %3:2 = "gpu.alloc"(%s, %c4) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!gpu.async.token, index) -> (memref<?xf32>, !gpu.async.token)
    "test.op"() {text = "}}"} : () -> ()
    %4 = "memref.alloc"(%arg0) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
    %t = "gpu.dealloc"(%s, %3#0) : (!gpu.async.token, memref<?xf32>) -> !gpu.async.token
  }) : () -> ()
  "func.func"() ({
    %0 = "memref.alloc"() : () -> memref<8xf32>
  }) {sym_name = "second"} : () -> ()
}) : () -> ()
)";
  const Document document = read_good(text, {}, "x.mlir");
  CHECK(document.facts.format == "mlir-memref");
  CHECK(document.problem->name() == "main");
  REQUIRE(document.problem->size() == 3);
  const Problem& problem = *document.problem;
  CHECK(problem[0].size == 64);
  CHECK(problem[0].alignment == 64);
  CHECK(problem[0].lifetime() == 3);  // freed by another name
  CHECK(problem[1].size == 64);
  CHECK(problem.spaces()[problem[1].space].id == "space 1");
  CHECK(problem[2].size == 16);
  CHECK(problem.spaces()[problem[2].space].id == "gpu");
  CHECK(problem[2].lifetime() == 3);
  CHECK(document.facts.left_out == 1);
  CHECK(has_warning(document,
                    "x.mlir:11: %4, memref<?xf32>, has a size that is known only at run time; --choose "
                    "sizes=%arg0=N gives it"));
  CHECK(has_warning(document, "for --choose function=NAME: second"));
  CHECK(read_good(text, choose("sizes", "arg0=8"), "x.mlir").facts.left_out == 0);
  CHECK(load_of(read_good(text, choose("function", "@second"), "x.mlir")) == 32);
}

TEST_CASE("MLIR: layouts count as far as they reach, names of types stand for them") {
  const Document document = read_good(
      "!row = memref<16xf32, \"L1\">\nfunc.func @f(%n: index) {\n"
      "  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1], offset: 2>>\n"
      "  %b = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 5 + d1)>, 3>\n"
      "  %c = memref.alloc()[%n] : memref<4xf32, strided<[?]>>\n  %d = memref.alloc() : !row\n}\n",
      {}, "x.mlir");
  REQUIRE(document.problem->size() == 3);
  CHECK((*document.problem)[0].size == (2 + 3 * 8 + 3 + 1) * 4);
  CHECK((*document.problem)[1].size == 64);
  CHECK(has_warning(document, "x.mlir:4: %b has the size of its dimensions; its layout affine_map"));
  CHECK(
      has_warning(document, "x.mlir:5: %c, memref<4xf32, strided<[?]>>, has strides that are known only at run time"));
  CHECK((*document.problem)[2].size == 64);
  CHECK(document.problem->spaces()[2].id == "space \"L1\"");
}

TEST_CASE("MLIR of old is no log of calls, and a file without buffers says so") {
  const Document old = read_good(
      "func @f() {\n  %0 = alloc() : memref<16xf32>\n  dealloc %0 : memref<16xf32>\n  return\n}\n", {}, "x.mlir");
  CHECK(old.facts.format == "mlir-memref");
  CHECK(load_of(old) == 64);
  CHECK((*old.problem)[0].lifetime() == 1);
  const Document none = read_good("func.func @f() {\n  %0 = memref.alloc() : memref<?xf32>\n}\n", {}, "x.mlir");
  CHECK(none.problem->size() == 0);
  CHECK(has_warning(none, "%0, memref<?xf32>, has more open dimensions than operands"));
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

TEST_CASE("IREE: a pack in the generic form") {
  const Document document = read_good(
      "%c64 = \"arith.constant\"() <{value = 64 : index}> : () -> index\n"
      "%t:4 = \"stream.resource.pack\"(%off, %c64, %c32, %n) <{lifetime_intervals = [0 : index, 2 : index, 1, 3, 3, "
      "4], "
      "operandSegmentSizes = array<i32: 1, 3>}> : (index, index, index, index) -> (index, index, index, index)\n",
      choose("sizes", "n=16"), "x.mlir");
  CHECK(document.facts.format == "iree-pack");
  REQUIRE(document.problem->size() == 3);
  CHECK(document.problem->id(0) == "%t#1");
  CHECK((*document.problem)[0].lifetime() == 3);
  CHECK((*document.problem)[2].size == 16);
  CHECK(load_of(document) == 96);
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

TEST_CASE("SOMAS: a stream of a group waits for the one before it, which lets its memory be used again") {
  const std::string text =
      "All Tensors:\n\nindex:\taligned_size:\toriginal_size:\toffset:\ttype:\tlifelong:\tlife_start:\tlife_end:\t"
      "source node name:\n"
      "%0T\t#512S\t#512S\t&0\tCommon\tLifelongNone\t0\t1\ta\n"
      "%1T\t#512S\t#512S\t&0\tCommon\tLifelongNone\t2\t3\tc\n"
      "%2T\t#512S\t#512S\t&0\tOutputOnly\tLifelongNone\t3\t3\td\n\n"
      "All Nodes:\n\n"
      "$0\ta-op1\t0\tinputs[]\toutputs[%0T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]\tstreamID[@0]\n"
      "$1\tb-op2\t0\tinputs[%0T, ]\toutputs[]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]\tstreamID[@0]\n"
      "$2\tc-op3\t0\tinputs[]\toutputs[%1T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]\tstreamID[@4]\n"
      "$3\td-op4\t0\tinputs[%1T, ]\toutputs[%2T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]\tstreamID[@4]\n\n"
      "All Stream Groups:\n\n";
  ReadOptions options;
  options.choices["as"] = "graph";
  const auto conflicts = [&](const std::string& groups) {
    return read_good(text + groups, options, "x.ir").problem->input().constraints.conflicts.size();
  };
  CHECK(conflicts("") == 2);  // b may still read 0 when c and d write theirs
  CHECK(conflicts("stm0\nstm4\n") == 2);
  CHECK(conflicts("stm0 stm4 \n") == 0);
  CHECK(conflicts("stm0 stm9 stm4 \n") == 0);  // no node runs on 9
  const Document document = read_good(text + "stm4 stm0\n", options, "x.ir");
  CHECK(document.graph->events().empty());
  CHECK(has_warning(document, "nothing is handed on"));
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
