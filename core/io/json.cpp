#include "core/io/json.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/io/intake.h"
#include "core/io/json_letters.h"

namespace stowage::json {
namespace {

std::string_view without_blanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) ++at;
  return text.substr(at);
}

/// Length of the string at the beginning of a validated text, quotes included.
std::size_t string_length(std::string_view text) {
  std::size_t at = 1;
  while (text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
  return at + 1;
}

/// Length of the value at the beginning of a validated text.
std::size_t value_length(std::string_view text) {
  if (text[0] == '"') return string_length(text);
  if (text[0] != '{' && text[0] != '[') {
    std::size_t at = 0;
    while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' && !is_blank(text[at])) ++at;
    return at;
  }
  std::size_t depth = 0;
  for (std::size_t at = 0;;) {
    const char c = text[at];
    if (c == '"') {
      at += string_length(text.substr(at));
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
}

std::string_view take_value(std::string_view& rest) {
  rest = without_blanks(rest);
  const std::string_view text = rest.substr(0, value_length(rest));
  rest = without_blanks(rest.substr(text.size()));
  if (!rest.empty() && rest.front() == ',') rest = without_blanks(rest.substr(1));
  return text;
}

unsigned unit_at(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  std::from_chars(text.data() + at, text.data() + at + 4, unit, 16);
  return unit;
}

template <typename Integer>
std::optional<Integer> to_integer(Value value) {
  std::string decoded;
  std::string_view digits = value.text;
  if (value.kind() == Kind::kString) {
    decoded = decode(value);
    digits = decoded;
  } else if (value.kind() != Kind::kNumber) {
    return std::nullopt;
  }
  if (digits == "-0") return Integer{0};
  Integer number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a boolean";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  return "";
}

Kind Value::kind() const {
  switch (text.empty() ? 'n' : text.front()) {
    case 'n':
      return Kind::kNull;
    case 't':
    case 'f':
      return Kind::kBool;
    case '"':
      return Kind::kString;
    case '[':
      return Kind::kArray;
    case '{':
      return Kind::kObject;
    default:
      return Kind::kNumber;
  }
}

Value root(std::string_view text) {
  text = without_blanks(text);
  return Value{text.substr(0, value_length(text))};
}

Place place_of(std::string_view text, std::size_t at) {
  Place place;
  for (std::size_t i = 0; i < at && i < text.size(); ++i) {
    const bool ends = text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'));
    place.line += ends ? 1 : 0;
    place.column = ends ? 1 : place.column + 1;
  }
  return place;
}

Elements::Elements(Value array) : rest_(without_blanks(array.text.substr(1, array.text.size() - 2))) {}

std::optional<Value> Elements::next() {
  if (rest_.empty()) return std::nullopt;
  return Value{take_value(rest_)};
}

Members::Members(Value object) : rest_(without_blanks(object.text.substr(1, object.text.size() - 2))) {}

std::optional<Member> Members::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t length = string_length(rest_);
  Member member;
  member.key = decode(Value{rest_.substr(0, length)});
  rest_ = without_blanks(rest_.substr(length)).substr(1);  // the colon
  member.value = Value{take_value(rest_)};
  return member;
}

std::string decode(Value string) {
  const std::string_view text = string.text.substr(1, string.text.size() - 2);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\\', at), text.size());
    out.append(text.substr(at, next - at));
    if (next == text.size()) break;
    at = next + 2;
    switch (text[next + 1]) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        unsigned code = unit_at(text, at);
        at += 4;
        if (code >= 0xD800 && code <= 0xDBFF) {
          code = 0x10000 + ((code - 0xD800) << 10U) + (unit_at(text, at + 2) - 0xDC00);
          at += 6;
        }
        append_utf8(out, code);
        break;
      }
      default:
        out += text[next + 1];
    }
  }
  return out;
}

std::optional<std::int64_t> to_int64(Value value) {
  return to_integer<std::int64_t>(value);
}
std::optional<std::uint64_t> to_uint64(Value value) {
  return to_integer<std::uint64_t>(value);
}

std::string describe_bad_integer(Value value) {
  if (value.kind() != Kind::kNumber && value.kind() != Kind::kString) {
    return fmt::format("expected an integer, found {}", name_of(value.kind()));
  }
  const std::string decoded = value.kind() == Kind::kString ? decode(value) : std::string(value.text);
  std::string_view digits = decoded;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (whole) return fmt::format("{} is outside the range of integers here", shown(decoded));
  return fmt::format("expected an integer, found {}", shown(value.text));
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
    bytes += static_cast<char>(static_cast<unsigned char>(high * 16 + low));
  }
  return bytes;
}

}  // namespace stowage::json
