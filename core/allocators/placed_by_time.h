#pragma once

#include <algorithm>
#include <array>
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
/// as long as the one before; a buffer goes to the first level where it touches at most eight. Each block is kept in
/// address order.
class PlacedByTime {
 public:
  explicit PlacedByTime(std::size_t sections);

  void add(const Placed& placed);

  /// Calls visit(Placed) once for each placed buffer whose range overlaps `range`, in no useful order.
  template <typename Visit>
  void overlapping(SectionRange range, Visit&& visit) const;

  /// Calls visit(Placed) for each placed buffer whose range overlaps `range`, by rising offset, until it says false.
  /// One that is listed in several blocks may come several times in a row of equal offsets.
  template <typename Visit>
  void by_address(SectionRange range, Visit&& visit);

  /// Starts to fetch what a query of this range reads first: the queries of a large problem jump about in memory.
  void prefetch(SectionRange range) const {
    constexpr std::size_t kPerLine = 64 / sizeof(Placed);
    const Level& level = levels_.front();
    const std::int32_t last = std::min((range.first >> level.shift) + 2, (range.last - 1) >> level.shift);
    for (std::int32_t b = range.first >> level.shift; b <= last; ++b) {
      const std::vector<Placed>& block = level.blocks[static_cast<std::size_t>(b)];
      for (std::size_t at = 0; at < block.size(); at += kPerLine) __builtin_prefetch(block.data() + at);
    }
  }

 private:
  static constexpr int kFirstShift = 5;  // blocks of 32 sections
  static constexpr int kStepShift = 3;
  static constexpr std::int32_t kMostBlocks = 8;

  template <typename Visit>
  void by_address_sorted(SectionRange range, Visit&& visit) const;

  struct Level {
    int shift = 0;
    std::vector<std::vector<Placed>> blocks;
  };
  std::vector<Level> levels_;
  std::vector<const Placed*> hits_;  // working memory of by_address
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

template <typename Visit>
void PlacedByTime::by_address(SectionRange range, Visit&& visit) {
  struct Run {
    std::size_t at = 0;  // indices into hits_
    std::size_t end = 0;
  };
  constexpr std::size_t kMostRuns = 24;
  std::array<Run, kMostRuns> runs;
  std::size_t count = 0;
  std::size_t found = 0;
  for (const Level& level : levels_) {
    const std::int32_t last = (range.last - 1) >> level.shift;
    for (std::int32_t b = range.first >> level.shift; b <= last; ++b) {
      const std::vector<Placed>& block = level.blocks[static_cast<std::size_t>(b)];
      if (block.empty()) continue;
      if (count == kMostRuns) return by_address_sorted(range, visit);
      const std::size_t begin = found;
      if (hits_.size() < found + block.size()) hits_.resize(2 * (found + block.size()));
      for (const Placed& placed : block) {  // about half overlap: without a branch that nobody can predict
        hits_[found] = &placed;
        found += static_cast<std::size_t>((placed.range.first < range.last) & (placed.range.last > range.first));
      }
      if (found > begin) runs[count++] = {begin, found};
    }
  }
  while (count > 1) {  // a merge; with so few runs the smallest is found by looking at all
    std::size_t lowest = 0;
    for (std::size_t k = 1; k < count; ++k) {
      lowest = hits_[runs[k].at]->offset < hits_[runs[lowest].at]->offset ? k : lowest;
    }
    Run& run = runs[lowest];
    if (!visit(*hits_[run.at])) return;
    if (++run.at == run.end) run = runs[--count];
  }
  if (count == 0) return;
  for (std::size_t at = runs[0].at; at < runs[0].end; ++at) {
    if (!visit(*hits_[at])) return;
  }
}

template <typename Visit>
void PlacedByTime::by_address_sorted(SectionRange range, Visit&& visit) const {
  std::vector<Placed> found;
  overlapping(range, [&](const Placed& placed) { found.push_back(placed); });
  std::sort(found.begin(), found.end(), [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
  for (const Placed& placed : found) {
    if (!visit(placed)) return;
  }
}

}  // namespace stowage
