#pragma once

#include <string>
#include <vector>

#include "tests/core/io/toy_models.h"

namespace stowage::testing {

/// One small problem with a plan, as other programs write it: a 64 bytes in [0,3) at 0, b 32 in [1,4) at 64, c 64 in
/// [3,5) at 0, d 16 in [2,5) at 96. Load and makespan are 112, and a and c touch without overlapping, which a reader
/// that is one off in its times takes for a collision.
struct ToyDump {
  std::string format;
  std::string name;
  std::string bytes;
  bool placed = true;
};

/// A big-endian 64-bit number.
inline std::string big_endian(unsigned long long value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
  return bytes;
}

inline std::string toy_plc() {
  std::string bytes;
  const unsigned long long rows[4][8] = {
      {0, 0, 3, 64, 0, 0, 0, 64}, {1, 1, 4, 32, 0, 64, 0, 32}, {2, 3, 5, 64, 0, 0, 0, 64}, {3, 2, 5, 16, 0, 96, 0, 16}};
  for (const auto& row : rows) {
    for (const unsigned long long number : row) bytes += big_endian(number);
  }
  return bytes;
}

inline std::string toy_trc() {
  std::string bytes;
  const auto give = [&](unsigned long long address, unsigned long long size) {
    bytes += '\x05';
    for (const unsigned long long word : {size, address, size, 1ULL, 0ULL}) bytes += big_endian(word);
  };
  const auto take = [&](unsigned long long address) {
    bytes += '\x12';
    for (const unsigned long long word : {address, 1ULL}) bytes += big_endian(word);
  };
  give(0x1000, 64);
  give(0x1040, 32);
  give(0x1060, 16);
  take(0x1000);
  give(0x1000, 64);
  take(0x1040);
  take(0x1000);
  take(0x1060);
  return bytes;
}

inline std::string toy_snapshot() {
  return R"({"segments":[{"device":0,"address":4096,"total_size":112,"stream":0,"blocks":[
 {"address":4096,"size":64,"requested_size":64,"state":"active_allocated"},
 {"address":4160,"size":32,"requested_size":32,"state":"inactive"},
 {"address":4192,"size":16,"requested_size":16,"state":"active_allocated"}]}],
"device_traces":[[{"action":"alloc","addr":4096,"size":64,"frames":[{"filename":"??","line":0,"name":"x"},
  {"filename":"model.py","line":7,"name":"forward"}]},
 {"action":"alloc","addr":4160,"size":32},{"action":"alloc","addr":4192,"size":16},
 {"action":"free_completed","addr":4096,"size":64},{"action":"alloc","addr":4096,"size":64},
 {"action":"free_completed","addr":4160,"size":32}]]})";
}

inline const std::string kToyRanges = R"(HloLiveRange (max 5):
  InstructionSequence:
    0:a
    1:b
  BufferLiveRange:
    a{}:0-2
    b{}:1-3
    c{}:3-4
    d{1}:2-4
  Live ranges at 2 (peak):
    a{}: 64 bytes (cumulative: 64 bytes)
)";

inline const std::string kToyAssignment = R"(BufferAssignment:
allocation 0: size 4096, parameter 0, shape |f32[32,32]| at ShapeIndex {}:
 value: <9 p0 @0> (size=4096,offset=0): f32[32,32]{1,0}
allocation 1: size 112, preallocated-temp:
 value: <0 a @0> (size=64,offset=0): f32[16]{0}
 value: <1 b @0> (size=32,offset=64): f32[8]{0}
 value: <3 c @0> (size=64,offset=0): f32[16]{0}
 value: <2 d{1} @0> (size=16,offset=96): f32[4]{0}

Total bytes used: 4208 (4.1KiB)

Used values:
<0 a @0>
 positions:
  a
 uses:
  b, operand 0
 from instruction: %a = f32[16]{0} fusion(%p0), kind=kLoop, metadata={op_name="jit(f)/add" source_file="f.py" source_line=12}
)";

inline std::string toy_trace() {
  const struct {
    const char* name;
    int first, last, offset, size;
  } rows[] = {{"a", 0, 2, 0, 64}, {"b", 1, 3, 64, 32}, {"c", 3, 4, 0, 64}, {"d", 2, 4, 96, 16}};
  std::string text = R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":"sram"}})";
  for (const auto& row : rows) {
    for (int step = row.first; step <= row.last; ++step) {
      text += std::string(",\n{\"ph\":\"X\",\"name\":\"") + row.name +
              "\",\"cat\":\"memory_allocation\",\"pid\":1,\"tid\":" + std::to_string(step) +
              ",\"ts\":" + std::to_string(row.offset) + ",\"dur\":" + std::to_string(row.size) +
              ",\"args\":{\"bytes\":" + std::to_string(row.size) + "}}";
    }
  }
  return text + "]}";
}

