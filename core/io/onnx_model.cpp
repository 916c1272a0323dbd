#include "core/io/onnx_model.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/io/wire.h"

namespace stowage::onnx {
namespace {

using wire::Field;
using wire::Fields;
using wire::Kind;

constexpr std::size_t kMostParts = std::size_t{1} << 20U;  // of one kind, in one graph
constexpr std::size_t kMostDimensions = 64;

/// Walks through messages of one file and keeps the first thing that is wrong.
class Parser {
 public:
  explicit Parser(std::string_view file) : file_(file) {}

  bool good() const { return error_.empty(); }
  tl::unexpected<Error> error() const { return input_error(error_); }

  template <typename Take>
  void each(std::string_view message, const Take& take) {
    Fields fields(message);
    Field field;
    while (good() && fields.next(field)) take(field);
    if (!good() || fields.sound()) return;
    const auto at = static_cast<std::size_t>(fields.at() - file_.data());
    error_ = fmt::format("the model is damaged or breaks off at byte {}", at);
  }

  Type type(std::string_view message) {
    Type type;
    type.tensor = false;
    each(message, [&](const Field& field) {
      if (!field.is(1, Kind::kBytes)) return;
      type.tensor = true;
      each(field.bytes, [&](const Field& part) {
        if (part.is(1, Kind::kVarint)) type.element = part.integer();
        if (part.is(2, Kind::kBytes)) type.shape = shape(part.bytes);
      });
    });
    return type;
  }

  Value value(std::string_view message) {
    Value value;
    value.type.tensor = false;
    each(message, [&](const Field& field) {
      if (field.is(1, Kind::kBytes)) value.name = field.bytes;
      if (field.is(2, Kind::kBytes)) value.type = type(field.bytes);
    });
    return value;
  }

  /// Of a TensorProto, without what is in it.
  Value constant(std::string_view message) {
    Value value;
    value.type.shape.emplace();
    each(message, [&](const Field& field) {
      if (field.number == 1) append_dimensions(field, *value.type.shape);
      if (field.is(2, Kind::kVarint)) value.type.element = field.integer();
      if (field.is(8, Kind::kBytes)) value.name = field.bytes;
    });
    return value;
  }

  /// Of a SparseTensorProto: what it takes when it is there depends on how many values it has, so no size is said.
  Value sparse_constant(std::string_view message) {
    Value value;
    value.type.tensor = false;
    each(message, [&](const Field& field) {
      if (field.is(1, Kind::kBytes)) value.name = constant(field.bytes).name;
    });
    return value;
  }

  Node node(std::string_view message) {
    Node node;
    each(message, [&](const Field& field) {
      if (field.kind != Kind::kBytes) return;
      if (field.number == 1) node.in.push_back(field.bytes);
      if (field.number == 2) node.out.push_back(field.bytes);
      if (field.number == 3) node.name = field.bytes;
      if (field.number == 4) node.op = field.bytes;
      if (field.number == 7) node.domain = field.bytes;
      if (field.number != 5) return;
      node.attributes.push_back(field.bytes);
      each(field.bytes, [&](const Field& part) {
        if (part.is(6, Kind::kBytes) || part.is(11, Kind::kBytes)) node.bodies.push_back(part.bytes);
      });
    });
    return node;
  }

  Graph graph(std::string_view message) {
    Graph graph;
    each(message, [&](const Field& field) {
      if (field.kind != Kind::kBytes) return;
      if (field.number == 1) graph.nodes.push_back(node(field.bytes));
      if (field.number == 2) graph.name = field.bytes;
      if (field.number == 5) {
        graph.constants.push_back(constant(field.bytes));
        graph.constant_data.push_back(field.bytes);
      }
      if (field.number == 11) graph.inputs.push_back(value(field.bytes));
      if (field.number == 12) graph.outputs.push_back(value(field.bytes));
      if (field.number == 13) graph.values.push_back(value(field.bytes));
      if (field.number == 15) {
        graph.constants.push_back(sparse_constant(field.bytes));
        graph.constant_data.emplace_back();
      }
      const std::size_t most = std::max(
          {graph.nodes.size(), graph.constants.size(), graph.inputs.size(), graph.outputs.size(), graph.values.size()});
      if (most > kMostParts) error_ = fmt::format("a graph with more than {} nodes or values", kMostParts);
    });
    return graph;
  }

