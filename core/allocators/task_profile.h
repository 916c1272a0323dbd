#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// The buffers live during [start, end), a stretch without arrivals and departures: by falling size, then by row.
struct TaskProfile {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::vector<BufferIndex> buffers;
  bool operator==(const TaskProfile&) const = default;
};

/// The profiles of a space from the first arrival to the last departure, in order of time, those with nothing live
/// included. A gap inside a lifetime counts as live. (TFLite: TaskProfile, there one for each task.)
std::vector<TaskProfile> task_profiles(const Problem& problem, std::uint16_t space = 0);

/// The largest, the second largest ... size: each the maximum over all profiles. Their sum is what shared objects need
/// at least. O(n x live buffers).
std::vector<std::int64_t> positional_maximums(const Problem& problem, std::uint16_t space = 0);

}  // namespace stowage
