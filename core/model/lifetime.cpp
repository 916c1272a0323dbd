#include "core/model/lifetime.h"

#include <algorithm>

namespace stowage {
namespace {

void append(std::vector<Piece>& pieces, const Piece& piece) {
  if (piece.start >= piece.end || piece.low >= piece.high) return;
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.end == piece.start && last.low == piece.low && last.high == piece.high) {
      last.end = piece.end;
      return;
    }
  }
  pieces.push_back(piece);
}

}  // namespace

std::vector<Piece> pieces_of(const Buffer& buffer, std::span<const Gap> gaps) {
  std::vector<Piece> pieces;
  if (!buffer.takes_memory()) return pieces;
  std::int64_t at = buffer.start;
  for (const Gap& gap : gaps) {
    append(pieces, {at, gap.start, 0, buffer.size});
    if (gap.window) append(pieces, {gap.start, gap.end, gap.window->low, gap.window->high});
    at = gap.end;
  }
  append(pieces, {at, buffer.end, 0, buffer.size});
  return pieces;
}

std::optional<std::int64_t> effective_size(std::span<const Piece> below, std::span<const Piece> above) {
  std::optional<std::int64_t> distance;
  // Both lists are in time order: advance the one that ends first.
  for (std::size_t b = 0, a = 0; b < below.size() && a < above.size();) {
    const Piece& lower = below[b];
    const Piece& upper = above[a];
    if (lower.start < upper.end && upper.start < lower.end) {
      const std::int64_t needed = lower.high - upper.low;
      distance = std::max(distance.value_or(needed), needed);
    }
    (lower.end <= upper.end ? b : a) += 1;
  }
  return distance;
}

}  // namespace stowage
