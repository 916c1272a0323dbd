#include "core/io/hlo_words.h"

#include <algorithm>

#include "core/base/text.h"

namespace stowage::hlo {
namespace {

constexpr std::string_view kHloBlanks = " \t\r\n";  // lines may end with CRLF

bool is_hlo_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_' || letter == '-' || letter == '.';
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kHloBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kHloBlanks) - begin + 1);
}

void Cursor::blanks() {
  while (!done()) {
    if (comment()) {
      continue;
    } else if (kHloBlanks.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    } else {
      return;
    }
  }
}

bool Cursor::comment() {
  if (ahead("//")) {
    line();
    return true;
  }
  if (!ahead("/*")) return false;
  const std::size_t end = text_.find("*/", at_ + 2);
  at_ = end == std::string_view::npos ? text_.size() : end + 2;
  return true;
}

bool Cursor::take(std::string_view letters) {
  if (!ahead(letters)) return false;
  at_ += letters.size();
  return true;
}

std::string_view Cursor::word() {
  const std::size_t begin = at_;
  while (!done() && is_hlo_word(text_[at_])) ++at_;
  return from(begin);
}

std::optional<std::string_view> Cursor::bracketed() {
  const std::size_t begin = at_ + 1;
  if (!pass(false)) return std::nullopt;
  return text_.substr(begin, at_ - begin - 1);
}

bool Cursor::statement() {
  return pass(true);
}

void Cursor::line() {
  at_ = std::min(text_.find('\n', at_), text_.size());
}

/// Over brackets, texts and comments: to behind the bracket that closes the first, or to a line end outside all.
bool Cursor::pass(bool to_line_end) {
  std::size_t depth = 0;
  char last = ' ';  // before the blanks and comments here
  while (!done()) {
    const char letter = text_[at_];
    if (letter == '"') {
      if (!quoted()) return false;
      last = letter;
      continue;
    }
    if (comment()) continue;
    if (to_line_end && depth == 0 && ((letter == '\n' && last != ',') || letter == '}')) return true;
    ++at_;
    if (kHloBlanks.find(letter) == std::string_view::npos) last = letter;
    if (letter == '(' || letter == '{' || letter == '[') ++depth;
    if ((letter == ')' || letter == '}' || letter == ']') && depth > 0 && --depth == 0 && !to_line_end) return true;
  }
  return to_line_end && depth == 0;
}

bool Cursor::quoted() {
  for (++at_; !done(); ++at_) {
    if (text_[at_] == '\\') {
      ++at_;
    } else if (text_[at_] == '"') {
      ++at_;
      return true;
    }
  }
  at_ = text_.size();
  return false;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char letter = at < text.size() ? text[at] : ',';
    if (in_text) {
      if (letter == '\\') ++at;
      in_text = letter != '"' && at < text.size();
      continue;
    }
    in_text = letter == '"';
    if (letter == '(' || letter == '{' || letter == '[') ++depth;
    if ((letter == ')' || letter == '}' || letter == ']') && depth > 0) --depth;
    if (letter != ',' || (depth > 0 && at < text.size())) continue;
    const std::string_view part = without_blanks(text.substr(begin, std::min(at, text.size()) - begin));
    if (!part.empty()) parts.push_back(part);
    begin = at + 1;
  }
  return parts;
}

std::string_view without_sign(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

std::string_view inside(std::string_view text) {
  text = without_blanks(text);
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : std::string_view();
}

std::optional<std::uint32_t> small_number(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < 0 || *number > 0xFFFFFF) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<Index> index_of(std::string_view text) {
  Index index;
  for (const std::string_view part : parts_of(inside(text))) {
    const auto number = small_number(part);
    if (!number) return std::nullopt;
    index.push_back(*number);
  }
  return index;
}

std::string_view word_value(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '{') continue;
    std::string_view rest = text.substr(at + key.size());
    if (rest.starts_with('"')) return rest.substr(1, std::min(rest.find('"', 1), rest.size()) - 1);
    return rest.substr(0, std::min(rest.find_first_of(" }"), rest.size()));
  }
  return {};
}

}  // namespace stowage::hlo
