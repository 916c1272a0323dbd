#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// What a space needs in one case.
struct SpaceNeed {
  std::int64_t makespan = 0;
  std::int64_t load = 0;
  bool operator==(const SpaceNeed&) const = default;
};

/// What would become of a problem, planned anew by the same allocator, if one buffer were gone or half its size.
struct Sensitivity {
  BufferIndex buffer = kNoBuffer;
  std::optional<SpaceNeed> without;  // nothing when the allocator refuses that problem
  std::optional<SpaceNeed> halved;
  bool at_peak = false;  // it is live where the load is highest
  bool operator==(const Sensitivity&) const = default;
};

struct SensitivityReport {
  SpaceNeed now;                   // of the problem as it is
  std::vector<Sensitivity> ranks;  // the one whose removal lowers the makespan most first; see rank()
  std::size_t left_out = 0;        // buffers of the space that were not tried
  bool complete = true;            // false: stopped before all were tried; those that were are there
};

/// Beside everything that is live at the peak, so many others are tried: those with the largest areas.
inline constexpr std::size_t kOtherCandidates = 64;
/// Not more than this in all, however many are live at the peak: the largest.
inline constexpr std::size_t kMostCandidates = 1'000;

/// Tries each candidate of one space by itself; nothing is changed. Ranked by the makespan that removal saves, then by
/// what halving saves, then by the load that removal saves, then by row. When it is asked to stop it returns what it
/// has. Errors: those of the allocator with the problem as it is.
Result<SensitivityReport> sensitivity(const Problem& problem, const Allocator& allocator, std::uint16_t space,
                                      const RunContext& context);

}  // namespace stowage
