#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// Facts of a problem that every view and command shows; with several spaces load and bound are the largest of them.
struct ProblemMetrics {
  std::int64_t load = 0;         // bytes
  std::int64_t lower_bound = 0;  // max(load, end of the highest fixed offset)
  std::int64_t peak_start = 0;   // the earliest section with that load, [peak_start, peak_end)
  std::int64_t peak_end = 0;
  std::int64_t naive = 0;        // sum of all sizes: no reuse
  std::int64_t padding = 0;      // bytes added by rounding each size up to its alignment
  std::int64_t horizon_low = 0;  // [horizon_low, horizon_high): the hull of all lifetimes
  std::int64_t horizon_high = 0;
  double area = 0;  // byte-steps needed
};
ProblemMetrics measure(const Problem& problem);
/// The same of one space by itself, over the time of the whole problem.
ProblemMetrics measure(const Problem& problem, std::uint16_t space);

/// Facts of a plan.
struct PlanMetrics {
  std::int64_t makespan = 0;  // highest address used, by the buffers that take memory; the largest of the spaces
  double overhead = 0;        // makespan / load - 1; 0 when there is no load
  double utilisation = 0;     // needed byte-steps / (makespan x horizon)
  std::int64_t fits = 0;      // buffers that lie wholly below the capacity (all placed ones without a capacity)
  bool optimal = false;       // makespan == lower bound
};
PlanMetrics measure(const Problem& problem, const ProblemMetrics& facts, const Plan& plan);
/// The same of one space by itself; `facts` are those of the space.
PlanMetrics measure(const Problem& problem, const ProblemMetrics& facts, const Plan& plan, std::uint16_t space);

/// The overhead as every view and command writes it: "6.3 %"; a plan below the load, which must break rules, has none.
std::string overhead_text(double overhead);

/// Where a plan puts a buffer: the space it chose, else the buffer's own.
std::uint16_t space_of(const Problem& problem, const Plan& plan, BufferIndex i);

/// The plan's offsets with kNoOffset for whatever it puts into other spaces.
std::vector<std::int64_t> offsets_in(const Problem& problem, const Plan& plan, std::uint16_t space);

/// offsets_in of every space, where the problem gives a choice; else empty: a plan's offsets are then all there is.
std::vector<std::vector<std::int64_t>> offsets_by_space(const Problem& problem, const Plan& plan);

/// The highest address used in one space; 0 when nothing is placed there.
std::int64_t makespan_of_space(const Problem& problem, const Plan& plan, std::uint16_t space);

/// Buffers that need memory at an instant, ascending; for the peak, `time` is ProblemMetrics::peak_start.
std::vector<BufferIndex> live_at(const Problem& problem, std::int64_t time, std::uint16_t space = 0);

}  // namespace stowage
