#include "core/io/csv_gaps.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace stowage::csv {
namespace {

std::optional<std::int64_t> take_integer(std::string_view& rest) {
  if (rest.starts_with('+')) rest.remove_prefix(rest.size() > 1 && rest[1] != '-' ? 1 : 0);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

bool take(std::string_view& rest, char expected) {
  if (!rest.starts_with(expected)) return false;
  rest.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Gap> parse_gap(std::string_view rest) {
  Gap gap;
  const auto start = take_integer(rest);
  if (!start || !take(rest, '-')) return std::nullopt;
  const auto end = take_integer(rest);
  if (!end) return std::nullopt;
  gap.start = *start;
  gap.end = *end;
  if (rest.empty()) return gap;
  if (!take(rest, '@')) return std::nullopt;
  const auto low = take_integer(rest);
  if (!low || !take(rest, ':')) return std::nullopt;
  const auto high = take_integer(rest);
  if (!high || !rest.empty()) return std::nullopt;
  gap.window = Window{*low, *high};
  return gap;
}

}  // namespace stowage::csv
