#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/integers.h"
#include "core/search/placed.h"

namespace stowage {

/// Placed buffers in address order, in chunks that know when they are live. A search walks up from address 0, skips
/// chunks of other times and stops at its answer: no gathering, no sorting. Wins when many of all buffers are live at
/// once.
class PlacedByAddress {
 public:
  void add(const Placed& placed);
  /// Takes one out that was added with this offset and buffer.
  void remove(std::int64_t offset, BufferIndex buffer);

  /// Calls visit(Placed) for each placed buffer whose range overlaps `range`, by rising offset, until it says false.
  /// Of those that end at or below `floor` as many are left out as come easily.
  template <typename Visit>
  void by_address(SectionRange range, Visit&& visit, std::int64_t floor = kMinInt64) const;

  /// The same for each placed buffer that meets(buffer) says is in the way, whatever its range.
  template <typename Meets, typename Visit>
  void by_address_if(Meets&& meets, Visit&& visit, std::int64_t floor = kMinInt64) const;

  void prefetch(SectionRange) const {}  // walks from the front, which is in cache

 private:
  static constexpr std::size_t kChunk = 128;
  static constexpr std::size_t kWord = 64;  // lifetimes compared at once

  /// One array for each field: the comparison of lifetimes reads nothing else and is done for many at once.
  struct Chunk {
    std::array<std::int32_t, kChunk> first{};
    std::array<std::int32_t, kChunk> last{};
    std::array<std::int64_t, kChunk> offset{};
    std::array<std::int64_t, kChunk> end{};
    std::array<BufferIndex, kChunk> buffer{};
    std::size_t count = 0;
    SectionRange hull;                 // of all ranges
    std::int64_t highest = kMinInt64;  // end

    Placed at(std::size_t i) const { return {{first[i], last[i]}, offset[i], end[i], buffer[i]}; }
    /// One bit for each buffer of a word: whether its range overlaps this one. Unused entries are empty ranges.
    std::uint64_t live(std::size_t word, SectionRange range) const;
    void insert(std::size_t at, const Placed& placed);
    void erase(std::size_t at);
  };
  std::size_t rank_for(std::int64_t offset) const;
  void split(std::size_t rank);
  std::uint32_t new_chunk();

  std::vector<Chunk> chunks_;         // in no order: a new one between two others moves none of them
  std::vector<std::uint32_t> order_;  // of chunks, by address
  std::vector<std::uint32_t> unused_;
};

template <typename Visit>
void PlacedByAddress::by_address(SectionRange range, Visit&& visit, std::int64_t floor) const {
  for (const std::uint32_t at : order_) {
    const Chunk& chunk = chunks_[at];
    if (!chunk.hull.overlaps(range) || chunk.highest <= floor) continue;
    const std::size_t words = (chunk.count + kWord - 1) / kWord;
    for (std::size_t word = 0; word < words; ++word) {
      for (std::uint64_t live = chunk.live(word, range); live != 0; live &= live - 1) {
        const std::size_t i = word * kWord + static_cast<std::size_t>(std::countr_zero(live));
        if (!visit(chunk.at(i))) return;
      }
    }
  }
}

template <typename Meets, typename Visit>
void PlacedByAddress::by_address_if(Meets&& meets, Visit&& visit, std::int64_t floor) const {
  for (const std::uint32_t at : order_) {
    const Chunk& chunk = chunks_[at];
    if (chunk.highest <= floor) continue;
    for (std::size_t begin = 0; begin < chunk.count; begin += kWord) {
      const std::size_t count = std::min(kWord, chunk.count - begin);
      std::uint64_t met = 0;  // asked for many at once: each answer is a guess for a branch
      for (std::size_t k = 0; k < count; ++k) met |= std::uint64_t{meets(chunk.buffer[begin + k])} << k;
      for (; met != 0; met &= met - 1) {
        if (!visit(chunk.at(begin + static_cast<std::size_t>(std::countr_zero(met))))) return;
      }
    }
  }
}

}  // namespace stowage
