#pragma once

#include <string>
#include <vector>

#include "core/chart/figure.h"
#include "core/io/report_json.h"

namespace stowage {

/// Files against allocators: every cell is one plan, normalised to the load of its file.
struct Comparison {
  std::vector<std::string> files;
  std::vector<std::string> allocators;
  std::vector<std::vector<PlanReport>> cells;  // [file][allocator]; without a plan: `status` "refused" or "none"
};

/// makespan / load; 1 when both are 0. NaN when there is no plan or no load to compare with.
double ratio_of(const PlanReport& report);
/// The geometric mean of an allocator's ratios over the files for which it has one; NaN without any.
double mean_ratio(const Comparison& comparison, std::size_t allocator);

/// One file: a line and a bar for each allocator. Several: allocators against files, then for each allocator the mean,
/// its time and a bar. Notes say where one gave up or refused.
std::string comparison_text(const Comparison& comparison);
/// A line for each cell, then the means. Columns: file, allocator, buffers, load, lower_bound, makespan, ratio,
/// optimal, valid, status, seconds, iterations, seconds_per_iteration, message.
std::string comparison_csv(const Comparison& comparison);
BarsInput comparison_bars(const Comparison& comparison);

}  // namespace stowage
