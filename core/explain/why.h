#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// Another buffer in conflict with the one that is explained.
struct Neighbour {
  enum class Side { kBelow, kAbove, kCollides };
  BufferIndex buffer = kNoBuffer;
  Side side = Side::kBelow;
  std::int64_t free = 0;  // bytes by which the two could still come closer; 0 when they touch or collide
  bool operator==(const Neighbour&) const = default;
};

/// Offsets [low, high] at which the buffer would collide with nothing; without `high` every higher one too.
struct Hole {
  std::int64_t low = 0;
  std::optional<std::int64_t> high;
  bool operator==(const Hole&) const = default;
};

/// Why a buffer lies where it lies in a plan.
struct WhyHere {
  BufferIndex buffer = kNoBuffer;
  std::int64_t offset = 0;
  bool fixed = false;
  std::vector<BufferIndex> tied;      // buffers that must move with it
  std::vector<Neighbour> conflicts;   // all that are placed, by rising offset
  std::vector<BufferIndex> supports;  // keep it from lying lower; none when it lies on the floor
  std::vector<BufferIndex> blocks;    // the first that it would meet on its way up
  std::int64_t lowest = 0;            // as far down as it can sink without jumping over another one
  std::vector<Hole> holes;            // where else it could lie, the others staying where they are; by rising offset
};

/// Explains one placed buffer of a plan. Tied and fixed ones have no holes. Error: input, when the plan does not place
/// it.
Result<WhyHere> why(const Problem& problem, const Plan& plan, BufferIndex buffer);

}  // namespace stowage
