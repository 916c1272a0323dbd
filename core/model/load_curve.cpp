#include "core/model/load_curve.h"

#include <algorithm>

#include "core/model/lifetime.h"

namespace stowage {
namespace {

struct Change {
  std::int64_t time = 0;
  std::int64_t bytes = 0;
};

bool earlier(const Change& a, const Change& b) {
  return a.time < b.time;
}

}  // namespace

std::vector<LoadPoint> load_curve(const Problem& problem, std::uint16_t space) {
  std::vector<Change> changes;
  changes.reserve(2 * problem.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space) continue;
    for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
      changes.push_back({piece.start, piece.high - piece.low});
      changes.push_back({piece.end, piece.low - piece.high});
    });
  }
  std::sort(changes.begin(), changes.end(), earlier);

  std::vector<LoadPoint> curve;
  std::int64_t load = 0;
  for (std::size_t k = 0; k < changes.size();) {
    const std::int64_t time = changes[k].time;
    // Departures and arrivals of one instant in sorted-by-time order: the sum may pass int64 on the way, not at its
    // end.
    Int128 sum = load;
    for (; k < changes.size() && changes[k].time == time; ++k) sum += changes[k].bytes;
    const auto next = static_cast<std::int64_t>(sum);
    if (next == load) continue;
    load = next;
    curve.push_back({time, load});
  }
  return curve;
}

std::int64_t load_at(std::span<const LoadPoint> curve, std::int64_t time) {
  const auto after = std::upper_bound(curve.begin(), curve.end(), time,
                                      [](std::int64_t t, const LoadPoint& point) { return t < point.time; });
  return after == curve.begin() ? 0 : std::prev(after)->load;
}

}  // namespace stowage
