#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/load_curve.h"
#include "core/model/problem.h"

namespace stowage {

/// A stretch [start, end) of time with a higher load than just before and just after it.
struct LoadPeak {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t load = 0;
  bool operator==(const LoadPeak&) const = default;
};

/// The local maxima of a load curve: the highest first, of equal ones the earlier.
std::vector<LoadPeak> load_peaks(std::span<const LoadPoint> curve);

/// A buffer with the bytes that it needs at one instant; fewer than its size in the window of a gap.
struct LiveBuffer {
  BufferIndex buffer = kNoBuffer;
  std::int64_t bytes = 0;
  bool operator==(const LiveBuffer&) const = default;
};

/// Who needs memory of a space at an instant: the most bytes first, then by row. Their bytes add up to the load.
std::vector<LiveBuffer> live_by_size(const Problem& problem, std::int64_t time, std::uint16_t space);

}  // namespace stowage
