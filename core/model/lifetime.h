#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

/// A part of a lifetime with an unchanging set of needed bytes: during [start, end) the buffer needs [low, high)
/// relative to its offset.
///
///        size +-----+     +-----+        gap without a window: two pieces
///             |     |     |     |        gap with a window: three, the middle one lower
///           0 +-----+     +-----+
struct Piece {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool operator==(const Piece&) const = default;
};

/// The pieces of a buffer in time order; none for a buffer that takes no memory. Adjacent equal pieces are merged.
/// `gaps` must be ordered and disjoint. Calls visit(Piece) for each; the common case of no gap costs nothing.
template <typename Visit>
void for_each_piece(const Buffer& buffer, std::span<const Gap> gaps, Visit&& visit);

std::vector<Piece> pieces_of(const Buffer& buffer, std::span<const Gap> gaps);

/// The least distance from the offset of `below` up to the offset of `above` at which they do not collide when `below`
/// lies below: the maximum of below.high - above.low over all instants at which both need memory. Nothing when there is
/// no such instant. Not symmetric. (google/minimalloc: Buffer::effective_size.)
std::optional<std::int64_t> effective_size(std::span<const Piece> below, std::span<const Piece> above);

template <typename Visit>
void for_each_piece(const Buffer& buffer, std::span<const Gap> gaps, Visit&& visit) {
  if (!buffer.takes_memory()) return;
  if (gaps.empty()) {
    visit(Piece{buffer.start, buffer.end, 0, buffer.size});
    return;
  }
  for (const Piece& piece : pieces_of(buffer, gaps)) visit(piece);
}

}  // namespace stowage
