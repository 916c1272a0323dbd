#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/integers.h"
#include "core/io/read_watch.h"

// Reading and writing of the JSON in documents. A text is validated once; after that a value is a view of its own bytes
// and is decoded where it is needed. That keeps what a document model would lose: every digit of every number, keys
// that we do not know exactly as they were written, the place of each value for messages, bytes that are no UTF-8.
// Nothing is allocated for a value, so a file of a million buffers costs its own text. Reports, which are small and
// only written, use nlohmann/json.
namespace stowage::json {

/// Deeper nesting is refused, so that no input can exhaust the stack of a reader.
inline constexpr int kMaxDepth = 256;

enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
/// "null", "a boolean", "a number", "a string", "an array", "an object".
std::string_view name_of(Kind kind);

/// One value: the bytes from its first to its last character, inside a validated text.
struct Value {
  std::string_view text;
  Kind kind() const;
};

struct Member {
  std::string key;  // decoded
  Value value;
};

/// Why a text is not JSON, and at which byte.
struct SyntaxError {
  std::size_t at = 0;
  std::string message;
};
std::optional<SyntaxError> validate(std::string_view text, WatchedPass pass = {});
/// The value of a text that passed `validate`.
Value root(std::string_view text);

/// Line and column (in bytes), both from 1.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};
Place place_of(std::string_view text, std::size_t at);

/// Goes through the elements of an array: while (auto value = elements.next()) ...
class Elements {
 public:
  explicit Elements(Value array);
  std::optional<Value> next();

 private:
  std::string_view rest_;
};

/// Goes through the members of an object, in the order of the file.
class Members {
 public:
  explicit Members(Value object);
  std::optional<Member> next();

 private:
  std::string_view rest_;
};

/// The characters that a string value stands for.
std::string decode(Value string);
/// An integer, exactly: a JSON integer or a string of one. Nothing when it is anything else or outside the type.
std::optional<std::int64_t> to_int64(Value value);
std::optional<std::uint64_t> to_uint64(Value value);
/// Why a value is no integer: "expected an integer, found null".
std::string describe_bad_integer(Value value);

/// Appends a string with quotes and escapes; broken UTF-8 becomes U+FFFD, so that the output is always JSON.
void append_string(std::string& out, std::string_view text);
/// Appends a JSON integer up to 2^53, a string of it above: other readers go through double.
void append_integer(std::string& out, std::int64_t value);
void append_integer(std::string& out, std::uint64_t value);

/// Writes the members of one object; the destructor does not close it.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  /// Starts a member whose value the caller appends to the text.
  std::string& key(std::string_view name);
  void integer(std::string_view name, std::int64_t value) { append_integer(key(name), value); }
  void integer(std::string_view name, std::uint64_t value) { append_integer(key(name), value); }
  /// An integer, or null.
  void optional(std::string_view name, std::optional<std::int64_t> value);
  /// A text. One that is no UTF-8 is written twice: with replacement characters for people and other programs, and
  /// as "NAME_bytes" in hexadecimal, which is what our reader takes.
  void text(std::string_view name, std::string_view value);
  /// The members of a JSON object given as text (or nothing), as they are.
  void members_of(std::string_view object);
  /// The caller has written the comma and a line break itself.
  void continue_line() { first_ = true; }
  void close() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

/// "[" first "," second ... "]"; the function appends one item to the text.
template <typename Items, typename Append>
void append_list(std::string& out, const Items& items, Append append) {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ',';
    first = false;
    append(item);
  }
  out += ']';
}

/// The bytes of a text in hexadecimal digits; nothing when they are not that, or one is zero, which no text here holds.
std::optional<std::string> from_hex(std::string_view digits);

}  // namespace stowage::json
