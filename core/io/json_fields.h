#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/intake.h"
#include "core/io/json.h"

namespace stowage::json {

/// Where in a document one is: a chain on the stack, written out only when there is something to say.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  std::optional<std::size_t> index;

  /// "$.buffers[3].lower".
  std::string text() const;
};

/// A validated text that is being read, with what was found wrong in it.
class Source {
 public:
  /// `watch` may be null.
  Source(std::string_view text, std::string name, bool lenient, const ReadWatch* watch = nullptr)
      : complaints(lenient), text_(text), name_(std::move(name)), pass_(watch, text.size(), kBehindValidation) {}
  /// To be asked at each item of what may be a long list. False when the reading is to stop.
  bool goes_on(Value value) { return pass_.goes_on(offset_of(value)); }

  /// The beginning of a message about a byte: "model.json:3:12: ".
  std::string place(std::size_t at);
  std::size_t offset_of(Value value) const { return static_cast<std::size_t>(value.text.data() - text_.data()); }
  void complain(Value value, const Path& path, std::string_view message);
  void warn(Value value, const Path& path, std::string_view message);
  /// Counts a key that has no meaning; `level` says where: "buffers".
  void keep(std::string_view level, std::string_view key);
  /// All warnings, those about kept keys last.
  std::vector<std::string> take_warnings();
  const std::string& name() const { return name_; }

  Complaints complaints;

 private:
  std::string_view text_;
  std::string name_;
  WatchedPass pass_;
  std::vector<std::size_t> line_begins_;  // filled by the first question for a place
  std::vector<std::string> warnings_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> kept_;
};

/// The members of one object; each is taken once and what is left over is kept.
class Fields {
 public:
  /// Duplicate keys: a warning, the last one wins.
  Fields(Source& source, Value object, const Path& path);

  std::optional<Value> take(std::string_view key);
  /// The same without taking it.
  std::optional<Value> peek(std::string_view key) const;
  bool has(std::string_view key) const { return peek(key).has_value(); }

  /// Integers; a complaint when it is anything else. Nothing when it is missing, or null and `nullable`.
  std::optional<std::int64_t> integer(std::string_view key, bool nullable = false);
  std::int64_t required_integer(std::string_view key);
  std::optional<std::uint64_t> natural(std::string_view key);
  /// A string; null counts as missing. "KEY_bytes" (hexadecimal) holds a text that is not UTF-8.
  std::optional<std::string> text(std::string_view key);
  bool flag(std::string_view key);
  /// Values of one kind; a complaint when it is another. Null counts as missing.
  std::optional<Value> of_kind(std::string_view key, Kind kind);

  /// What nobody took, as the text of a JSON object; empty when there is nothing. Reported as kept.
  std::string extra(std::string_view level);
  void complain(std::string_view key, std::string_view message);
  /// Whether anything has been wrong.
  bool sound() const { return sound_; }
  void spoil() { sound_ = false; }

 private:
  Source& source_;
  Value object_;
  const Path& path_;
  std::vector<Member> members_;
  std::vector<bool> taken_;
  bool has_bytes_ = false;
  bool sound_ = true;
};

}  // namespace stowage::json
