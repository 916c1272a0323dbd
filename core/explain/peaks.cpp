#include "core/explain/peaks.h"

#include <algorithm>

#include "core/model/lifetime.h"

namespace stowage {

std::vector<LoadPeak> load_peaks(std::span<const LoadPoint> curve) {
  std::vector<LoadPeak> peaks;
  // The last point has load 0, so it is none; neighbours are never equal.
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    const std::int64_t before = k == 0 ? 0 : curve[k - 1].load;
    if (curve[k].load <= before || curve[k].load <= curve[k + 1].load) continue;
    peaks.push_back(LoadPeak{curve[k].time, curve[k + 1].time, curve[k].load});
  }
  std::stable_sort(peaks.begin(), peaks.end(), [](const LoadPeak& a, const LoadPeak& b) { return a.load > b.load; });
  return peaks;
}

std::vector<LiveBuffer> live_by_size(const Problem& problem, std::int64_t time, std::uint16_t space) {
  std::vector<LiveBuffer> live;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    if (buffer.space != space || time < buffer.start || time >= buffer.end) continue;
    for_each_piece(buffer, problem.gaps(i), [&](const Piece& piece) {
      if (piece.start <= time && time < piece.end) live.push_back(LiveBuffer{i, piece.high - piece.low});
    });
  }
  std::stable_sort(live.begin(), live.end(),
                   [](const LiveBuffer& a, const LiveBuffer& b) { return a.bytes > b.bytes; });
  return live;
}

}  // namespace stowage
