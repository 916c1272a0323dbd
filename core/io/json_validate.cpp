#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/io/json.h"
#include "core/io/json_letters.h"

namespace stowage::json {
namespace {

/// The grammar of RFC 8259, checked in one pass without recursion.
class Validator {
 public:
  Validator(std::string_view text, WatchedPass pass) : text_(text), pass_(pass) {}

  std::optional<SyntaxError> run() {
    if (value_sequence()) {
      skip_blanks();
      if (at_ != text_.size()) fail("unexpected text after the end of the value");
    }
    return std::move(error_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool fail(std::string message) {
    if (at_ >= text_.size()) message = "the text ends too early";
    error_ = SyntaxError{std::min(at_, text_.size()), std::move(message)};
    return false;
  }

  bool value_sequence() {
    bool want_value = true;
    while (true) {
      if (!pass_.goes_on(at_)) return fail("the reading was stopped");
      skip_blanks();
      if (want_value) {
        const char c = peek();
        if (c == '{' || c == '[') {
          if (open_.size() == kMaxDepth) return fail(fmt::format("nested deeper than {} levels", kMaxDepth));
          open_.push_back(c);
          ++at_;
          skip_blanks();
          if (peek() == (c == '{' ? '}' : ']')) {
            want_value = false;
          } else if (c == '{' && !key()) {
            return false;
          }
          continue;
        }
        if (!scalar()) return false;
        want_value = false;
      }
      if (open_.empty()) return true;
      skip_blanks();
      const char close = open_.back() == '{' ? '}' : ']';
      if (peek() == close) {
        open_.pop_back();
        ++at_;
        if (open_.empty()) return true;
      } else if (peek() == ',') {
        ++at_;
        skip_blanks();
        if (open_.back() == '{' && !key()) return false;
        want_value = true;
      } else {
        return fail(fmt::format("expected , or {}", close));
      }
    }
  }

  bool key() {
    if (peek() != '"') return fail("expected a key in double quotes");
    if (!string()) return false;
    skip_blanks();
    if (peek() != ':') return fail("expected : after the key");
    ++at_;
    return true;
  }

  bool scalar() {
    const char c = peek();
    if (c == '"') return string();
    if (c == '-' || is_digit(c)) return number();
    if (c == 't') return word("true");
    if (c == 'f') return word("false");
    if (c == 'n') return word("null");
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    for (const std::string_view name : {"NaN", "Infinity", "nan", "inf"}) {
      if (rest.starts_with(name)) return fail(fmt::format("{} is not a JSON value", name));
    }
    return fail("expected a value");
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return fail("expected a value");
    at_ += expected.size();
    return true;
  }

  bool number() {
    const auto digits = [this] {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      return at_ - begin;
    };
    if (peek() == '-') {
      ++at_;
      if (text_.substr(at_).starts_with("Infinity")) return fail("-Infinity is not a JSON value");
    }
    const bool zero = peek() == '0';
    const std::size_t whole = digits();
    if (whole == 0) return fail("expected digits");
    if (zero && whole > 1) return fail("a number may not begin with a zero");
    if (peek() == '.') {
      ++at_;
      if (digits() == 0) return fail("expected digits after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (digits() == 0) return fail("expected digits in the exponent");
    }
    return true;
  }

  bool string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c < 0x20) return fail("a control character inside a string must be escaped");
      if (c != '\\') {
        ++at_;
      } else if (!escape()) {
        return false;
      }
    }
    at_ = begin;
    return fail("the string that begins here is never closed");
  }

  bool escape() {
    const std::size_t begin = at_++;
    if (std::strchr("\"\\/bfnrt", peek()) != nullptr && peek() != '\0') {
      ++at_;
      return true;
    }
    if (peek() != 'u') return fail("unknown escape in a string");
    const int unit = hex4();
    if (unit < 0) return fail("expected four hexadecimal digits after \\u");
    at_ = begin + 6;
    if (unit == 0) {
      at_ = begin;
      return fail("a zero byte inside a string is not supported");
    }
    if (unit < 0xD800 || unit > 0xDFFF) return true;
    if (unit < 0xDC00 && peek() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == 'u') {
      ++at_;
      const int second = hex4();
      if (second >= 0xDC00 && second <= 0xDFFF) {
        at_ = begin + 12;
        return true;
      }
    }
    at_ = begin;
    return fail("half of a surrogate pair in a string");
  }

  /// The four digits after the u at the current place; -1 when they are not.
  int hex4() const {
    int unit = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
      const int digit = at_ + i < text_.size() ? hex_digit(text_[at_ + i]) : -1;
      if (digit < 0) return -1;
      unit = unit * 16 + digit;
    }
    return unit;
  }

  std::string_view text_;
  WatchedPass pass_;
  std::size_t at_ = 0;
  std::string open_;  // brackets that are open
  std::optional<SyntaxError> error_;
};

}  // namespace

std::optional<SyntaxError> validate(std::string_view text, WatchedPass pass) {
  return Validator(text, pass).run();
}

}  // namespace stowage::json
