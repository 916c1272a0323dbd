#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// From `time` on, until the next point, `load` bytes are needed.
struct LoadPoint {
  std::int64_t time = 0;
  std::int64_t load = 0;
  bool operator==(const LoadPoint&) const = default;
};

/// load(t) of one space as a step function: strictly ascending times, the last point has load 0, no two neighbours with
/// equal load. Empty when nothing takes memory. O(n log n).
std::vector<LoadPoint> load_curve(const Problem& problem, std::uint16_t space = 0);

/// From `time` on `bytes` more are needed, or less.
struct LoadChange {
  std::int64_t time = 0;
  std::int64_t bytes = 0;
};

/// A load curve after changes that sum up to nothing; what lies outside them is copied.
std::vector<LoadPoint> changed_curve(std::span<const LoadPoint> curve, std::vector<LoadChange> changes);

/// The load at an instant; 0 outside. O(log n).
std::int64_t load_at(std::span<const LoadPoint> curve, std::int64_t time);

}  // namespace stowage