/// Small files of the formats that do not hold the whole toy problem, or that have more than it in them.
inline std::vector<ToyDump> other_samples() {
  return {
      {"stowage-json", "p.json",
       R"({"format":"stowage","version":1,"problem":{"buffers":[{"id":"a","lower":0,"upper":3,"size":64,"gaps":[
{"lower":1,"upper":2,"window":[0,8]}]},{"id":"b","lower":1,"upper":4,"size":32,"kind":"x"}],"conflicts":[["a","b"]]},
"plans":[{"id":"p","offsets":{"a":0,"b":64}}]})"},
      {"graph-json", "g.json",
       R"({"tensors":[{"id":"x","shape":[2,4],"dtype":"float32","kind":"input"},{"id":"y","bytes":32}],
"ops":[{"id":"r","type":"Relu","in":["x"],"out":["y"],"inplace":[[0,0]]}],"outputs":["y"]})",
       false},
      {"minimalloc-csv", "m.csv",
       "id,lower,upper,size,alignment,hint,gaps,offset\na,0,3,64,1,-1,1-2@0:8,0\nb,1,4,32,8,64,,64\n"},
      {"stowage-trace", "t.trace", "# stowage-trace 1\n0 alloc a 300\n1 alloc b 250 1\n2 free a\n3 use b 1\n", false},
      {"xla-memory-report", "m-memory-usage-report.txt",
       "Total bytes used: 112 (112B)\n\nAllocations sorted by size with their values:\n"
       "allocation 2: size 112B, preallocated-temp:\n\n"
       "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
       "  ------------------------------------------------------------\n"
       "      64B( 57%);        64B;            0;                1; f32[16]\n"
       "      96B( 85%);        32B;           64;                1; f32[8]\n"
       "     112B(100%);        16B;           96;                1; f32[4]\n"},
      {"tflite-interpreter", "i.txt",
       "Interpreter has 1 subgraphs.\n"
       "Tensor   0 in  kTfLiteInt8    kTfLiteArenaRw      64     / 0.00 [64] [0, 64)\n"
       "Tensor   1 out  kTfLiteInt8    kTfLiteArenaRw      48     / 0.00 [48] [64, 112)\n"},
      {"usmp", "u.json", kToyUsmp},
      {"vma-stats", "v.json",
       R"({"General":{"API":"Vulkan"},"Total":{"AllocationBytes":99},"DefaultPools":{"Type 0":{"Blocks":{"0":{"TotalBytes":128,
"UnusedBytes":64,"Suballocations":[{"Offset":0,"Type":"BUFFER","Size":64,"Usage":130},{"Offset":64,"Type":"FREE","Size":64}]}},
"DedicatedAllocations":[{"Type":"IMAGE","Size":35,"Name":"i"}]}}})"},
      {"xla-hlo-proto", "x.json",
       R"({"bufferBlocks":[{"logicalBufferId":"1","name":"t","offset":"64","size":"32","startStep":1,"endStep":3}],
"heapSizes":[1]})"},
      {"xla-memory-spaces", "m.bufferinfo.csv",
       "buffer_id,buffer_name,alt_mem_benefit,size,definition_time,use_times,use_names\n"
       "1,\"a\",1.5,64,0,\"2;3\",\"x;y\"\n",
       false},
  };
}

