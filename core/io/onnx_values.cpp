#include "core/io/onnx_values.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/integers.h"
#include "core/io/wire.h"

namespace stowage::onnx {
namespace {

using wire::Field;
using wire::Fields;
using wire::Kind;

constexpr std::size_t kMostNumbers = 64;
constexpr std::int64_t kInt32 = 6;
constexpr std::int64_t kInt64 = 7;

std::int64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return bytes.size() == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

/// The contents of a TensorProto of whole numbers with at most one dimension.
std::optional<Numbers> numbers_of_tensor(std::string_view message) {
  std::vector<std::int64_t> shape;
  std::int64_t type = 0;
  std::string_view raw;
  Numbers numbers;
  Fields fields(message);
  for (Field field; fields.next(field);) {
    const bool listed = field.number == 5 || field.number == 7;
    if (field.number == 1 || listed) {
      std::vector<std::int64_t>& into = listed ? numbers.list : shape;
      wire::Packed packed(field);
      for (std::int64_t one = 0; into.size() <= kMostNumbers && packed.next(one);) into.push_back(one);
    }
    if (field.is(2, Kind::kVarint)) type = field.integer();
    if (field.is(9, Kind::kBytes)) raw = field.bytes;
  }
  if ((type != kInt64 && type != kInt32) || shape.size() > 1) return std::nullopt;
  const auto width = static_cast<std::size_t>(type == kInt64 ? 8 : 4);
  if (numbers.list.empty() && raw.size() <= kMostNumbers * width) {
    for (std::size_t at = 0; at + width <= raw.size(); at += width) {
      numbers.list.push_back(little_endian(raw.substr(at, width)));
    }
  }
  numbers.scalar = shape.empty();
  const std::int64_t expected = numbers.scalar ? 1 : shape[0];
  if (numbers.list.size() > kMostNumbers || static_cast<std::int64_t>(numbers.list.size()) != expected)
    return std::nullopt;
  return numbers;
}

/// An attribute: its tensor, its number or its numbers.
struct Attribute {
  std::optional<Numbers> tensor;
  std::optional<std::int64_t> number;
  std::vector<std::int64_t> list;
};

std::optional<Attribute> attribute_of(const Node& node, std::string_view wanted) {
  for (const std::string_view message : node.attributes) {
    Attribute attribute;
    std::string_view name;
    Fields fields(message);
    for (Field field; fields.next(field);) {
      if (field.is(1, Kind::kBytes)) name = field.bytes;
      if (field.is(3, Kind::kVarint)) attribute.number = field.integer();
      if (field.is(5, Kind::kBytes) && name == wanted) attribute.tensor = numbers_of_tensor(field.bytes);
      if (field.number == 8) {
        wire::Packed packed(field);
        for (std::int64_t one = 0; attribute.list.size() <= kMostNumbers && packed.next(one);)
          attribute.list.push_back(one);
      }
    }
    if (name == wanted) return attribute;
  }
  return std::nullopt;
}

class Evaluation {
 public:
  Evaluation(const Graph& graph, const TypesByName& types) : graph_(graph), types_(types) {}

  NumbersByName run() {
    for (std::size_t i = 0; i < graph_.constants.size(); ++i) {
      if (auto numbers = numbers_of_tensor(graph_.constant_data[i])) known_[graph_.constants[i].name] = *numbers;
    }
    NumbersByName found;
    for (const Node& node : graph_.nodes) {
      const bool standard = node.domain.empty() || node.domain == "ai.onnx";
      if (!standard || node.out.empty() || node.out[0].empty()) continue;
      auto numbers = evaluate(node);
      if (!numbers || numbers->list.size() > kMostNumbers) continue;
      found[node.out[0]] = *numbers;
      known_[node.out[0]] = std::move(*numbers);
    }
    return found;
  }

 private:
  const Numbers* input(const Node& node, std::size_t i) const {
    if (i >= node.in.size()) return nullptr;
    const auto found = known_.find(node.in[i]);
    return found == known_.end() ? nullptr : &found->second;
  }

  std::optional<Numbers> evaluate(const Node& node) const {
    if (node.op == "Constant") return constant(node);
    if (node.op == "Shape") return shape(node);
    if (node.op == "Concat") return concat(node);
    const Numbers* first = input(node, 0);
    if (first == nullptr) return std::nullopt;
    if (node.op == "Identity") return *first;
    if (node.op == "Cast") {
      const auto to = attribute_of(node, "to");
      if (to && (to->number == kInt32 || to->number == kInt64)) return *first;
      return std::nullopt;
    }
    if (node.op == "Unsqueeze") return first->scalar ? std::optional(Numbers{first->list, false}) : std::nullopt;
    if (node.op == "Squeeze")
      return !first->scalar && first->list.size() == 1 ? std::optional(Numbers{first->list, true}) : std::nullopt;
    if (node.op == "Gather") return gather(node, *first);
    if (node.op == "Slice") return slice(node, *first);
    if (node.op == "Add" || node.op == "Sub" || node.op == "Mul" || node.op == "Div") return arithmetic(node, *first);
    return std::nullopt;
  }

