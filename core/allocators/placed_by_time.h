#pragma once

#include <cstdint>
#include <vector>

#include "core/model/sections.h"

namespace stowage {

/// A buffer that has its place, as the search for the next place needs it.
struct Placed {
  SectionRange range;
  std::int64_t offset = 0;
  std::int64_t end = 0;  // offset + size
  BufferIndex buffer = kNoBuffer;
};

/// Placed buffers in blocks of sections: the ones that meet a range are found by looking into its blocks only. Wins
/// while few of all buffers are live at once.
///
/// A buffer is listed in each block that it touches. To keep that short there are levels, each with blocks eight times
/// as long as the one before; a buffer goes to the first level where it touches at most eight.
class PlacedByTime {
 public:
  explicit PlacedByTime(std::size_t sections);

  void add(const Placed& placed);

  /// Calls visit(Placed) once for each placed buffer whose range overlaps `range`, in no useful order.
  template <typename Visit>
  void overlapping(SectionRange range, Visit&& visit) const;

 private:
  static constexpr int kFirstShift = 5;  // blocks of 32 sections
  static constexpr int kStepShift = 3;
  static constexpr std::int32_t kMostBlocks = 8;

  struct Level {
    int shift = 0;
    std::vector<std::vector<Placed>> blocks;
  };
  std::vector<Level> levels_;
};

template <typename Visit>
void PlacedByTime::overlapping(SectionRange range, Visit&& visit) const {
  for (const Level& level : levels_) {
    const std::int32_t first = range.first >> level.shift;
    const std::int32_t last = (range.last - 1) >> level.shift;
    for (std::int32_t b = first; b <= last; ++b) {
      for (const Placed& placed : level.blocks[static_cast<std::size_t>(b)]) {
        if (!placed.range.overlaps(range)) continue;
        // Listed in several blocks of the query: it counts in the first of them.
        const std::int32_t meeting = placed.range.first > range.first ? placed.range.first : range.first;
        if (meeting >> level.shift == b) visit(placed);
      }
    }
  }
}

}  // namespace stowage
