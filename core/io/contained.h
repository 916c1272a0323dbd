#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"

namespace stowage {

/// What work in a process of its own may use up.
struct ContainLimits {
  double seconds = 20;                          // of the clock on the wall
  std::int64_t memory = std::int64_t{2} << 30;  // bytes above what the program uses already
  std::size_t answer = std::size_t{256} << 20;  // bytes of the answer
};

/// Runs `work` in a copy of this process and returns what it returns. For libraries that are not made for files from
/// strangers: when one divides by zero, overflows its stack, runs forever or takes all memory, only the copy ends. The
/// error says in a few words how it ended: "broke off (signal 8)", "took more than 20 s", or what it threw. `work` must
/// not wait for threads or locks of this process, which the copy does not have.
Result<std::string> run_contained(const std::function<std::string()>& work, const ContainLimits& limits);

}  // namespace stowage
