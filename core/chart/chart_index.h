#pragma once

#include <cstdint>
#include <vector>

#include "core/chart/viewport.h"
#include "core/model/problem.h"

namespace stowage {

/// What the chart needs of a buffer. Copied out of the problem in the order of drawing: a walk over a million buffers
/// in any other order waits for memory most of the time.
struct ChartEntry {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t size = 0;
  BufferIndex buffer = kNoBuffer;
  std::uint16_t kind = 0;
  bool has_details = false;
};

ChartEntry chart_entry(const Problem& problem, BufferIndex buffer);

/// Buffers that lie in one space, or may, by start with the maximal end of each block, to find those of a time range
/// without looking at all. Made once for a problem; plans change nothing. O(n log n).
class ChartIndex {
 public:
  ChartIndex() = default;
  ChartIndex(const Problem& problem, std::uint16_t space);

  /// Calls visit(const ChartEntry&) for each buffer of the space whose lifetime meets [low, high]; also zero-length
  /// ones.
  template <typename Visit>
  void visit_entries(double low, double high, Visit&& visit) const;
  /// The same with visit(BufferIndex).
  template <typename Visit>
  void visit(double low, double high, const Problem&, Visit&& visit) const {
    visit_entries(low, high, [&](const ChartEntry& entry) { visit(entry.buffer); });
  }

  std::size_t size() const { return entries_.size(); }
  /// How many visit_entries() would look at, counted by blocks: never less.
  std::size_t at_most(double low, double high) const;

 private:
  static constexpr std::size_t kBlock = 64;
  std::vector<ChartEntry> entries_;      // by start, then row
  std::vector<std::int64_t> block_end_;  // maximal end in each run of kBlock
};

/// The buffer drawn at a time and an address, or kNoBuffer: the latest drawn when several overlap (collisions).
BufferIndex pick(const Problem& problem, const ChartIndex& index, const std::vector<std::int64_t>& offsets, double time,
                 double byte);

/// The same for a point of the scene, exact at any zoom, and kind to thin things: what is narrower or lower than twice
/// `tolerance` (logical pixels) can be hit beside its edge and wins over larger ones; so marks of sub-pixel, zero-size
/// and zero-length buffers can be selected.
BufferIndex pick(const Problem& problem, const ChartIndex& index, const std::vector<std::int64_t>& offsets,
                 const Viewport& view, Point at, float tolerance);

template <typename Visit>
void ChartIndex::visit_entries(double low, double high, Visit&& visit) const {
  for (std::size_t begin = 0; begin < entries_.size(); begin += kBlock) {
    if (static_cast<double>(entries_[begin].start) > high) return;
    if (static_cast<double>(block_end_[begin / kBlock]) < low) continue;
    const std::size_t end = begin + kBlock < entries_.size() ? begin + kBlock : entries_.size();
    for (std::size_t k = begin; k < end; ++k) {
      const ChartEntry& entry = entries_[k];
      if (static_cast<double>(entry.start) > high) return;
      if (static_cast<double>(entry.end) >= low) visit(entry);
    }
  }
}

}  // namespace stowage
