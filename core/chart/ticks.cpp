#include "core/chart/ticks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stowage {

namespace {

struct Unit {
  double bytes = 1;
  const char* name = "B";
};

constexpr Unit kUnits[] = {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}};

Unit unit_of(ByteUnit unit) {
  return kUnits[static_cast<int>(unit) - static_cast<int>(ByteUnit::kBytes)];
}

/// The largest unit in which neighbouring ticks differ by whole numbers; a larger one where numbers would get long and
/// a step is still a simple part of it (a half, a quarter, an eighth).
Unit axis_unit(double low, double high, double step) {
  constexpr double kLong = 10'000;
  Unit best = kUnits[0];
  for (const Unit& candidate : kUnits) {
    const bool long_numbers = std::max(std::abs(low), std::abs(high)) / best.bytes >= kLong;
    if (step >= candidate.bytes || (long_numbers && step >= candidate.bytes / 8)) best = candidate;
  }
  return best;
}

/// The smallest of 1, 2, 5 x 10^k that is at least x.
double round_decimal(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= x * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

double round_binary(double x) {
  return std::exp2(std::ceil(std::log2(x) - 1e-9));
}

/// Multiples of step in [low, high]; counted, so that a step below the precision of the numbers cannot loop for ever.
template <typename Label>
std::vector<Tick> multiples(double low, double high, double step, int most, Label&& label) {
  std::vector<Tick> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= most; ++i) {
    const double value = (first + i) * step;
    if (value > high * (1 + 1e-15) || (!ticks.empty() && value <= ticks.back().value)) break;
    ticks.push_back(Tick{value == 0 ? 0.0 : value, label(value)});
  }
  return ticks;
}

bool sensible(double low, double high, int most) {
  return most > 0 && std::isfinite(low) && std::isfinite(high) && low < high;
}

std::string trimmed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string grouped(double value) {
  if (std::abs(value) < 0x1p62) return format_count(static_cast<std::int64_t>(std::llround(value)));
  return fmt::format("{:.6g}", value);
}

/// Decimals that write a step in a unit exactly, as far as anybody can read them.
int decimals_for(double step_in_units) {
  int decimals = 0;
  while (decimals < 10 && std::abs(step_in_units - std::round(step_in_units)) > 1e-9 * step_in_units) {
    step_in_units *= 10;
    ++decimals;
  }
  return decimals;
}

std::string hexadecimal(double value) {
  const auto number = static_cast<std::int64_t>(std::clamp(value, -0x1p62, 0x1p62));
  return number < 0 ? fmt::format("-0x{:X}", -number) : fmt::format("0x{:X}", number);
}

}  // namespace

std::vector<Tick> time_ticks(double low, double high, int most) {
  if (!sensible(low, high, most)) return {};
  const double step = std::max(1.0, round_decimal((high - low) / most));
  return multiples(low, high, step, most, [](double value) { return grouped(value); });
}

std::vector<Tick> byte_ticks(double low, double high, int most, AddressStyle style, ByteUnit unit) {
  if (!sensible(low, high, most)) return {};
  const double step = std::max(1.0, round_binary((high - low) / most));
  if (style == AddressStyle::kHex) return multiples(low, high, step, most, hexadecimal);
  const Unit chosen = unit == ByteUnit::kAuto ? axis_unit(low, high, step) : unit_of(unit);
  const int decimals = decimals_for(step / chosen.bytes);
  return multiples(low, high, step, most, [&](double value) {
    if (value == 0) return std::string("0");
    const double count = value / chosen.bytes;
    const std::string number = decimals == 0 ? grouped(count) : trimmed(count, decimals);
    return number + " " + chosen.name;
  });
}

}  // namespace stowage
