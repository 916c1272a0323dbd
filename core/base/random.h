#pragma once

#include <cmath>
#include <cstdint>

namespace stowage {

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014): the same numbers
/// on every compiler and standard library, unlike the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }

  /// A real number in [0, 1) with 53 random bits.
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

  /// An integer in [low, high]; needs low <= high and high - low < 2^63. The bias is below 2^-1 * range / 2^64.
  std::int64_t uniform(std::int64_t low, std::int64_t high) {
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return low + static_cast<std::int64_t>(next() % range);
  }

 private:
  std::uint64_t state_;
};

}  // namespace stowage
