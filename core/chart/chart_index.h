#pragma once

#include <cstdint>
#include <vector>

#include "core/chart/viewport.h"
#include "core/model/problem.h"

namespace stowage {

/// Buffers of one space by start with the maximal end of each block, to find those of a time range without looking at
/// all. Made once for a problem; plans change nothing. O(n log n).
class ChartIndex {
 public:
  ChartIndex() = default;
  ChartIndex(const Problem& problem, std::uint16_t space);

  /// Calls visit(BufferIndex) for each buffer of the space whose lifetime meets [low, high]; also zero-length ones.
  template <typename Visit>
  void visit(double low, double high, const Problem& problem, Visit&& visit) const;

  std::size_t size() const { return by_start_.size(); }

 private:
  static constexpr std::size_t kBlock = 64;
  std::vector<BufferIndex> by_start_;
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
void ChartIndex::visit(double low, double high, const Problem& problem, Visit&& visit) const {
  for (std::size_t begin = 0; begin < by_start_.size(); begin += kBlock) {
    const Buffer& first = problem[by_start_[begin]];
    if (static_cast<double>(first.start) > high) return;
    if (static_cast<double>(block_end_[begin / kBlock]) < low) continue;
    const std::size_t end = begin + kBlock < by_start_.size() ? begin + kBlock : by_start_.size();
    for (std::size_t k = begin; k < end; ++k) {
      const Buffer& buffer = problem[by_start_[k]];
      if (static_cast<double>(buffer.start) > high) return;
      if (static_cast<double>(buffer.end) >= low) visit(by_start_[k]);
    }
  }
}

}  // namespace stowage
