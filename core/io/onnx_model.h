#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/data_type.h"

/// What planning needs of an ONNX model, as views of the file: the weights themselves are never looked at. (Fields and
/// their numbers: onnx.proto of onnx/onnx.)
namespace stowage::onnx {

/// One dimension: a number, a name, or neither.
struct Dimension {
  std::optional<std::int64_t> value;
  std::string_view name;
};

struct Type {
  std::int64_t element = 0;  // TensorProto.DataType; 0: none was said
  bool tensor = true;        // no sequence, map, optional or sparse tensor
  std::optional<std::vector<Dimension>> shape;
};

/// The element type; nothing for text, for none, and for those that are not known.
std::optional<DataType> data_type_of(std::int64_t element);

struct Value {
  std::string_view name;
  Type type;
};

struct Node {
  std::string_view name;
  std::string_view op;
  std::string_view domain;
  std::vector<std::string_view> in;  // empty: an optional one that is not given
  std::vector<std::string_view> out;
  std::vector<std::string_view> attributes;  // AttributeProto
  std::vector<std::string_view> bodies;      // graphs inside: the branches of If, what Loop and Scan repeat
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Value> constants;                 // initializers
  std::vector<std::string_view> constant_data;  // TensorProto of each; empty for sparse ones
  std::vector<Value> inputs;
  std::vector<Value> outputs;
  std::vector<Value> values;
};

struct Model {
  std::string_view graph;     // GraphProto
  std::size_t functions = 0;  // ops that the file defines itself
};

/// Bodies inside bodies; deeper ones are refused.
inline constexpr int kDeepest = 32;

/// Whether the bytes begin like a model: a version, then only fields that a model has.
bool looks_like_model(std::string_view bytes);
/// Errors say at which byte of `file` the model breaks off or is damaged.
Result<Model> read_model(std::string_view file);
/// Errors as above; also a graph of more than a million nodes or values.
Result<Graph> read_graph(std::string_view file, std::string_view graph);
/// Names that a body reads and does not make itself, those of the bodies inside it too; each once.
Result<std::vector<std::string_view>> captures(std::string_view file, std::string_view body);

}  // namespace stowage::onnx
