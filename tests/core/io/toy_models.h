#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/flat_builder.h"

namespace stowage::testing {

/// The parts of a .tflite that tests vary.
struct TfliteTensor {
  std::string name;
  std::vector<std::int32_t> shape;
  std::int8_t type = 9;  // int8
  std::uint32_t buffer = 0;
  bool variable = false;
  std::vector<std::int32_t> signature = {};
  std::optional<bool> has_rank = {};
  std::uint32_t external = 0;
};
struct TfliteOp {
  std::uint32_t code = 0;
  std::vector<std::int32_t> in;
  std::vector<std::int32_t> out;
  std::vector<std::int32_t> calls = {};  // subgraphs, as the first fields of its options
  std::uint64_t large_options = 0;
};
struct TfliteSubgraph {
  std::vector<TfliteTensor> tensors;
  std::vector<TfliteOp> ops;
  std::vector<std::int32_t> inputs = {};
  std::vector<std::int32_t> outputs = {};
  std::string name = "main";
};
struct TfliteBuffer {
  std::string data = {};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};
struct TfliteModel {
  std::vector<TfliteSubgraph> subgraphs;
  std::vector<std::pair<std::int32_t, std::string>> codes = {{32, "toy"}};  // builtin, custom
  std::vector<TfliteBuffer> buffers = {{}};
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> metadata = {};  // each in a buffer of its own
};

inline flat::Table table_of(const TfliteTensor& tensor) {
  flat::Fields fields = {{0, flat::numbers(tensor.shape)},
                         {1, flat::scalar(tensor.type)},
                         {2, flat::scalar(tensor.buffer)},
                         {5, flat::scalar(std::uint8_t{tensor.variable})}};
  if (!tensor.name.empty()) fields.emplace_back(3, flat::text(tensor.name));
  if (!tensor.signature.empty()) fields.emplace_back(7, flat::numbers(tensor.signature));
  if (tensor.has_rank) fields.emplace_back(8, flat::scalar(std::uint8_t{*tensor.has_rank}));
  if (tensor.external != 0) fields.emplace_back(10, flat::scalar(tensor.external));
  return {std::move(fields)};
}

inline flat::Table table_of(const TfliteOp& op) {
  flat::Fields fields = {{0, flat::scalar(op.code)}, {1, flat::numbers(op.in)}, {2, flat::numbers(op.out)}};
  flat::Fields options;
  for (std::size_t i = 0; i < op.calls.size(); ++i) options.emplace_back(i, flat::scalar(op.calls[i]));
  if (!options.empty()) fields.emplace_back(4, flat::table(std::move(options)));
  if (op.large_options != 0) fields.emplace_back(9, flat::scalar(op.large_options));
  return {std::move(fields)};
}

inline std::string bytes_of(const TfliteModel& model) {
  std::vector<flat::Table> codes;
  for (const auto& [builtin, custom] : model.codes) {
    codes.push_back({{{0, flat::scalar(static_cast<std::int8_t>(builtin < 127 ? builtin : 127))},
                      {1, flat::text(custom)},
                      {3, flat::scalar(builtin)}}});
  }
  std::vector<flat::Table> subgraphs;
  for (const TfliteSubgraph& subgraph : model.subgraphs) {
    std::vector<flat::Table> tensors;
    for (const TfliteTensor& tensor : subgraph.tensors) tensors.push_back(table_of(tensor));
    std::vector<flat::Table> ops;
    for (const TfliteOp& op : subgraph.ops) ops.push_back(table_of(op));
    subgraphs.push_back({{{0, flat::tables(std::move(tensors))},
                          {1, flat::numbers(subgraph.inputs)},
                          {2, flat::numbers(subgraph.outputs)},
                          {3, flat::tables(std::move(ops))},
                          {4, flat::text(subgraph.name)}}});
  }
  std::vector<flat::Table> buffers;
  for (const TfliteBuffer& buffer : model.buffers) {
    flat::Fields fields;
    if (!buffer.data.empty()) fields.emplace_back(0, flat::Value{flat::Numbers{1, buffer.data}});
    if (buffer.offset != 0) fields.emplace_back(1, flat::scalar(buffer.offset));
    if (buffer.size != 0) fields.emplace_back(2, flat::scalar(buffer.size));
    buffers.push_back({std::move(fields)});
  }
  std::vector<flat::Table> metadata;
  for (const auto& [name, values] : model.metadata) {
    std::string data;
    for (const std::int32_t value : values) data += flat::bytes_of(value);
    metadata.push_back({{{0, flat::text(name)}, {1, flat::scalar(static_cast<std::uint32_t>(buffers.size()))}}});
    buffers.push_back({{{0, flat::Value{flat::Numbers{1, data}}}}});
  }
  flat::Fields root = {{0, flat::scalar(std::uint32_t{3})},
                       {1, flat::tables(std::move(codes))},
                       {2, flat::tables(std::move(subgraphs))},
                       {3, flat::text("a toy")},
                       {4, flat::tables(std::move(buffers))}};
  if (!metadata.empty()) root.emplace_back(6, flat::tables(std::move(metadata)));
  return flat::Builder::file({std::move(root)}, "TFL3");
}

/// Five ops in a row: a is read by ops 1 and 2, b by 3, c and d by 4.
inline TfliteModel toy_tflite() {
  TfliteSubgraph graph;
  graph.tensors = {{"a", {64}}, {"b", {4, 8}}, {"c", {64}}, {"d", {16}}};
  graph.ops = {{0, {}, {0}}, {0, {0}, {1}}, {0, {0, -1}, {3}}, {0, {1}, {2}}, {0, {2, 3}, {}}};
  TfliteModel model;
  model.subgraphs = {std::move(graph)};
  model.codes = {{0, ""}};
  return model;
}

inline TfliteModel placed_toy_tflite() {
  TfliteModel model = toy_tflite();
  model.metadata = {{"min_runtime_version", {1}}, {"OfflineMemoryAllocation", {1, 0, 4, 0, 64, 0, 96}}};
  return model;
}

/// The parts of a .pte that tests vary.
struct PteTensor {
  std::vector<std::int32_t> sizes;
  std::optional<std::uint32_t> memory = 1;
  std::uint64_t offset = 0;
  std::int8_t type = 1;  // int8
  std::uint32_t data = 0;
  std::string name = {};
  std::int8_t dynamism = 0;
};
struct PteCall {
  std::uint8_t type = 1;
  std::vector<std::int32_t> args;
  std::int32_t number = 0;  // of the kernel, of the delegate; where a jump goes
};
struct PtePlan {
  std::string name = "forward";
  std::vector<PteTensor> tensors;  // the first values
  std::vector<std::vector<std::int32_t>> lists = {};
  std::vector<PteCall> calls;
  std::vector<std::int32_t> inputs = {};
  std::vector<std::int32_t> outputs = {};
  std::vector<std::int64_t> sizes = {0, 112};
  std::vector<std::pair<std::string, std::string>> kernels = {{"toy::op", "out"}};
};

inline flat::Table table_of(const PteTensor& tensor) {
  flat::Fields fields = {
      {0, flat::scalar(tensor.type)}, {2, flat::numbers(tensor.sizes)}, {8, flat::scalar(tensor.dynamism)}};
  if (tensor.data != 0) fields.emplace_back(5, flat::scalar(tensor.data));
  if (!tensor.name.empty()) fields.emplace_back(9, flat::table({{1, flat::text(tensor.name)}}));
  if (tensor.memory) {
    fields.emplace_back(6, flat::table({{0, flat::scalar(*tensor.memory)},
                                        {1, flat::scalar(static_cast<std::uint32_t>(tensor.offset))},
                                        {2, flat::scalar(static_cast<std::uint32_t>(tensor.offset >> 32U))}}));
  }
  return {std::move(fields)};
}

inline flat::Table table_of(const PteCall& call) {
  flat::Fields fields;
  if (call.type == 1 || call.type == 2) {
    fields = {{0, flat::scalar(call.number)}, {1, flat::numbers(call.args)}};
  } else {
    for (std::size_t i = 0; i < call.args.size(); ++i) fields.emplace_back(i, flat::scalar(call.args[i]));
    if (call.type == 4) fields.emplace_back(1, flat::scalar(call.number));
  }
  return {{{0, flat::scalar(call.type)}, {1, flat::table(std::move(fields))}}};
}

inline std::string bytes_of(const std::vector<PtePlan>& program, bool with_header = true) {
  std::vector<flat::Table> plans;
  for (const PtePlan& plan : program) {
    std::vector<flat::Table> values;
    for (const PteTensor& tensor : plan.tensors) {
      values.push_back({{{0, flat::scalar(std::uint8_t{5})}, {1, flat::Value{table_of(tensor)}}}});
    }
    for (const auto& list : plan.lists) {
      values.push_back({{{0, flat::scalar(std::uint8_t{10})}, {1, flat::table({{0, flat::numbers(list)}})}}});
    }
    values.push_back({{{0, flat::scalar(std::uint8_t{2})}, {1, flat::table({{0, flat::scalar(std::int64_t{1})}})}}});
    std::vector<flat::Table> calls;
    for (const PteCall& call : plan.calls) calls.push_back(table_of(call));
    std::vector<flat::Table> kernels;
    for (const auto& [name, overload] : plan.kernels) {
      kernels.push_back({{{0, flat::text(name)}, {1, flat::text(overload)}}});
    }
    plans.push_back({{{0, flat::text(plan.name)},
                      {2, flat::tables(std::move(values))},
                      {3, flat::numbers(plan.inputs)},
                      {4, flat::numbers(plan.outputs)},
                      {5, flat::tables({{{{2, flat::tables(std::move(calls))}}}})},
                      {6, flat::tables(std::move(kernels))},
                      {7, flat::tables({{{{0, flat::text("ToyBackend")}}}})},
                      {8, flat::numbers(plan.sizes)}}});
  }
  const flat::Table root = {{{0, flat::scalar(std::uint32_t{0})}, {1, flat::tables(std::move(plans))}}};
  if (!with_header) return flat::Builder::file(root, "ET12");
  const auto with_size = [&](std::uint64_t size) {
    return flat::Builder::file(
        root, "ET12",
        "eh00" + flat::bytes_of(std::uint32_t{24}) + flat::bytes_of(size) + flat::bytes_of(std::uint64_t{0}));
  };
  return with_size(with_size(0).size());
}

inline PtePlan toy_pte() {
  PtePlan plan;
  plan.tensors = {{{64}, 1, 0}, {{4, 8}, 1, 64}, {{64}, 1, 0}, {{16}, 1, 96}};
  plan.calls = {{1, {0, 0}}, {1, {0, 1, 1}}, {1, {0, 3, 3}}, {1, {1, 2, 2}}, {1, {2, 3}}};
  return plan;
}

inline const std::string kToyTvm =
    R"({"nodes":[{"op":"tvm_op","name":"a","attrs":{"num_outputs":"1","func_name":"f"},"inputs":[]},
{"op":"tvm_op","name":"b","attrs":{"num_outputs":"1","func_name":"f"},"inputs":[[0,0,0]]},
{"op":"tvm_op","name":"d","attrs":{"num_outputs":"1","func_name":"f"},"inputs":[[0,0,0]]},
{"op":"tvm_op","name":"c","attrs":{"num_outputs":"1","func_name":"f"},"inputs":[[1,0,0]]},
{"op":"tvm_op","name":"end","attrs":{"num_outputs":"0","func_name":"f"},"inputs":[[2,0,0],[3,0,0]]}],
"arg_nodes":[],"heads":[],"node_row_ptr":[0,1,2,3,4,4],"attrs":{"dltype":["list_str",["int8","int8","int8","int8"]],
"storage_id":["list_int",[0,1,2,0]],"shape":["list_shape",[[64],[4,8],[16],[64]]]}})";

