#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/document_buffers.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_models.h"
#include "tests/support/graph_document.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("TVM: storage scopes are spaces of their own") {
  std::string text = kToyTvm;
  const std::string_view before = "\"attrs\":{\"dltype\"";
  text.replace(text.find(before), before.size(),
               R"("attrs":{"storage_scope":["list_str",["global","global.texture","global","global"]],"dltype")");
  const Document document = read_good(text, {}, "graph.json");
  CHECK(document.facts.format == "tvm-graph");
  REQUIRE(document.problem->size() == 4);
  const auto space_of = [&](std::string_view id) {
    return document.problem->spaces()[buffer(document, id).space].id;
  };
  CHECK(space_of("b") == "global.texture");
  CHECK(space_of("a") == "memory");
  CHECK(space_of("d") == "memory");
}

TEST_CASE("TVM: storages are shared objects, inputs come when asked for, a reshape lies in place") {
  const std::string text = R"({"nodes":[{"op":"null","name":"data","inputs":[]},{"op":"null","name":"p0","inputs":[]},
{"op":"tvm_op","name":"conv","attrs":{"num_outputs":"2","func_name":"fused_conv"},"inputs":[[0,0,0],[1,0,0]]},
{"op":"tvm_op","name":"flat","attrs":{"num_outputs":"1","func_name":"__nop"},"inputs":[[2,0,0]]},
{"op":"tvm_op","name":"sum","attrs":{"num_outputs":"1","func_name":"fused_sum"},"inputs":[[3,0,0],[2,0,0]]}],
"arg_nodes":[0,1],"heads":[[4,0,0]],"node_row_ptr":[0,1,2,4,5,6],"attrs":{
"dltype":["list_str",["float32","float32","float32","uint1","float32","float32x2"]],
"device_index":["list_int",[1,1,1,1,1,1]],"storage_id":["list_int",[0,1,2,3,2,3]],
"shape":["list_shape",[[1,8],[8,8],[2,4],[3],[8],[]]]}})";
  const Document document = read_good(text, {}, "graph.json");
  CHECK(document.facts.format == "tvm-graph");
  CHECK(document.problem->size() == 3);  // flat lies in conv:0
  CHECK(lives(buffer(document, "conv:0"), 0, 3));
  CHECK(lives(buffer(document, "conv:1"), 0, 1));
  CHECK(buffer(document, "conv:1").size == 3);
  CHECK(buffer(document, "sum").size == 8);
  check_plan_is_valid(document);
  REQUIRE(document.plans[0].objects.has_value());
  CHECK(document.plans[0].objects->sizes == std::vector<std::int64_t>{32, 8});
  const Document with_inputs = read_good(text, choose("include", "inputs,outputs"), "graph.json");
  CHECK(with_inputs.problem->size() == 5);
  CHECK(with_inputs.plans.at(0).objects->total() == 32 + 256 + 32 + 8);
}

TEST_CASE("TVM: an old graph without attributes shows its graph only; wrong counts are told") {
  const Document old = read_good(
      R"({"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"conv","name":"y","inputs":[[0,0]]}],
"arg_nodes":[0],"heads":[[1,0]]})",
      {}, "graph.json");
  CHECK(old.graph->ops().size() == 1);
  CHECK(old.plans.empty());
  CHECK(has_warning(old, "does not tell shapes"));
  const char* large = R"({"nodes":[{"op":"null","name":"x"}],"arg_nodes":[0],"node_row_ptr":[0,4000000000]})";
  CHECK(read_error(large, {}, "g.json").find("4000000000 outputs") != std::string::npos);
  const Document wrong = read_good(R"({"nodes":[{"op":"tvm_op","name":"x","inputs":[[7,0,0],[0,3,0],"?"]}],
"arg_nodes":[],"heads":[[0,1,0]],"node_row_ptr":[0,1]})",
                                   {}, "g.json");
  CHECK(wrong.facts.left_out == 5);  // three inputs, a head, and what has no shape
}

TEST_CASE("SOMAS: columns by their names, kinds of life, unions, and dumps before planning") {
  const Document document = read_good(kToySomas, {}, "somas.ir");
  CHECK(document.problem->details(0)->requested == 60);
  CHECK(document.problem->details(0)->op == "conv");
  CHECK(document.problem->kind(find(document, "2")) == "Workspace");
  CHECK(has_warning(document, "1 control tensors have no memory"));
  const Document old = read_good(
      "All Tensors:\n\nindex:\tsize:\treal_size:\toffset:\taddr:\ttype:\tlifelong:\tlife_start:\tlife_end:\t"
      "source node name:\n%4T\t#512S\t#500S\t&0\t0x7f\tCommon\t1\t3\t4\tx\n"
      "%5T\t#512S\t#500S\t&0\t0x7f\tCommon\t0\t5\t9\ty\n%6T\tbroken\n\n"
      "All Union Tensors Info:\n\nunion tensors: [%4T %5T ]\n",
      {}, "somas.ir");
  CHECK(old.problem->size() == 2);
  CHECK(old.facts.left_out == 1);
  CHECK(old.plans.empty());
  CHECK(has_warning(old, "not planned yet"));
  CHECK(lives(buffer(old, "4"), 0, 10));
  CHECK(old.problem->constraints().colocations.size() == 1);
  CHECK(load_of(old) == 512);
}

TEST_CASE("USMP: lists of conflicts, pools with their limits, candidates") {
  const Document document = read_good(kToyUsmp, {}, "usmp.json");
  CHECK(document.facts.format == "usmp");
  CHECK(document.problem->size() == 4);
  CHECK(document.problem->capacity(0) == 112);
  CHECK(document.problem->constraints().conflicts_only);
  check_plan_is_valid(document);
  const Document unplaced = read_good(
      R"({"buffers":[{"name_hint":"a","size_bytes":8,"alignment":4,"conflicts":["b","z"],
"pool_candidates":["fast",{"pool_name":"slow"}]},{"name_hint":"b","size_bytes":8,"conflicts":[]},
{"name_hint":"c","size_bytes":-8,"conflicts":[]}]})",
      {}, "usmp.json");
  CHECK(unplaced.plans.empty());
  CHECK(unplaced.facts.left_out == 1);
  CHECK(unplaced.problem->details(0)->candidates.size() == 2);
  CHECK(unplaced.problem->has_edge(0, 1));
  CHECK(has_warning(unplaced, "conflict with \"z\""));
}
