#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/run/run.h"
#include "core/transforms/swap_cost.h"

namespace stowage {

enum class SwapPolicy {
  kAll,              // every value that a later op reads again after a gap
  kConvOnly,         // only what convolutions read: they take long enough to hide the copy
  kFarthestNextUse,  // while the load is above the capacity, the one that is not needed for longest
  kFreeTime,         // by falling free time, until the load is within the capacity
};
enum class Prefetch {
  kLatest,    // so that the copy ends just in time
  kEarliest,  // as soon as the load leaves room
  kOnDemand,  // only when the op that reads it is next; it waits
};

struct SwapSettings {
  SwapPolicy policy = SwapPolicy::kFreeTime;
  Prefetch prefetch = Prefetch::kLatest;
  bool may_stall = false;
  bool waits_anywhere = false;           // may_stall: as if every load were above the capacity
  std::optional<std::int64_t> capacity;  // of the device
  double bytes_per_unit = 1;             // of the graph's clock
};

/// A tensor that leaves the device between two accesses. Steps are those of the schedule.
struct Swap {
  TensorIndex tensor = kNoTensor;
  std::size_t last = 0;  // step of the last access before the gap
  std::size_t next = 0;  // step of the first one behind it
  std::int64_t bytes = 0;
  double transfer = 0;       // time of a copy
  SwapTimes times;           // with the copies of one direction one after the other
  std::size_t out_done = 0;  // the device memory is free from this step on
  std::size_t in_begin = 0;  // and taken again from this step on
};

struct SwapPlan {
  std::vector<Swap> swaps;  // by the step of the last access
  double stall = 0;         // of the whole step of training
  std::int64_t load = 0;    // with the swaps done, values and workspaces
  std::size_t fullest = 0;  // step at which that much is needed
  struct Refusal {
    TensorIndex tensor = kNoTensor;
    std::string why;
  };
  std::vector<Refusal> refused;
};

/// Which tensors go and when: two copy engines, one for each direction, beside the ops in the order of the schedule.
/// Error: usage, for farthest-next-use without a capacity.
Result<SwapPlan> plan_swaps(const Staged& staged, const SwapSettings& settings, const RunContext& context);

}  // namespace stowage
