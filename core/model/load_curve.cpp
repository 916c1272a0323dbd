#include "core/model/load_curve.h"

#include <algorithm>

#include "core/model/lifetime.h"
#include "core/model/running_load.h"

namespace stowage {
namespace {

/// The buffer needs bytes [low, high) from `time` on, or no more.
struct Change {
  std::int64_t time = 0;
  bool arrives = false;
  BufferIndex buffer = kNoBuffer;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Departures go first, so that the sum never passes the load.
bool earlier(const Change& a, const Change& b) {
  return a.time != b.time ? a.time < b.time : a.arrives < b.arrives;
}

}  // namespace

std::vector<LoadPoint> load_curve(const Problem& problem, std::uint16_t space) {
  std::vector<Change> changes;
  changes.reserve(2 * problem.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space) continue;
    for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
      changes.push_back({piece.start, true, i, piece.low, piece.high});
      changes.push_back({piece.end, false, i, piece.low, piece.high});
    });
  }
  std::sort(changes.begin(), changes.end(), earlier);

  std::vector<LoadPoint> curve;
  RunningLoad load(problem.bodies());
  std::int64_t shown = 0;
  for (std::size_t k = 0; k < changes.size();) {
    const std::int64_t time = changes[k].time;
    for (; k < changes.size() && changes[k].time == time; ++k) {
      const Change& change = changes[k];
      if (change.arrives) {
        load.arrive(change.buffer, change.low, change.high);
      } else {
        load.depart(change.buffer, change.low, change.high);
      }
    }
    if (load.bytes() == shown) continue;
    shown = load.bytes();
    curve.push_back({time, shown});
  }
  return curve;
}

std::vector<LoadPoint> changed_curve(std::span<const LoadPoint> curve, std::vector<LoadChange> changes) {
  if (changes.empty()) return {curve.begin(), curve.end()};
  std::sort(changes.begin(), changes.end(), [](const LoadChange& a, const LoadChange& b) { return a.time < b.time; });
  std::vector<LoadPoint> changed;
  changed.reserve(curve.size() + changes.size());
  auto point = std::lower_bound(curve.begin(), curve.end(), changes.front().time,
                                [](const LoadPoint& p, std::int64_t time) { return p.time < time; });
  changed.assign(curve.begin(), point);
  std::int64_t before = changed.empty() ? 0 : changed.back().load;  // of the old curve
  Int128 more = 0;                                                  // sums on the way may be larger than any load
  const auto add = [&](std::int64_t time) {
    const auto load = static_cast<std::int64_t>(before + more);
    if (load != (changed.empty() ? 0 : changed.back().load)) changed.push_back({time, load});
  };
  for (std::size_t k = 0; k < changes.size();) {
    const std::int64_t time = changes[k].time;
    for (; point != curve.end() && point->time < time; ++point) {
      before = point->load;
      add(point->time);
    }
    if (point != curve.end() && point->time == time) before = (point++)->load;
    for (; k < changes.size() && changes[k].time == time; ++k) more += changes[k].bytes;
    add(time);
  }
  changed.insert(changed.end(), point, curve.end());
  return changed;
}

std::int64_t load_at(std::span<const LoadPoint> curve, std::int64_t time) {
  const auto after = std::upper_bound(curve.begin(), curve.end(), time,
                                      [](std::int64_t t, const LoadPoint& point) { return t < point.time; });
  return after == curve.begin() ? 0 : std::prev(after)->load;
}

}  // namespace stowage
