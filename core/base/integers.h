#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace stowage {

/// Wide enough for any product or sum of two 64-bit numbers.
__extension__ typedef __int128 Int128;

inline constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kMinInt64 = std::numeric_limits<std::int64_t>::min();

/// a + b, or nothing when the sum is outside int64.
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a - b, or nothing when the difference is outside int64.
inline std::optional<std::int64_t> checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}

/// The multiples of `step`, shifted: offsets x with x = phase (mod step). A space with base address B and an
/// alignment A allow exactly the offsets of Grid{A, -B mod A}. 0 <= phase < step.
struct Grid {
  std::int64_t step = 1;
  std::int64_t phase = 0;

  /// The smallest allowed offset that is at least x; kMaxInt64 when that is outside int64. x >= 0.
  std::int64_t up(std::int64_t x) const {
    if (step == 1) return x;
    const std::int64_t rest = (x - phase) % step;
    if (rest == 0) return x;
    return rest > 0 ? checked_add(x, step - rest).value_or(kMaxInt64) : x - rest;
  }
  bool holds(std::int64_t x) const { return step == 1 || (x % step - phase) % step == 0; }
};

/// The offsets at which base + offset is a multiple of the alignment, which is at least 1.
inline Grid grid_above(std::uint64_t base, std::int64_t alignment) {
  if (alignment == 1) return Grid{};
  const auto step = static_cast<std::uint64_t>(alignment);
  return Grid{alignment, static_cast<std::int64_t>((step - base % step) % step)};
}

/// The offsets that both grids allow; nothing when there are none, or when their common step is outside int64.
std::optional<Grid> intersect(const Grid& a, const Grid& b);

/// The smallest multiple of `step` that is at least x; x >= 0, step >= 1.
inline std::int64_t align_up(std::int64_t x, std::int64_t step) {
  return Grid{step, 0}.up(x);
}

}  // namespace stowage
