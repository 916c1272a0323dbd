#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"

namespace stowage {

/// A problem that is made or read when its turn comes: sets may be larger than memory.
struct BenchProblem {
  std::string set;
  std::string name;
  std::int64_t optimum = 0;  // bytes; 0: not known
  std::function<Result<Problem>()> make;
};

/// "samples", "tilings", "random", "staircase", "scaling", "scaling-large".
std::vector<std::string> bench_set_names();

/// The problems of a set; anything that is no name of one is a folder or file of problems. Errors: neither.
Result<std::vector<BenchProblem>> bench_set(const std::string& set);

}  // namespace stowage
