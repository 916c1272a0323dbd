#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/io/read_watch.h"

namespace stowage {

/// The lines of a text, one after the other, without copying. Lines end with LF or CRLF; a byte order mark is skipped.
class TextLines {
 public:
  /// `watch` may be null.
  explicit TextLines(std::string_view text, const ReadWatch* watch = nullptr);
  /// False at the end of the text, and once the reading is stopped. `line` is without its end.
  bool next(std::string_view& line);
  /// Of the line that came last, from 1.
  std::uint64_t number() const { return number_; }
  /// Whether the last line came with its end: a file that was cut off has none.
  bool complete() const { return complete_; }

 private:
  std::string_view rest_;
  std::size_t size_ = 0;
  WatchedPass pass_;
  std::uint64_t number_ = 0;
  bool complete_ = true;
};

/// Takes one line apart from left to right. What fails leaves the cursor where it was.
class LineScan {
 public:
  explicit LineScan(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }
  /// Spaces and tabs, any number.
  LineScan& blanks();
  /// Exactly these letters.
  bool take(std::string_view letters);
  /// Decimal digits with an optional sign.
  std::optional<std::int64_t> integer();
  std::optional<std::uint64_t> natural();
  /// `0x1f`, `0X1F` or `1f`.
  std::optional<std::uint64_t> hexadecimal();
  /// Up to the first of `ends`, which stays; nothing when it does not come.
  std::optional<std::string_view> until(std::string_view ends);

 private:
  std::string_view rest_;
};

/// The whole line from its end: "text:12-34" is taken apart at the last colon, because names may hold any character.
struct Split {
  std::string_view before;
  std::string_view after;
};
std::optional<Split> split_last(std::string_view text, char separator);
std::optional<Split> split_first(std::string_view text, std::string_view separator);

}  // namespace stowage
