#include "core/allocators/placed_by_time.h"

namespace stowage {

PlacedByTime::PlacedByTime(std::size_t sections) {
  int shift = kFirstShift;
  while (true) {
    const std::size_t blocks = (sections >> shift) + 1;
    levels_.push_back(Level{shift, std::vector<std::vector<Placed>>(blocks)});
    if (blocks <= static_cast<std::size_t>(kMostBlocks)) return;
    shift += kStepShift;
  }
}

void PlacedByTime::add(const Placed& placed) {
  for (Level& level : levels_) {
    const std::int32_t first = placed.range.first >> level.shift;
    const std::int32_t last = (placed.range.last - 1) >> level.shift;
    if (last - first >= kMostBlocks) continue;  // never on the last level
    for (std::int32_t b = first; b <= last; ++b) {
      std::vector<Placed>& block = level.blocks[static_cast<std::size_t>(b)];
      const auto above =
          std::upper_bound(block.begin(), block.end(), placed.offset,
                           [](std::int64_t offset, const Placed& other) { return offset < other.offset; });
      block.insert(above, placed);
    }
    return;
  }
}

}  // namespace stowage
