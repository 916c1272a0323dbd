#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/allocators/placed.h"

namespace stowage {

/// Placed buffers in address order, in chunks that know when they are live. A search walks up from address 0, skips
/// chunks of other times and stops at its answer: no gathering, no sorting. Wins when many of all buffers are live at
/// once.
class PlacedByAddress {
 public:
  void add(const Placed& placed);

  /// Calls visit(Placed) for each placed buffer whose range overlaps `range`, by rising offset, until it says false.
  template <typename Visit>
  void by_address(SectionRange range, Visit&& visit) const;

  void prefetch(SectionRange) const {}  // walks from the front, which is in cache

 private:
  static constexpr std::size_t kChunk = 128;

  /// One array for each field: the comparison of lifetimes reads nothing else and is done for many at once.
  struct Chunk {
    std::array<std::int32_t, kChunk> first{};
    std::array<std::int32_t, kChunk> last{};
    std::array<std::int64_t, kChunk> offset{};
    std::array<std::int64_t, kChunk> end{};
    std::array<BufferIndex, kChunk> buffer{};
    std::size_t count = 0;
    std::int32_t earliest = 0;  // hull of all ranges
    std::int32_t latest = 0;

    Placed at(std::size_t i) const { return {{first[i], last[i]}, offset[i], end[i], buffer[i]}; }
    void insert(std::size_t at, const Placed& placed);
  };
  std::size_t chunk_for(std::int64_t offset) const;
  void split(std::size_t chunk);

  std::vector<Chunk> chunks_;
};

template <typename Visit>
void PlacedByAddress::by_address(SectionRange range, Visit&& visit) const {
  for (const Chunk& chunk : chunks_) {
    if (chunk.earliest >= range.last || chunk.latest <= range.first) continue;
    std::array<std::uint8_t, kChunk> hits;  // NOLINT: filled below
    std::size_t found = 0;
    for (std::size_t i = 0; i < chunk.count; ++i) {
      hits[found] = static_cast<std::uint8_t>(i);
      const auto begins = static_cast<std::size_t>(chunk.first[i] < range.last);  // no branch: nobody could predict it
      found += begins & static_cast<std::size_t>(chunk.last[i] > range.first);
    }
    for (std::size_t k = 0; k < found; ++k) {
      if (!visit(chunk.at(hits[k]))) return;
    }
  }
}

}  // namespace stowage
