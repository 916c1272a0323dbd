#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace stowage {
namespace {

struct Unit {
  std::string_view name;
  int shift = 0;  // 1 unit = 2^shift bytes
};
constexpr std::array<Unit, 7> kUnits = {
    {{"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}, {"PiB", 50}, {"EiB", 60}}};

std::uint64_t magnitude_of(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Hundredths of a unit, rounded to the nearest.
Int128 hundredths(std::uint64_t bytes, int shift) {
  const Int128 half = shift == 0 ? Int128{0} : Int128{1} << (shift - 1);
  return (Int128{bytes} * 100 + half) >> shift;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

/// The rounded value can reach 1024 where the exact one does not: then the next unit says the same in fewer letters.
std::size_t largest_unit(std::uint64_t bytes) {
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && hundredths(bytes, kUnits[unit].shift) >= 102'400) ++unit;
  return unit;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// A number without exponent, split as "12", "5" for "12.5"; what follows it.
struct PlainNumber {
  std::string_view whole;
  std::string_view fraction;
  std::string_view rest;
};

std::optional<PlainNumber> plain_number(std::string_view text) {
  PlainNumber number;
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  number.whole = text.substr(0, at);
  if (at < text.size() && text[at] == '.') {
    const std::size_t begin = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    number.fraction = text.substr(begin, at - begin);
    if (number.fraction.empty()) return std::nullopt;
  }
  if (number.whole.empty()) return std::nullopt;
  number.rest = trim(text.substr(at));
  return number;
}

double value_of(const PlainNumber& number) {
  const std::string text = fmt::format("{}.{}", number.whole, number.fraction.empty() ? "0" : number.fraction);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Bytes in a unit as people type it; nothing for an unknown one. A bare letter means the power of 1024.
std::optional<std::int64_t> bytes_in(std::string_view unit) {
  const std::string name = to_lower(unit);
  if (name.empty() || name == "b") return 1;
  const std::size_t power = std::string_view("kmgtpe").find(name[0]);
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view tail = std::string_view(name).substr(1);
  if (tail.empty() || tail == "i" || tail == "ib") return std::int64_t{1} << (10 * (power + 1));
  if (tail != "b") return std::nullopt;
  std::int64_t bytes = 1;
  for (std::size_t k = 0; k <= power; ++k) bytes *= 1000;
  return bytes;
}

/// Length of the well-formed UTF-8 sequence at the beginning of `bytes`; 0 when there is none (RFC 3629: no overlong
/// forms, no surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) {
    return (at(i) & 0xC0U) == 0x80U;
  };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0U : 0x80U;
    const unsigned high = first == 0xED ? 0x9FU : 0xBFU;
    return at(1) >= low && at(1) <= high && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90U : 0x80U;
    const unsigned high = first == 0xF4 ? 0x8FU : 0xBFU;
    return at(1) >= low && at(1) <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string format_bytes(std::int64_t bytes, ByteUnit unit) {
  const std::uint64_t magnitude = magnitude_of(bytes);
  const std::size_t chosen = unit == ByteUnit::kAuto ? largest_unit(magnitude) : static_cast<std::size_t>(unit) - 1;
  const Int128 parts = hundredths(magnitude, kUnits[chosen].shift);
  const std::string_view sign = bytes < 0 ? "-" : "";
  if (parts == 0 && magnitude != 0) return fmt::format("{}<0.01 {}", sign, kUnits[chosen].name);
  const int rest = static_cast<int>(parts % 100);
  std::string number = std::to_string(static_cast<std::uint64_t>(parts / 100));
  if (rest != 0) number += fmt::format(".{:02}", rest);
  if (rest != 0 && rest % 10 == 0) number.pop_back();
  return fmt::format("{}{} {}", sign, number, kUnits[chosen].name);
}

std::string format_exact_bytes(std::int64_t bytes) {
  return format_count(bytes) + " B";
}

std::string format_address(std::int64_t address, AddressStyle style, ByteUnit unit) {
  if (style == AddressStyle::kUnits) return format_bytes(address, unit);
  return fmt::format("{}0x{:X}", address < 0 ? "-" : "", magnitude_of(address));
}

std::string format_count(std::int64_t count) {
  return fmt::format("{}{}", count < 0 ? "-" : "", grouped(magnitude_of(count)));
}

std::string format_percent(double ratio) {
  const double percent = ratio * 100;
  const double magnitude = std::abs(percent);
  if (!std::isfinite(percent)) return fmt::format("{} %", percent);
  if (magnitude >= 1e6) return fmt::format("{:.1e} %", percent);
  if (magnitude >= 1e3) return fmt::format("{:.0f} %", percent);
  if (magnitude == 0 || magnitude >= 0.1) return fmt::format("{:.1f} %", percent);
  if (magnitude < 1e-6) return fmt::format("{:.0e} %", percent);
  const int decimals = static_cast<int>(std::ceil(-std::log10(magnitude)));
  return fmt::format("{:.{}f} %", percent, decimals);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return fmt::format("{} s", seconds);
  if (seconds == 0) return "0 ms";
  if (seconds < 0.99995e-6) return "<1 µs";
  if (seconds < 0.995e-4) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 0.09995) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1e15) return fmt::format("{:.3g} h", seconds / 3600);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  const auto number = plain_number(trim(text));
  if (!number) return std::nullopt;
  const auto unit = bytes_in(number->rest);
  if (!unit) return std::nullopt;
  std::uint64_t whole = 0;
  const auto read = std::from_chars(number->whole.data(), number->whole.data() + number->whole.size(), whole);
  if (read.ec != std::errc{}) return std::nullopt;

  std::string_view fraction = number->fraction;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.size() > 18) return std::nullopt;
  Int128 part = 0;
  Int128 scale = 1;
  for (const char digit : fraction) {
    part = part * 10 + (digit - '0');
    scale *= 10;
  }
  if (part * *unit % scale != 0) return std::nullopt;
  const Int128 bytes = Int128{whole} * *unit + part * *unit / scale;
  if (bytes > kMaxInt64) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::optional<double> parse_seconds(std::string_view text) {
  const auto number = plain_number(trim(text));
  if (!number) return std::nullopt;
  struct TimeUnit {
    std::string_view name;
    double seconds = 1;
  };
  constexpr std::array<TimeUnit, 12> units = {{{"", 1},
                                               {"s", 1},
                                               {"sec", 1},
                                               {"ms", 1e-3},
                                               {"us", 1e-6},
                                               {"µs", 1e-6},
                                               {"ns", 1e-9},
                                               {"m", 60},
                                               {"min", 60},
                                               {"h", 3600},
                                               {"hr", 3600},
                                               {"d", 86400}}};
  const std::string name = to_lower(number->rest);
  for (const TimeUnit& unit : units) {
    if (unit.name != name) continue;
    const double seconds = value_of(*number) * unit.seconds;
    return std::isfinite(seconds) ? std::optional<double>(seconds) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text) {
  const auto number = plain_number(trim(text));
  if (!number) return std::nullopt;
  if (number->rest.empty()) return value_of(*number);
  if (number->rest == "%") return value_of(*number) / 100;
  return std::nullopt;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string printable_utf8(std::string_view bytes, bool* broken) {
  std::string text;
  text.reserve(bytes.size());
  bool any_broken = false;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    if (length == 0) {
      text += "\xEF\xBF\xBD";
      any_broken = true;
    } else {
      text.append(bytes.substr(0, length));
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (broken != nullptr) *broken = any_broken;
  return text;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    std::uint64_t block = 0;
    if (bytes.size() >= sizeof block) {
      std::memcpy(&block, bytes.data(), sizeof block);
      if ((block & 0x8080808080808080ULL) == 0) {
        bytes.remove_prefix(sizeof block);
        continue;
      }
    }
    const std::size_t length = utf8_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace stowage
