#include <iterator>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/json.h"

namespace stowage::json {
namespace {

constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

}  // namespace

void append_string(std::string& out, std::string_view text) {
  std::string repaired;
  if (!is_utf8(text)) {
    repaired = printable_utf8(text);
    text = repaired;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_integer(std::string& out, std::int64_t value) {
  const bool exact = value >= -kExactInDouble && value <= kExactInDouble;
  if (!exact) out += '"';
  fmt::format_to(std::back_inserter(out), "{}", value);
  if (!exact) out += '"';
}

void append_integer(std::string& out, std::uint64_t value) {
  const bool exact = value <= static_cast<std::uint64_t>(kExactInDouble);
  if (!exact) out += '"';
  fmt::format_to(std::back_inserter(out), "{}", value);
  if (!exact) out += '"';
}

std::string& ObjectWriter::key(std::string_view name) {
  if (!first_) out_ += ',';
  first_ = false;
  append_string(out_, name);
  out_ += ':';
  return out_;
}

void ObjectWriter::optional(std::string_view name, std::optional<std::int64_t> value) {
  if (value) {
    integer(name, *value);
  } else {
    key(name) += "null";
  }
}

void ObjectWriter::text(std::string_view name, std::string_view value) {
  append_string(key(name), value);
  if (is_utf8(value)) return;
  std::string& out = key(fmt::format("{}_bytes", name));
  out += '"';
  for (const char c : value) {
    fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  out += '"';
}

void ObjectWriter::members_of(std::string_view object) {
  if (object.empty()) return;
  Members members(Value{object});
  while (const auto member = members.next()) key(member->key) += member->value.text;
}

}  // namespace stowage::json