  /// Adds to `free` what the body reads from outside. `depth` ends what a file could nest without end.
  void captures(std::string_view body, int depth, std::vector<std::string_view>& free) {
    if (depth > kDeepest) {
      error_ = fmt::format("bodies of nodes are nested more than {} deep", kDeepest);
      return;
    }
    const Graph inside = graph(body);
    std::unordered_set<std::string_view> known;
    const auto know = [&](const std::vector<Value>& values) {
      for (const Value& value : values) known.insert(value.name);
    };
    know(inside.inputs);
    know(inside.constants);
    std::vector<std::string_view> read;
    for (const Node& node : inside.nodes) {
      known.insert(node.out.begin(), node.out.end());
      read.insert(read.end(), node.in.begin(), node.in.end());
      for (const std::string_view inner : node.bodies) {
        if (good()) captures(inner, depth + 1, read);
      }
    }
    for (const Value& output : inside.outputs) read.push_back(output.name);
    known.insert(std::string_view());
    for (const std::string_view name : read) {
      if (known.insert(name).second) free.push_back(name);
    }
  }

 private:
  void append_dimensions(const Field& field, std::vector<Dimension>& shape) {
    wire::Packed numbers(field);
    for (std::int64_t number = 0; numbers.next(number) && shape.size() < kMostDimensions;) {
      shape.push_back(Dimension{number, {}});
    }
    if (!numbers.sound()) {
      error_ = fmt::format("the model is damaged at byte {}", field.bytes.data() - file_.data());
    }
  }

  std::vector<Dimension> shape(std::string_view message) {
    std::vector<Dimension> shape;
    each(message, [&](const Field& field) {
      if (!field.is(1, Kind::kBytes) || shape.size() >= kMostDimensions) return;
      Dimension dimension;
      each(field.bytes, [&](const Field& part) {
        if (part.is(1, Kind::kVarint)) dimension.value = part.integer();
        if (part.is(2, Kind::kBytes)) dimension.name = part.bytes;
      });
      if (dimension.value && *dimension.value < 0) dimension.value.reset();  // how some write "any"
      shape.push_back(dimension);
    });
    return shape;
  }

  std::string_view file_;
  std::string error_;
};

bool is_field_of_model(const Field& field) {
  switch (field.number) {
    case 1:
    case 5:
      return field.kind == Kind::kVarint;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26:
      return field.kind == Kind::kBytes;
    default:
      return false;
  }
}

}  // namespace

std::optional<DataType> data_type_of(std::int64_t element) {
  switch (element) {
    case 1:
      return DataType::kFloat32;
    case 2:
      return DataType::kUint8;
    case 3:
      return DataType::kInt8;
    case 4:
      return DataType::kUint16;
    case 5:
      return DataType::kInt16;
    case 6:
      return DataType::kInt32;
    case 7:
      return DataType::kInt64;
    case 9:
      return DataType::kBool;
    case 10:
      return DataType::kFloat16;
    case 11:
      return DataType::kFloat64;
    case 12:
      return DataType::kUint32;
    case 13:
      return DataType::kUint64;
    case 14:
      return DataType::kComplex64;
    case 15:
      return DataType::kComplex128;
    case 16:
      return DataType::kBfloat16;
    case 17:
    case 18:
    case 19:
    case 20:
    case 24:
      return DataType::kFloat8;
    case 21:
    case 23:  // a float of four bits takes what an integer of four bits takes
      return DataType::kUint4;
    case 22:
      return DataType::kInt4;
    default:
      return std::nullopt;
  }
}

bool looks_like_model(std::string_view bytes) {
  Fields fields(bytes);
  Field field;
  bool version = false;
  while (fields.next(field)) {
    if (!is_field_of_model(field)) return false;
    version = version || (field.number == 1 && field.value >= 1 && field.value <= 255);
    if (field.number == 7) {
      // The first field of a graph is a node, a name or a tensor.
      Fields inside(field.bytes);
      Field first;
      if (!inside.next(first) || first.kind != Kind::kBytes || first.number > 15) return false;
    }
  }
  if (fields.sound()) return version;
  // One that breaks off: what is left begins like a field of a model, too.
  const std::string_view left(fields.at(), static_cast<std::size_t>(bytes.data() + bytes.size() - fields.at()));
  constexpr std::string_view tags = "\x12\x1A\x22\x28\x32\x3A\x42\x72\xA2\xCA";
  return version && !left.empty() && tags.find(left[0]) != std::string_view::npos;
}

Result<Model> read_model(std::string_view file) {
  Parser parser(file);
  Model model;
  bool any = false;
  parser.each(file, [&](const Field& field) {
    if (field.is(7, Kind::kBytes)) {
      model.graph = field.bytes;
      any = true;
    }
    if (field.is(25, Kind::kBytes)) ++model.functions;
  });
  if (!parser.good()) return parser.error();
  if (!any) return input_error("the model has no graph");
  return model;
}

Result<Graph> read_graph(std::string_view file, std::string_view graph) {
  Parser parser(file);
  Graph read = parser.graph(graph);
  if (!parser.good()) return parser.error();
  return read;
}

Result<std::vector<std::string_view>> captures(std::string_view file, std::string_view body) {
  Parser parser(file);
  std::vector<std::string_view> free;
  parser.captures(body, 1, free);
  if (!parser.good()) return parser.error();
  return free;
}

}  // namespace stowage::onnx
