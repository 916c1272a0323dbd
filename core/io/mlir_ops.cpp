#include "core/io/mlir_ops.h"

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/io/text_lines.h"

namespace stowage::mlir {
namespace {

/// Follows brackets and quoted texts through a text. The signs "->", "<=" and ">=" are no brackets.
class Nesting {
 public:
  explicit Nesting(std::string_view text) : text_(text) {}

  /// Takes in the character at `at`; called for each, from 0.
  void step(std::size_t at) {
    const char c = text_[at];
    if (quoted_) {
      if (c == '"' && text_[at - 1] != '\\') quoted_ = false;
      return;
    }
    const bool sign = (at > 0 && text_[at - 1] == '-') || (at + 1 < text_.size() && text_[at + 1] == '=');
    if (c == '"') quoted_ = true;
    if (c == '(' || c == '[' || c == '{' || (c == '<' && !sign)) ++depth_;
    if (c == ')' || c == ']' || c == '}' || (c == '>' && !sign)) depth_ -= depth_ > 0 ? 1 : 0;
  }
  bool outside() const { return depth_ == 0 && !quoted_; }

 private:
  std::string_view text_;
  std::size_t depth_ = 0;
  bool quoted_ = false;
};

/// The text from an opening bracket at its start to the one that closes it; empty when that does not come.
std::string_view bracketed(std::string_view text) {
  Nesting nesting(text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    nesting.step(at);
    if (nesting.outside()) return at == 0 ? std::string_view() : text.substr(0, at + 1);
  }
  return {};
}

bool ends_name(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ':' || c == ')' || c == '(' || c == '[' || c == ']' || c == '{' ||
         c == '=' || c == '#';
}

/// The name that begins at a percent sign; without the number of a result, which is 0 for memory.
std::string_view name_at(std::string_view text, std::size_t at) {
  if (at == std::string_view::npos) return {};
  std::size_t end = at;
  while (end < text.size() && !ends_name(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Where the types begin: behind the first colon outside brackets.
std::size_t types_at(const Op& op) {
  std::size_t at = find_outside(op.rest, ":");
  while (at != std::string_view::npos && op.rest.substr(at).starts_with("::")) at = find_outside(op.rest, ":", at + 2);
  return at;
}

/// The bytes of strided dimensions: one behind the last element that can be reached.
std::optional<std::int64_t> strided_elements(std::string_view layout, const std::vector<std::int64_t>& dimensions) {
  const auto open = split_first(layout, "[");
  const auto list = open ? split_first(open->after, "]") : std::nullopt;
  if (!list) return std::nullopt;
  std::vector<std::int64_t> strides;
  for (const std::string_view part : parts_outside(list->before)) {
    const auto stride = parse_int(part);
    if (!stride || *stride < 0) return std::nullopt;
    strides.push_back(*stride);
  }
  std::int64_t elements = 1;
  if (const auto offset = split_first(list->after, "offset: ")) {
    const auto shift = LineScan(offset->after).integer();
    if (!shift || *shift < 0 || __builtin_add_overflow(elements, *shift, &elements)) return std::nullopt;
  }
  if (strides.size() != dimensions.size()) return std::nullopt;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    std::int64_t reach = 0;
    if (dimensions[i] == 0) return 0;
    if (__builtin_mul_overflow(dimensions[i] - 1, strides[i], &reach) ||
        __builtin_add_overflow(elements, reach, &elements)) {
      return std::nullopt;
    }
  }
  return elements;
}

}  // namespace

std::size_t find_outside(std::string_view text, std::string_view what, std::size_t from) {
  Nesting nesting(text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at >= from && nesting.outside() && text.substr(at).starts_with(what)) return at;
    nesting.step(at);
  }
  return std::string_view::npos;
}

std::vector<std::string_view> parts_outside(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = find_outside(text, ",");
    parts.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text = text.substr(comma + 1);
  }
}

std::optional<Op> op_of(std::string_view line) {
  Op op;
  line = trim(line);
  if (line.starts_with('%')) {
    const auto parts = split_first(line, "=");
    if (!parts) return std::nullopt;
    op.result = name_at(line, 0);
    line = trim(parts->after);
  }
  op.generic = line.starts_with('"');
  if (op.generic) line.remove_prefix(1);
  const std::size_t end = line.find_first_of(op.generic ? "\"" : " (<[{");
  op.name = line.substr(0, end);
  if (op.name.empty()) return std::nullopt;
  op.rest = end == std::string_view::npos ? std::string_view() : line.substr(end + (op.generic ? 1 : 0));
  return op;
}

std::vector<std::string_view> operands_of(const Op& op) {
  const std::size_t open = find_outside(op.rest, "(");
  if (open == std::string_view::npos || open > types_at(op)) return {};
  std::string_view list = bracketed(op.rest.substr(open));
  if (list.size() < 2) return {};
  list = trim(list.substr(1, list.size() - 2));
  return list.empty() ? std::vector<std::string_view>() : parts_outside(list);
}

std::string_view first_operand(const Op& op) {
  return name_at(op.rest, op.rest.find('%'));
}

std::string_view last_operand(const Op& op) {
  if (op.generic) {
    const auto operands = operands_of(op);
    return operands.empty() ? std::string_view() : name_at(operands.back(), 0);
  }
  const std::string_view before = op.rest.substr(0, types_at(op));
  return name_at(before, before.rfind('%'));
}

std::string_view result_type(const Op& op) {
  const std::size_t colon = types_at(op);
  if (colon == std::string_view::npos) return {};
  std::string_view types = trim(op.rest.substr(colon + 1));
  for (const std::string_view arrow : {"->", " to "}) {
    const std::size_t at = find_outside(types, arrow);
    if (at != std::string_view::npos) types = trim(types.substr(at + arrow.size()));
  }
  if (types.starts_with('(')) types = trim(types.substr(1));
  if (types.starts_with('!')) return types.substr(0, types.find_first_of(" ,)"));
  constexpr std::string_view word = "memref";
  if (!types.starts_with(word)) return {};
  const std::string_view inside = bracketed(types.substr(word.size()));
  return inside.empty() ? std::string_view() : types.substr(0, word.size() + inside.size());
}

std::optional<std::int64_t> number_attribute(std::string_view rest, std::string_view name) {
  const auto given = split_first(rest, std::string(name) + " = ");
  return given ? LineScan(given->after).integer() : std::nullopt;
}

std::optional<std::string_view> text_attribute(std::string_view rest, std::string_view name) {
  const auto given = split_first(rest, std::string(name) + " = \"");
  if (!given) return std::nullopt;
  return given->after.substr(0, given->after.find('"'));
}

MemrefType memref_type(std::string_view text, const std::vector<std::string_view>& operands,
                       const Constants& constants) {
  MemrefType type;
  const auto parts = parts_outside(text);
  std::string_view strides;
  for (const std::string_view part : std::vector(parts.begin() + 1, parts.end())) {
    if (part.starts_with("strided<")) {
      strides = part;
    } else if (part.starts_with("affine_map") || part.starts_with("#map")) {
      type.layout = part;
    } else if (type.space.empty()) {
      type.space = trim(part.substr(0, part.find(" :")));  // "3 : i32"
    }
  }

  std::string_view rest = parts.front();
  std::vector<std::int64_t> dimensions;
  std::size_t asked = 0;
  std::int64_t elements = 1;
  bool too_many = false;
  for (;;) {
    LineScan scan(rest);
    std::int64_t dimension = 1;
    if (scan.take("?")) {
      const auto known = asked < operands.size() ? constants.find(operands[asked]) : constants.end();
      if (known != constants.end()) {
        dimension = known->second;
      } else {
        type.unknown.push_back(asked < operands.size() ? operands[asked] : "?");
      }
      ++asked;
    } else if (const auto number = scan.natural(); number && *number <= static_cast<std::uint64_t>(kMaxInt64)) {
      dimension = static_cast<std::int64_t>(*number);
    } else {
      break;
    }
    if (!scan.take("x")) break;
    dimensions.push_back(dimension);
    too_many |= dimension < 0 || __builtin_mul_overflow(elements, dimension, &elements);
    rest = scan.rest();
  }
  if (!type.unknown.empty() || too_many) return type;
  if (!strides.empty()) {
    const auto strided = strided_elements(strides, dimensions);
    type.strides_unknown = !strided;
    if (!strided) return type;
    elements = *strided;
  }
  const auto element = element_bytes(rest);
  std::int64_t bytes = 0;
  if (element && !__builtin_mul_overflow(elements, *element, &bytes)) type.bytes = bytes;
  return type;
}

}  // namespace stowage::mlir
