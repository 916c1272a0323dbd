#include "core/io/text_lines.h"

#include <charconv>
#include <system_error>

namespace stowage {
namespace {

template <typename Number>
std::optional<Number> take_number(std::string_view& rest, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, base);
  if (error != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return number;
}

}  // namespace

TextLines::TextLines(std::string_view text, const ReadWatch* watch)
    : rest_(text), size_(text.size()), pass_(watch, text.size()) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (rest_.starts_with(mark)) rest_.remove_prefix(mark.size());
}

bool TextLines::next(std::string_view& line) {
  if (rest_.empty() || !pass_.goes_on(size_ - rest_.size())) return false;
  const std::size_t end = rest_.find('\n');
  complete_ = end != std::string_view::npos;
  line = rest_.substr(0, end);
  rest_.remove_prefix(complete_ ? end + 1 : rest_.size());
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

LineScan& LineScan::blanks() {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  return *this;
}

bool LineScan::take(std::string_view letters) {
  if (!rest_.starts_with(letters)) return false;
  rest_.remove_prefix(letters.size());
  return true;
}

std::optional<std::int64_t> LineScan::integer() {
  std::string_view rest = rest_;
  if (rest.starts_with('+') && rest.size() > 1 && rest[1] != '-') rest.remove_prefix(1);
  const auto number = take_number<std::int64_t>(rest, 10);
  if (number) rest_ = rest;
  return number;
}

std::optional<std::uint64_t> LineScan::natural() {
  return take_number<std::uint64_t>(rest_, 10);
}

std::optional<std::uint64_t> LineScan::hexadecimal() {
  std::string_view rest = rest_;
  if (rest.starts_with("0x") || rest.starts_with("0X")) rest.remove_prefix(2);
  const auto number = take_number<std::uint64_t>(rest, 16);
  if (number) rest_ = rest;
  return number;
}

std::optional<std::string_view> LineScan::until(std::string_view ends) {
  const std::size_t at = rest_.find_first_of(ends);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest_.substr(0, at);
  rest_.remove_prefix(at);
  return taken;
}

std::optional<Split> split_last(std::string_view text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Split{text.substr(0, at), text.substr(at + 1)};
}

std::optional<Split> split_first(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Split{text.substr(0, at), text.substr(at + separator.size())};
}

}  // namespace stowage
