#include "core/graph/graph.h"

#include <doctest/doctest.h>

#include "tests/core/graph/graphs.h"

namespace stowage {
namespace {

using test::Sketch;

std::string first_fault(const GraphInput& input) {
  const auto graph = make_graph(input);
  return graph ? "" : graph.error().front().where + ": " + graph.error().front().message;
}

}  // namespace

TEST_CASE("data types: sizes are packed and rounded up to whole bytes once") {
  const std::vector<std::int64_t> shape = {3, 5};
  CHECK(packed_bytes(shape, DataType::kFloat32) == 60);
  CHECK(packed_bytes(shape, DataType::kInt4) == 8);
  CHECK(packed_bytes(shape, DataType::kUint1) == 2);
  CHECK(packed_bytes(shape, DataType::kInt2) == 4);
  CHECK(data_type("uint2") == DataType::kUint2);
  CHECK(packed_bytes(shape, DataType::kBool) == 15);
  CHECK(packed_bytes({}, DataType::kFloat32) == 4);
  const std::vector<std::int64_t> empty = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
  CHECK(packed_bytes(empty, DataType::kFloat64) == 0);
  const std::vector<std::int64_t> huge = {std::int64_t{1} << 31, std::int64_t{1} << 31};
  CHECK(packed_bytes(huge, DataType::kInt4) == (std::int64_t{1} << 61));
  CHECK_FALSE(packed_bytes(huge, DataType::kInt16).has_value());
  const std::vector<std::int64_t> negative = {0, -1};
  CHECK_FALSE(packed_bytes(negative, DataType::kInt8).has_value());
}

TEST_CASE("data types: every name is read back, short forms are known") {
  for (int i = 0; i <= static_cast<int>(DataType::kComplex128); ++i) {
    const auto type = static_cast<DataType>(i);
    CHECK(data_type(name_of(type)) == type);
  }
  CHECK(data_type("f32") == DataType::kFloat32);
  CHECK(data_type("half") == DataType::kFloat16);
  for (const char* name :
       {"float8_e4m3fn", "float8_e5m2fnuz", "f8e5m2", "f8e4m3b11fnuz", "fp8_e4m3", "float8_e8m0fnu"}) {
    CHECK(data_type(name) == DataType::kFloat8);
  }
  CHECK_FALSE(data_type("f8e9").has_value());
  CHECK_FALSE(data_type("string").has_value());
  CHECK_FALSE(data_type("").has_value());
}

TEST_CASE("graph: readers come in order, twice when an op reads a tensor twice; unread results are outputs") {
  const Graph graph = Sketch()
                          .tensor("x", 4)
                          .tensor("y", 4)
                          .tensor("z", 4)
                          .op("square", {"x", "x"}, {"y"})
                          .op("add", {"x", "y"}, {"z"})
                          .graph();
  CHECK(std::vector<OpIndex>(graph.readers(0).begin(), graph.readers(0).end()) == std::vector<OpIndex>{0, 0, 1});
  CHECK(graph.producer(0) == kNoOp);
  CHECK(graph.producer(2) == 1);
  CHECK_FALSE(graph.is_output(1));
  CHECK(graph.is_output(2));
  CHECK(std::vector<OpIndex>(graph.waits_for(1).begin(), graph.waits_for(1).end()) == std::vector<OpIndex>{0});
}

TEST_CASE("graph: ignored inputs are waited for but not read") {
  Sketch sketch;
  sketch.tensor("x", 4).tensor("y", 4).tensor("z", 4).op("make", {"x"}, {"y"}).op("shape_of", {"y"}, {"z"});
  sketch.input.ops.back().ignored_inputs = {0};
  const Graph graph = sketch.graph();
  CHECK(graph.readers(1).empty());
  CHECK(graph.waits_for(1).size() == 1);
}

TEST_CASE("graph: views of views end at what owns the memory, offsets add up") {
  Sketch sketch;
  sketch.tensor("b", 64).tensor("v", 32).tensor("w", 8).tensor("r", 64);
  sketch.op("make", {}, {"b"}).op("reshape", {"b"}, {"r"});
  sketch.input.tensors[1].view_of = 0;
  sketch.input.tensors[1].view_offset = 16;
  sketch.input.tensors[2].view_of = 1;
  sketch.input.tensors[2].view_offset = 4;
  sketch.input.ops.back().alias = {{0, 0, false}};
  const Graph graph = sketch.graph();
  CHECK(graph.base(2) == 0);
  CHECK(graph.base_offset(2) == 20);
  CHECK(graph.base(3) == 0);
  CHECK_FALSE(graph.is_view(0));
}

TEST_CASE("graph: faults say where and what") {
  Sketch sketch;
  sketch.tensor("x", 4).tensor("y", 4).op("f", {"x"}, {"y"});
  CHECK(first_fault(sketch.input).empty());

  GraphInput bad = sketch.input;
  bad.ops[0].in[0] = 7;
  CHECK(first_fault(bad) == "ops[0].in[0]: is tensor 7, but there are 2");
  bad = sketch.input;
  bad.tensors[1].bytes = -1;
  CHECK(first_fault(bad) == "tensors[1].bytes: is -1, below 0");
  bad = sketch.input;
  bad.ops.push_back(bad.ops[0]);
  bad.ops[1].id = "g";
  CHECK(first_fault(bad) == "ops[1].out[0]: tensor y is made by f already");
  bad = sketch.input;
  bad.ops[0].inplace = {{1, 0, false}};
  CHECK(first_fault(bad) == "ops[0].inplace[0]: pairs input 1 with output 0; the op has 1 and 1");
  bad = sketch.input;
  bad.tensors[0].view_of = 1;
  bad.tensors[1].view_of = 0;
  CHECK(first_fault(bad).find("is a view of itself") != std::string::npos);
  bad = sketch.input;
  bad.events = {{0, 0}};
  CHECK(first_fault(bad) == "ops[0]: 1 of 1 ops wait for each other in a circle, f among them or behind it");
  bad = sketch.input;
  bad.tensors[0].bytes = std::int64_t{1} << 62;
  bad.tensors[1].bytes = std::int64_t{1} << 62;
  CHECK(first_fault(bad) == "tensors: together need more than 2^63-1 bytes");
  bad = sketch.input;
  bad.tensors[0].bytes.reset();
  bad.tensors[0].shape = std::vector<std::int64_t>{2, -3};
  CHECK(first_fault(bad).find("tensors[0].shape") == 0);
}

}  // namespace stowage