inline const std::string kToySomas =
    "All Parameters:\n\nindex:\tsize:\tsource node name:\tnode out index:\n%0P\t#4096S\tw\t0\n\n\nAll Tensors:\n\n"
    "index:\taligned_size:\toriginal_size:\toffset:\ttype:\tlifelong:\tlife_start:\tlife_end:\tsource node name:\n"
    "%0T\t#64S\t#60S\t&0\tCommon\tLifelongNone\t0\t2\tconv\n%1T\t#32S\t#32S\t&64\tCommon\tLifelongNone\t1\t3\trelu\n"
    "%2T\t#64S\t#64S\t&0\tWorkspace\tLifelongNone\t3\t4\tpool\n%3T\t#16S\t#16S\t&"
    "96\tOutputOnly\tLifelongNone\t2\t4\tadd\n"
    "%0CT\t#0S\t#0S\t&0\tControl\tLifelongNone\t1\t2\tsend\n\n\nAll Nodes:\n\n"
    "$0\tconv\t0\tinputs[%0P, ]\toutputs[%0T, ]\tworkspace[]\tctrl_inputs[]\tctrl_outputs[]\tstreamID[@0]\n";

inline const std::string kToyUsmp = R"({"pools":[{"name":"global","size":112}],"buffers":[
{"name":"a","size":64,"align":1,"conflicts":["b","d"],"pool":"global","offset":0},
{"name":"b","size":32,"align":1,"conflicts":["a","c","d"],"pool":"global","offset":64},
{"name":"c","size":64,"align":1,"conflicts":["b","d"],"pool":"global","offset":0},
{"name":"d","size":16,"align":1,"conflicts":["a","b","c"],"pool":"global","offset":96}]})";

}  // namespace stowage::testing
