#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stowage {

/// Sixteen bytes of numbers that are worked on at once, by the vector extension that GCC and clang share: every 64-bit
/// processor has registers of that width, and wider ones gain nothing on rows as short as ours. A comparison gives all
/// ones in the lanes where it holds.
template <typename Value>
struct Lanes {
  typedef Value Type __attribute__((vector_size(16)));
  static constexpr std::size_t kCount = 16 / sizeof(Value);

  static Type load(const Value* from) {
    Type lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  static void store(Value* to, Type lanes) { std::memcpy(to, &lanes, sizeof lanes); }
  static Type all(Value value) { return value - Type{}; }
  static Type min(Type a, Type b) { return a < b ? a : b; }
  static Type max(Type a, Type b) { return a < b ? b : a; }

  static Value least(Type lanes) {
    Value least = lanes[0];
    for (std::size_t k = 1; k < kCount; ++k) least = lanes[k] < least ? lanes[k] : least;
    return least;
  }
  static Value sum(Type lanes) {
    Value sum = lanes[0];
    for (std::size_t k = 1; k < kCount; ++k) sum = static_cast<Value>(sum + lanes[k]);
    return sum;
  }
  /// Does a comparison hold anywhere?
  static bool any(Type mask) {
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), &mask, sizeof words);
    return (words[0] | words[1]) != 0;
  }

  /// The first number of the block in which this one lies; the room that whole blocks need.
  static std::size_t block_of(std::size_t index) { return index / kCount * kCount; }
  static std::size_t room(std::size_t count) { return block_of(count + kCount - 1); }
};

/// Calls work(begin, mask) for each block that holds some of [first, last), which is not empty: `begin` is the index of
/// its first lane, and the mask all ones in the lanes that belong to the range. Blocks begin at multiples of their
/// size, so that what one call has stored another one finds as it was stored. Arrays need room for whole blocks.
template <typename Value, typename Work>
void for_blocks(std::size_t first, std::size_t last, const Work& work) {
  using L = Lanes<Value>;
  static constexpr auto kOnes = [] {
    std::array<Value, 2 * L::kCount> ones{};
    for (std::size_t k = L::kCount; k < ones.size(); ++k) ones[k] = static_cast<Value>(-1);
    return ones;
  }();
  const auto from = [](std::size_t lane) {
    return L::load(kOnes.data() + L::kCount - lane);
  };
  std::size_t begin = L::block_of(first);
  typename L::Type mask = from(first - begin);
  for (; begin + L::kCount < last; begin += L::kCount) {
    work(begin, mask);
    mask = from(0);
  }
  work(begin, mask & ~from(last - begin));
}

}  // namespace stowage
