#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// Units in which the window and the tables write bytes; kAuto takes the largest that leaves at least 1.
enum class ByteUnit { kAuto, kBytes, kKiB, kMiB, kGiB };

/// How addresses are written: in byte units, or in hexadecimal.
enum class AddressStyle { kUnits, kHex };

/// "251.25 MiB", "12 KiB", "7 B": at most two decimals, IEC units (powers of 1024). For people.
std::string format_bytes(std::int64_t bytes, ByteUnit unit = ByteUnit::kAuto);
/// "263,454,720 B": every digit.
std::string format_exact_bytes(std::int64_t bytes);
/// "0x1F80000" or the units of format_bytes.
std::string format_address(std::int64_t address, AddressStyle style, ByteUnit unit = ByteUnit::kAuto);
/// "1,234,567".
std::string format_count(std::int64_t count);
/// "6.3 %" of a ratio 0.063; more digits when it is tiny, never "0.0 %" for something above 0; "4321 %",
/// "3.0e+09 %" when it is large.
std::string format_percent(double ratio);
/// "0.4 ms", "2.1 s", "3 min 20 s".
std::string format_seconds(double seconds);

/// Reads "4096", "1MiB", "1.5 KiB", "64k" (IEC: k = 1024), "1MB" (= 10^6). Nothing when it is not a whole number of
/// bytes in [0, 2^63-1].
std::optional<std::int64_t> parse_bytes(std::string_view text);
/// Reads "10s", "250ms", "2min", "1.5" (seconds). Nothing when negative or not a time.
std::optional<double> parse_seconds(std::string_view text);
/// Reads "5%", "0.05" as 0.05. Nothing when negative or not a number.
std::optional<double> parse_ratio(std::string_view text);
/// A plain decimal integer: optional sign, digits, nothing else; surrounding spaces and tabs are skipped.
std::optional<std::int64_t> parse_int(std::string_view text);

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
/// Valid UTF-8 with each broken byte replaced by U+FFFD, for drawing; `broken` (optional) tells whether there was one.
std::string printable_utf8(std::string_view bytes, bool* broken = nullptr);
/// Well-formed by RFC 3629; fast for plain ASCII.
bool is_utf8(std::string_view bytes);

}  // namespace stowage
