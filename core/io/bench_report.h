#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace stowage {

/// One allocator on one problem, over some seeds.
struct BenchResult {
  std::string set;
  std::string problem;
  std::string allocator;
  std::int64_t buffers = 0;
  std::int64_t reference = 0;  // bytes: the known optimum, else the lower bound
  std::int64_t runs = 0;       // with a valid plan
  std::int64_t refused = 0;
  std::int64_t proved = 0;    // runs that ended with a proof
  double ratio_median = 0;    // makespan / reference
  double ratio_worst = 0;     //
  double seconds_median = 0;  // CPU time of the thread
  double seconds_worst = 0;   //
};

/// An array of objects with these fields as keys.
std::string bench_json(const std::vector<BenchResult>& results);
/// Reads it again; `name` stands in front of messages.
Result<std::vector<BenchResult>> parse_bench_json(std::string_view text, std::string_view name);

}  // namespace stowage
