#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/search/placed.h"

namespace stowage {

/// Placed buffers in blocks of sections: the ones that meet a range are found by looking into its blocks only. Wins
/// while few of all buffers are live at once. `Entry` is Placed or NarrowPlaced.
///
/// A buffer is listed in each block that it touches. To keep that short there are levels, each with blocks eight times
/// as long as the one before; a buffer goes to the first level where it touches at most eight. Each block is kept in
/// address order.
template <typename Entry>
class PlacedByTime {
 public:
  explicit PlacedByTime(std::size_t sections);

  void add(const Entry& placed);

  /// Calls visit(Entry) once for each placed buffer whose range overlaps `range`, in no useful order.
  template <typename Visit>
  void overlapping(SectionRange range, Visit&& visit) const;

  /// Calls visit(Entry) for each placed buffer whose range overlaps `range`, by rising offset, until it says false. One
  /// that is listed in several blocks may come several times in a row of equal offsets.
  template <typename Visit>
  void by_address(SectionRange range, Visit&& visit);

  /// Starts to fetch what a query of this range reads first: the queries of a large problem jump about in memory.
  void prefetch(SectionRange range) const;

 private:
  static constexpr int kFirstShift = 7;  // blocks of 128 sections: reading on beats jumping
  static constexpr int kStepShift = 3;
  static constexpr std::int32_t kMostBlocks = 8;

  template <typename Visit>
  void by_address_sorted(SectionRange range, Visit&& visit) const;

  struct Level {
    int shift = 0;
    std::vector<std::vector<Entry>> blocks;
  };
  std::vector<Level> levels_;
  std::vector<const Entry*> hits_;  // working memory of by_address
};

template <typename Entry>
PlacedByTime<Entry>::PlacedByTime(std::size_t sections) {
  int shift = kFirstShift;
  while (true) {
    const std::size_t blocks = (sections >> shift) + 1;
    levels_.push_back(Level{shift, std::vector<std::vector<Entry>>(blocks)});
    if (blocks <= static_cast<std::size_t>(kMostBlocks)) return;
    shift += kStepShift;
  }
}

template <typename Entry>
void PlacedByTime<Entry>::add(const Entry& placed) {
  for (Level& level : levels_) {
    const std::int32_t first = placed.range.first >> level.shift;
    const std::int32_t last = (placed.range.last - 1) >> level.shift;
    if (last - first >= kMostBlocks) continue;  // never on the last level
    for (std::int32_t b = first; b <= last; ++b) {
      std::vector<Entry>& block = level.blocks[static_cast<std::size_t>(b)];
      const auto above = std::upper_bound(block.begin(), block.end(), placed,
                                          [](const Entry& x, const Entry& y) { return x.offset < y.offset; });
      block.insert(above, placed);
    }
    return;
  }
}

template <typename Entry>
void PlacedByTime<Entry>::prefetch(SectionRange range) const {
  constexpr std::size_t kPerLine = 64 / sizeof(Entry);
  const Level& level = levels_.front();
  const std::int32_t last = std::min((range.first >> level.shift) + 1, (range.last - 1) >> level.shift);
  for (std::int32_t b = range.first >> level.shift; b <= last; ++b) {
    const std::vector<Entry>& block = level.blocks[static_cast<std::size_t>(b)];
    for (std::size_t at = 0; at < block.size(); at += kPerLine) __builtin_prefetch(block.data() + at);
  }
}

template <typename Entry>
template <typename Visit>
void PlacedByTime<Entry>::overlapping(SectionRange range, Visit&& visit) const {
  for (const Level& level : levels_) {
    const std::int32_t first = range.first >> level.shift;
    const std::int32_t last = (range.last - 1) >> level.shift;
    for (std::int32_t b = first; b <= last; ++b) {
      for (const Entry& placed : level.blocks[static_cast<std::size_t>(b)]) {
        if (!placed.range.overlaps(range)) continue;
        // Listed in several blocks of the query: it counts in the first of them.
        const std::int32_t meeting = std::max(placed.range.first, range.first);
        if (meeting >> level.shift == b) visit(placed);
      }
    }
  }
}

template <typename Entry>
template <typename Visit>
void PlacedByTime<Entry>::by_address(SectionRange range, Visit&& visit) {
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
      const std::vector<Entry>& block = level.blocks[static_cast<std::size_t>(b)];
      if (block.empty()) continue;
      if (count == kMostRuns) return by_address_sorted(range, visit);
      const std::size_t begin = found;
      if (hits_.size() < found + block.size()) hits_.resize(2 * (found + block.size()));
      for (const Entry& placed : block) {  // about half overlap: without a branch that nobody can predict
        hits_[found] = &placed;
        const auto begins = static_cast<std::size_t>(placed.range.first < range.last);
        found += begins & static_cast<std::size_t>(placed.range.last > range.first);
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

template <typename Entry>
template <typename Visit>
void PlacedByTime<Entry>::by_address_sorted(SectionRange range, Visit&& visit) const {
  std::vector<Entry> found;
  overlapping(range, [&](const Entry& placed) { found.push_back(placed); });
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
  for (const Entry& placed : found) {
    if (!visit(placed)) return;
  }
}

}  // namespace stowage