  static std::optional<Numbers> constant(const Node& node) {
    if (const auto value = attribute_of(node, "value")) return value->tensor;
    if (const auto value = attribute_of(node, "value_int"); value && value->number)
      return Numbers{{*value->number}, true};
    if (const auto value = attribute_of(node, "value_ints")) return Numbers{value->list, false};
    return std::nullopt;
  }

  std::optional<Numbers> shape(const Node& node) const {
    if (node.in.empty() || !node.attributes.empty()) return std::nullopt;  // `start` and `end` of newer versions
    const auto found = types_.find(node.in[0]);
    if (found == types_.end() || !found->second.tensor || !found->second.shape) return std::nullopt;
    Numbers numbers;
    for (const Dimension& dimension : *found->second.shape) {
      if (!dimension.value) return std::nullopt;
      numbers.list.push_back(*dimension.value);
    }
    return numbers;
  }

  std::optional<Numbers> concat(const Node& node) const {
    Numbers numbers;
    for (std::size_t i = 0; i < node.in.size(); ++i) {
      const Numbers* part = input(node, i);
      if (part == nullptr || part->scalar || numbers.list.size() > kMostNumbers) return std::nullopt;
      numbers.list.insert(numbers.list.end(), part->list.begin(), part->list.end());
    }
    return numbers;
  }

  std::optional<Numbers> gather(const Node& node, const Numbers& data) const {
    const Numbers* indices = input(node, 1);
    const auto axis = attribute_of(node, "axis");
    if (indices == nullptr || data.scalar || (axis && axis->number.value_or(0) != 0)) return std::nullopt;
    Numbers numbers;
    numbers.scalar = indices->scalar;
    const auto size = static_cast<std::int64_t>(data.list.size());
    for (const std::int64_t given : indices->list) {
      const std::int64_t index = given < 0 && given >= -size ? given + size : given;
      if (index < 0 || index >= size) return std::nullopt;
      numbers.list.push_back(data.list[static_cast<std::size_t>(index)]);
    }
    return numbers;
  }

  /// One number of an input, or of an attribute as older versions have it.
  std::optional<std::int64_t> one(const Node& node, std::size_t i, std::string_view attribute) const {
    if (i < node.in.size()) {
      const Numbers* numbers = input(node, i);
      return numbers != nullptr && numbers->list.size() == 1 ? std::optional(numbers->list[0]) : std::nullopt;
    }
    const auto found = attribute_of(node, attribute);
    return found && found->list.size() == 1 ? std::optional(found->list[0]) : std::nullopt;
  }

  std::optional<Numbers> slice(const Node& node, const Numbers& data) const {
    const auto start = one(node, 1, "starts");
    const auto end = one(node, 2, "ends");
    const bool with_step = node.in.size() > 4 && one(node, 4, "") != 1;
    if (data.scalar || !start || !end || with_step) return std::nullopt;
    const auto size = static_cast<std::int64_t>(data.list.size());
    const auto place = [size](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size);
    };
    Numbers numbers;
    for (std::int64_t at = place(*start); at < place(*end); ++at) {
      numbers.list.push_back(data.list[static_cast<std::size_t>(at)]);
    }
    return numbers;
  }

  std::optional<Numbers> arithmetic(const Node& node, const Numbers& a) const {
    const Numbers* other = input(node, 1);
    if (other == nullptr) return std::nullopt;
    const Numbers& b = *other;
    const std::size_t count = std::max(a.list.size(), b.list.size());
    if ((a.list.size() != count && a.list.size() != 1) || (b.list.size() != count && b.list.size() != 1))
      return std::nullopt;
    Numbers numbers;
    numbers.scalar = a.scalar && b.scalar;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t x = a.list[a.list.size() == 1 ? 0 : i];
      const std::int64_t y = b.list[b.list.size() == 1 ? 0 : i];
      std::int64_t result = 0;
      bool bad = false;
      if (node.op == "Add") {
        bad = __builtin_add_overflow(x, y, &result);
      } else if (node.op == "Sub") {
        bad = __builtin_sub_overflow(x, y, &result);
      } else if (node.op == "Mul") {
        bad = __builtin_mul_overflow(x, y, &result);
      } else {
        bad = y == 0 || (x == kMinInt64 && y == -1);
        if (!bad) result = x / y;
      }
      if (bad) return std::nullopt;
      numbers.list.push_back(result);
    }
    return numbers;
  }

  const Graph& graph_;
  const TypesByName& types_;
  NumbersByName known_;
};

}  // namespace

NumbersByName numbers_of(const Graph& graph, const TypesByName& types) {
  return Evaluation(graph, types).run();
}

std::string tensor_of(std::string_view name, const Numbers& numbers) {
  std::string out;
  if (!numbers.scalar) wire::append_number(out, 1, numbers.list.size());
  wire::append_number(out, 2, static_cast<std::uint64_t>(kInt64));
  wire::append_bytes(out, 8, name);
  for (const std::int64_t number : numbers.list) wire::append_number(out, 7, static_cast<std::uint64_t>(number));
  return out;
}

}  // namespace stowage::onnx
