#include "core/search/placed_by_address.h"

#include <algorithm>
#include <cstring>

namespace stowage {

std::uint64_t PlacedByAddress::Chunk::live(std::size_t word, SectionRange range) const {
  // Without a branch and with a fixed count, so that compilers turn it into comparisons of whole registers.
  std::array<std::uint8_t, kWord> overlaps;  // NOLINT: filled below
  const std::int32_t* firsts = first.data() + word * kWord;
  const std::int32_t* lasts = last.data() + word * kWord;
  for (std::size_t i = 0; i < kWord; ++i) {
    overlaps[i] = static_cast<std::uint8_t>(static_cast<unsigned>(firsts[i] < range.last) &
                                            static_cast<unsigned>(lasts[i] > range.first));
  }
  // Each multiplication moves the lowest bits of eight bytes into the highest byte, the first byte to its lowest bit.
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kWord; i += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, overlaps.data() + i, sizeof bytes);
    bits |= (bytes * 0x0102040810204080U >> 56) << i;
  }
  return bits;
}

void PlacedByAddress::Chunk::insert(std::size_t at, const Placed& placed) {
  const auto shift = [&](auto& values, auto value) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(at);
    const auto to = values.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy_backward(from, to, to + 1);
    values[at] = value;
  };
  shift(first, placed.range.first);
  shift(last, placed.range.last);
  shift(offset, placed.offset);
  shift(end, placed.end);
  shift(buffer, placed.buffer);
  hull.first = count == 0 ? placed.range.first : std::min(hull.first, placed.range.first);
  hull.last = count == 0 ? placed.range.last : std::max(hull.last, placed.range.last);
  highest = std::max(highest, placed.end);
  ++count;
}

/// The hull and the highest end stay: they may be too wide then, which costs a look and no more.
void PlacedByAddress::Chunk::erase(std::size_t at) {
  const auto close = [&](auto& values, auto unused) {
    const auto gap = values.begin() + static_cast<std::ptrdiff_t>(at);
    std::copy(gap + 1, values.begin() + static_cast<std::ptrdiff_t>(count), gap);
    values[count - 1] = unused;
  };
  close(first, std::int32_t{0});
  close(last, std::int32_t{0});
  close(offset, std::int64_t{0});
  close(end, std::int64_t{0});
  close(buffer, BufferIndex{0});
  --count;
}

/// Where in the order the last chunk is that begins at or below the offset; the first one when there is none.
std::size_t PlacedByAddress::rank_for(std::int64_t offset) const {
  const auto after =
      std::upper_bound(order_.begin(), order_.end(), offset,
                       [&](std::int64_t value, std::uint32_t chunk) { return value < chunks_[chunk].offset.front(); });
  return after == order_.begin() ? 0 : static_cast<std::size_t>(after - order_.begin()) - 1;
}

std::uint32_t PlacedByAddress::new_chunk() {
  if (unused_.empty()) {
    chunks_.emplace_back();
    return static_cast<std::uint32_t>(chunks_.size() - 1);
  }
  const std::uint32_t chunk = unused_.back();
  unused_.pop_back();
  chunks_[chunk] = Chunk();
  return chunk;
}

void PlacedByAddress::split(std::size_t rank) {
  const std::uint32_t above = new_chunk();
  const Chunk full = chunks_[order_[rank]];
  Chunk& lower = chunks_[order_[rank]];
  Chunk& upper = chunks_[above];
  lower = Chunk();
  for (std::size_t i = 0; i < full.count; ++i) {
    Chunk& half = i < full.count / 2 ? lower : upper;
    half.insert(half.count, full.at(i));
  }
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(rank) + 1, above);
}

void PlacedByAddress::add(const Placed& placed) {
  if (order_.empty()) order_.push_back(new_chunk());
  std::size_t rank = rank_for(placed.offset);
  if (chunks_[order_[rank]].count == kChunk) {
    split(rank);
    rank = rank_for(placed.offset);
  }
  Chunk& chunk = chunks_[order_[rank]];
  const auto begin = chunk.offset.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(chunk.count);
  // After those with an equal offset: the order of equals is the order in which they were placed.
  chunk.insert(static_cast<std::size_t>(std::upper_bound(begin, end, placed.offset) - begin), placed);
}

void PlacedByAddress::remove(std::int64_t offset, BufferIndex buffer) {
  for (std::size_t rank = rank_for(offset);; --rank) {  // equal offsets may reach back into the chunks before
    Chunk& chunk = chunks_[order_[rank]];
    for (std::size_t i = 0; i < chunk.count; ++i) {
      if (chunk.offset[i] != offset || chunk.buffer[i] != buffer) continue;
      chunk.erase(i);
      if (chunk.count == 0) {
        unused_.push_back(order_[rank]);
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(rank));
      }
      return;
    }
  }
}

}  // namespace stowage
