#include "core/document/snap.h"

#include <algorithm>
#include <cmath>

#include "core/model/conflicts.h"

namespace stowage {
namespace {

/// The nearest whole number that is far from the ends of int64, so that sums with it are safe.
std::int64_t whole(double value) {
  constexpr double kMost = 2305843009213693952.0;  // 2^61
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::llround(std::clamp(value, -kMost, kMost)));
}

/// The largest allowed offset that is at most x.
std::int64_t down(const Grid& grid, std::int64_t x) {
  if (grid.step == 1) return x;
  std::int64_t rest = (x - grid.phase) % grid.step;
  if (rest < 0) rest += grid.step;
  return x - rest;
}

/// Keeps the candidate that moves the least, the first of several.
class Nearest {
 public:
  Nearest(double from, double reach) : from_(from), least_(reach) {}

  void consider(std::int64_t at, std::int64_t edge) {
    const double moved = std::abs(static_cast<double>(at) - from_);
    if (moved > least_ || (best_ && moved == least_)) return;
    least_ = moved;
    best_ = Snapped{at, edge};
  }
  const std::optional<Snapped>& best() const { return best_; }

 private:
  double from_;
  double least_;
  std::optional<Snapped> best_;
};

/// Do they overlap, one at `offset` and the other at `there`?
bool overlap(const Problem& problem, BufferIndex buffer, std::int64_t offset, BufferIndex other, std::int64_t there) {
  const auto as_lower = effective_size(problem, buffer, other);
  const auto as_upper = effective_size(problem, other, buffer);
  if (!as_lower || !as_upper) return false;
  const Int128 above = Int128{there} - offset;
  return above < Int128{*as_lower} && -above < Int128{*as_upper};
}

}  // namespace

Snapped snap_time(double time, double reach, std::span<const std::int64_t> edges) {
  if (reach > 0) {
    Nearest nearest(time, reach);
    for (const std::int64_t edge : edges) nearest.consider(edge, edge);
    if (nearest.best()) return *nearest.best();
  }
  return Snapped{whole(time), std::nullopt};
}

Snapped snap_offset(double offset, std::int64_t size, const Grid& grid, double reach,
                    std::span<const std::int64_t> edges) {
  if (!(reach > 0)) return Snapped{std::max<std::int64_t>(0, whole(offset)), std::nullopt};
  Nearest nearest(offset, reach);
  nearest.consider(grid.up(0), 0);
  for (const std::int64_t edge : edges) {
    if (edge < 0) continue;
    nearest.consider(grid.up(edge), edge);
    if (edge >= size && down(grid, edge - size) >= 0) nearest.consider(down(grid, edge - size), edge);
  }
  if (nearest.best()) return *nearest.best();
  const std::int64_t at = std::max<std::int64_t>(0, whole(offset));
  const std::int64_t above = grid.up(at);
  const std::int64_t below = down(grid, at);
  const bool lower = below >= 0 && static_cast<double>(at - below) <= static_cast<double>(above) - offset;
  return Snapped{lower ? below : above, std::nullopt};
}

std::int64_t snap_size(double size, double reach) {
  std::int64_t step = 1;
  while (static_cast<double>(step) * 2 <= reach && step < (std::int64_t{1} << 60U)) step *= 2;
  return std::max<std::int64_t>(1, whole(size / static_cast<double>(step))) * step;
}

std::vector<BufferIndex> collisions_at(const Problem& problem, std::span<const std::int64_t> offsets,
                                       BufferIndex buffer, std::int64_t offset, std::span<const BufferIndex> others,
                                       std::span<const BufferIndex> along) {
  std::vector<BufferIndex> found;
  for (const BufferIndex other : others) {
    if (other == buffer || other >= offsets.size() || offsets[other] == kNoOffset) continue;
    if (std::find(along.begin(), along.end(), other) != along.end()) continue;
    if (overlap(problem, buffer, offset, other, offsets[other])) found.push_back(other);
  }
  return found;
}

std::int64_t lowest_free_offset(const Problem& problem, std::span<const std::int64_t> offsets, BufferIndex buffer,
                                std::span<const BufferIndex> others) {
  std::vector<BufferIndex> placed;
  for (const BufferIndex other : others) {
    if (other != buffer && other < offsets.size() && offsets[other] != kNoOffset) placed.push_back(other);
  }
  std::sort(placed.begin(), placed.end(), [&](BufferIndex a, BufferIndex b) { return offsets[a] < offsets[b]; });
  const Grid grid = problem.grid(buffer);
  std::int64_t at = grid.up(0);
  // Whoever is passed by going up may not be met again: each round leaves at least one of them below.
  for (bool free = false; !free;) {
    free = true;
    for (const BufferIndex other : placed) {
      if (!overlap(problem, buffer, at, other, offsets[other])) continue;
      const std::int64_t needed = effective_size(problem, other, buffer).value_or(0);
      at = grid.up(std::max(at + 1, offsets[other] + needed));
      free = false;
    }
  }
  return at;
}

}  // namespace stowage
