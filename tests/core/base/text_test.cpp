#include "core/base/text.h"

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "core/base/integers.h"
#include "core/base/random.h"

using namespace stowage;

TEST_CASE("bytes: the largest unit that leaves at least one, at most two decimals") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(7) == "7 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(1024) == "1 KiB");
  CHECK(format_bytes(12 * 1024) == "12 KiB");
  CHECK(format_bytes(1536) == "1.5 KiB");
  CHECK(format_bytes(263'454'720) == "251.25 MiB");
  CHECK(format_bytes(-1536) == "-1.5 KiB");
  CHECK(format_bytes(kMaxInt64) == "8 EiB");
  CHECK(format_bytes(kMinInt64) == "-8 EiB");
}

TEST_CASE("bytes: rounding never writes 1024 of a unit that has a larger one") {
  CHECK(format_bytes(1024 * 1024 - 1) == "1 MiB");
  CHECK(format_bytes(1024 * 1024 - 6 * 1024) == "1018 KiB");
}

TEST_CASE("bytes: a chosen unit never hides that there is something") {
  CHECK(format_bytes(7, ByteUnit::kGiB) == "<0.01 GiB");
  CHECK(format_bytes(0, ByteUnit::kGiB) == "0 GiB");
  CHECK(format_bytes(kMaxInt64, ByteUnit::kBytes) == "9223372036854775807 B");
  CHECK(format_bytes(3 << 20, ByteUnit::kKiB) == "3072 KiB");
  CHECK(format_bytes(3 << 20, ByteUnit::kBytes) == "3145728 B");
}

TEST_CASE("exact bytes, counts and addresses") {
  CHECK(format_exact_bytes(263'454'720) == "263,454,720 B");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1'234'567) == "1,234,567");
  CHECK(format_count(-1000) == "-1,000");
  CHECK(format_count(kMinInt64) == "-9,223,372,036,854,775,808");
  CHECK(format_address(0x1F80000, AddressStyle::kHex) == "0x1F80000");
  CHECK(format_address(-16, AddressStyle::kHex) == "-0x10");
  CHECK(format_address(2048, AddressStyle::kUnits) == "2 KiB");
}

TEST_CASE("percent: never zero for something above zero") {
  CHECK(format_percent(0.063) == "6.3 %");
  CHECK(format_percent(0) == "0.0 %");
  CHECK(format_percent(1) == "100.0 %");
  CHECK(format_percent(43.21) == "4321 %");
  CHECK(format_percent(3.0198988e7) == "3.0e+09 %");
  for (double ratio = 1; ratio > 1e-300; ratio /= 3) {
    const std::string text = format_percent(ratio);
    CAPTURE(ratio);
    CHECK(text.find_first_of("123456789") < text.find_first_of("e%"));
  }
}

TEST_CASE("seconds: a unit that people read") {
  CHECK(format_seconds(0.0004) == "0.4 ms");
  CHECK(format_seconds(2.1) == "2.1 s");
  CHECK(format_seconds(200) == "3 min 20 s");
  CHECK(format_seconds(7260) == "2 h 1 min");
  CHECK(format_seconds(0.000012) == "12 µs");
  CHECK(format_seconds(59.96) == "1 min 0 s");
}

TEST_CASE("parse bytes: units of 1024 and of 1000, whole bytes only") {
  CHECK(parse_bytes("4096") == 4096);
  CHECK(parse_bytes("1MiB") == 1 << 20);
  CHECK(parse_bytes("1.5 KiB") == 1536);
  CHECK(parse_bytes("64k") == 65536);
  CHECK(parse_bytes("1MB") == 1'000'000);
  CHECK(parse_bytes("7 B") == 7);
  CHECK(parse_bytes(" 2 gib ") == std::int64_t{2} << 30);
  CHECK(parse_bytes("9223372036854775807") == kMaxInt64);
  CHECK(parse_bytes("7.99 EiB") == std::nullopt);
  for (const char* bad : {"", "-1", "+1", "1.5", "0.1KiB", "1e3", "0x10", "1 XiB", "9223372036854775808", "8EiB",
                          "1.KiB", ".5KiB", "nan", "1 0", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_bytes(bad).has_value());
  }
}

TEST_CASE("parse bytes reads what format_exact_bytes means, for random sizes") {
  Random random(7);
  MESSAGE("seed 7");
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t bytes = random.uniform(0, kMaxInt64 - 1) >> random.uniform(0, 62);
    CHECK(parse_bytes(std::to_string(bytes) + " B") == bytes);
    if (bytes <= kMaxInt64 / 1024) CHECK(parse_bytes(std::to_string(bytes) + "KiB") == bytes * 1024);
  }
}

TEST_CASE("parse times and ratios") {
  CHECK(parse_seconds("10s") == doctest::Approx(10));
  CHECK(parse_seconds("250ms") == doctest::Approx(0.25));
  CHECK(parse_seconds("2min") == doctest::Approx(120));
  CHECK(parse_seconds("1.5") == doctest::Approx(1.5));
  for (const char* bad : {"", "-1", "inf", "1e3", "5 parsecs", "s"}) CHECK_FALSE(parse_seconds(bad).has_value());
  CHECK(parse_ratio("5%") == doctest::Approx(0.05));
  CHECK(parse_ratio("0.05") == doctest::Approx(0.05));
  CHECK(parse_ratio("12.5 %") == doctest::Approx(0.125));
  for (const char* bad : {"", "-1%", "5%%", "nan", "five"}) CHECK_FALSE(parse_ratio(bad).has_value());
}

TEST_CASE("parse int: decimal with an optional sign, nothing else") {
  CHECK(parse_int("020") == 20);
  CHECK(parse_int(" +5\t") == 5);
  CHECK(parse_int("-9223372036854775808") == kMinInt64);
  for (const char* bad : {"", "+", "-", "+-5", "0x10", "1.0", "1e3", "9223372036854775808", "1 2", "5a", "\n5"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_int(bad).has_value());
  }
}

TEST_CASE("split and trim") {
  CHECK(split("a,,b", ',') == std::vector<std::string>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(trim(" \ta b ") == "a b");
  CHECK(trim("  ").empty());
  CHECK(to_lower("MiB Ä") == "mib Ä");
}

TEST_CASE("UTF-8: each broken byte is replaced, everything else is kept") {
  bool broken = false;
  CHECK(printable_utf8("caf\xE9!", &broken) == "caf\xEF\xBF\xBD!");
  CHECK(broken);
  CHECK(printable_utf8("né 😀", &broken) == "né 😀");
  CHECK_FALSE(broken);
  // Overlong, surrogate, above U+10FFFF, cut off.
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF8\x88\x80\x80\x80"}) {
    CHECK_FALSE(is_utf8(bad));
    CHECK(is_utf8(printable_utf8(bad)));
  }
}

TEST_CASE("UTF-8: is_utf8 agrees with printable_utf8 on random bytes") {
  const std::uint64_t seed = 11;
  MESSAGE("seed " << seed);
  Random random(seed);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (std::int64_t n = random.uniform(0, 20); n > 0; --n) {
      const bool high = random.uniform(0, 3) == 0;
      bytes += static_cast<char>(high ? random.uniform(0x80, 0xFF) - 256 : random.uniform(0, 0x7F));
    }
    bool broken = false;
    const std::string text = printable_utf8(bytes, &broken);
    CHECK(is_utf8(bytes) == !broken);
    CHECK(is_utf8(text));
    CHECK((text == bytes) == !broken);
  }
}