inline std::vector<ToyDump> toy_dumps() {
  return {
      {"xla-buffer-assignment", "m-buffer-assignment.txt", kToyAssignment + kToyRanges},
      {"xla-hlo-proto", "m.json",
       R"({"bufferAssignment":{"logicalBuffers":[{"id":"0","size":"64"},{"id":"1","size":"32"},{"id":"2","size":"64"},
{"id":"3","size":"16"}],"bufferAllocations":[{"index":"0","size":"112","assigned":[{"size":"64"},
{"logicalBufferId":"1","offset":"64","size":"32"},{"logicalBufferId":"2","size":"64"},
{"logicalBufferId":"3","offset":"96","size":"16"}]}],"heapSimulatorTraces":[{"events":[
{"bufferId":"0","instructionName":"a"},{"bufferId":"1","instructionName":"b"},{"bufferId":"3","instructionName":"d"},
{"kind":"FREE","bufferId":"0"},{"bufferId":"2","instructionName":"c"},{"kind":"FREE","bufferId":"1"},
{"kind":"FREE","bufferId":"2"},{"kind":"FREE","bufferId":"3"}]}]}})"},
      {"xla-memory-spaces", "m.allocinfo.csv",
       "buffer_id,size,offset,start_time,end_time\n0,64,0,0,2\n1,32,64,1,3\n3,64,0,3,4\n-2,16,96,2,4\n"},
      {"torch-snapshot", "snapshot.json", toy_snapshot()},
      {"chrome-trace", "memory.json", toy_trace()},
      {"plc", "toy.plc", toy_plc()},
      {"idealloc-trc", "toy.trc", toy_trc()},
      {"tflm-plan", "plan.txt",
       "0 (id=0): size=64, offset=0, first_used=0 last_used=2\n1 (id=1): size=32, offset=64, first_used=1 last_used=3\n"
       "2 (id=2): size=64, offset=0, first_used=3 last_used=4\n3 (id=3): size=16, offset=96, first_used=2 last_used=4\n"
       " 0: 0000000000000000000000000000000000000000........................ (1k)\n"},
      {"vela-allocation", "vela.txt",
       "####\nTensor Allocation for mem_area Sram, of mem_type_set (Scratch), using allocator Greedy:\n"
       "Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name\n"
       "         0 -          2:        0x0 -       0x40:          64:           64: FeatureMap  : a:0\n"
       "         1 -          3:       0x40 -       0x60:          32:           96: FeatureMap  : b\n"
       "         2 -          4:       0x60 -       0x70:          16:          112: FeatureMap  : d\n"
       "         3 -          4:        0x0 -       0x40:          64:          112: FeatureMap  : c\n"
       "Allocation Peak Tensor Size:       112 (0x70) Bytes      0.11 KiB\n"
       "Peak Memory Usage:                 112 (0x70) Bytes      0.11 KiB\n"},
      {"mtrace", "m.log",
       "= Start\n@ ./p:(f+1)[0x1] + 0x1000 0x40\n@ ./p:[0x1] + 0x1040 0x20\n@ ./p:[0x1] + 0x1060 0x10\n"
       "@ ./p:[0x1] - 0x1000\n@ ./p:[0x1] + 0x1000 0x40\n@ ./p:[0x1] - 0x1040\n@ ./p:[0x1] - 0x1000\n"
       "@ ./p:[0x1] - 0x1060\n= End\n"},
      {"ltrace", "l.txt",
       "p->malloc(64) = 0x1000\np->calloc(4, 8) = 0x1040\np->malloc(16 <unfinished ...>\n<... malloc resumed> ) = "
       "0x1060\n"
       "p->free(0x1000) = <void>\np->malloc(64) = 0x1000\np->free(0x1040) = <void>\n"},
      {"glow-sequence", "glow.txt",
       "# toy\nMODEL toy\nALIGN 1\nALLOC a 64\nALLOC b 32\nALLOC d 16\nFREE a\nALLOC c 64\nFREE b\nFREE c\nFREE d\nMEM "
       "112\n"
       "EFF 1.0\n",
       false},
      {"iree-pack", "pack.mlir",
       "func.func @f() {\n  %c64 = arith.constant 64 : index\n  %c32 = arith.constant 32 : index\n"
       "  %c16 = arith.constant 16 : index\n  %t:5 = stream.resource.pack slices({\n    [0, 2] = %c64,  // a\n"
       "    [1, 3] = %c32, [3, 4] = %c64,\n    [2, 4] = %c16\n  }) : index\n}\n",
       false},
      {"mlir-memref", "f.mlir",
       "func.func @f() {\n  %a = memref.alloc() : memref<16xf32>\n  %b = memref.alloc() : memref<4x8xi8>\n"
       "  %d = memref.alloc() : memref<2xf64>\n  memref.dealloc %a : memref<16xf32>\n"
       "  %c = memref.alloc() : memref<16xf32>\n  memref.dealloc %b : memref<4x8xi8>\n  return\n}\n",
       false},
      {"iopddl", "p.json",
       R"({"problem":{"name":"toy","nodes":{"intervals":[[0,3],[1,4],[3,5],[2,5]],"costs":[[1,2],[1],[1],[1]],
"usages":[[70,64],[32],[64],[16]]},"edges":{"nodes":[],"costs":[]},"usage_limit":112}})",
       false},
      {"tflite", "toy.tflite", bytes_of(placed_toy_tflite())},
      {"executorch", "toy.pte", bytes_of({toy_pte()})},
      {"tvm-graph", "graph.json", kToyTvm},
      {"somas", "somas_allocate_info_0.ir", kToySomas},
      {"minimalloc-csv", "triples.csv", "size,start,end\n64,0,2\n32,1,3\n64,3,4\n16,2,4\n", false},
  };
}

}  // namespace stowage::testing
