#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/io/hlo_text.h"

/// The words, brackets and comments that the text of an HLO module is made of; views of the text.
namespace stowage::hlo {

std::string_view without_blanks(std::string_view text);

/// A place in the text that moves to the right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void go(std::size_t at) { at_ = at; }
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  std::string_view from(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
  bool ahead(std::string_view letters) const { return text_.substr(at_).starts_with(letters); }
  bool take(std::string_view letters);

  /// Spaces, line ends and comments.
  void blanks();
  /// A comment that begins here; up to the line end, which stays, when it is one of a line.
  bool comment();
  /// Letters, digits, "_", "-" and ".".
  std::string_view word();
  /// What stands between a bracket here and the one that closes it, which is passed; nothing when none does.
  std::optional<std::string_view> bracketed();
  /// To the end of the line in which all brackets that open are closed and no comma asks for more. False when the text
  /// ends before.
  bool statement();
  void line();

 private:
  bool pass(bool to_line_end);
  bool quoted();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The parts between commas that stand outside brackets and texts.
std::vector<std::string_view> parts_of(std::string_view text);
/// Without the % that some versions put in front of names.
std::string_view without_sign(std::string_view name);
/// Without its first and last letter.
std::string_view inside(std::string_view text);
/// Up to 2^24 - 1.
std::optional<std::uint32_t> small_number(std::string_view text);
/// "{1, 0}" or "{}".
std::optional<Index> index_of(std::string_view text);
/// The value of `key=` among words; texts without their quotes.
std::string_view word_value(std::string_view text, std::string_view key);

}  // namespace stowage::hlo
