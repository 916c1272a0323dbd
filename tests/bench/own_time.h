#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace stowage {

/// What the calling thread was busy so far, in milliseconds; others may have had the processor meanwhile.
inline double own_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

inline double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// False, with a message, when the worst frame took longer than a limit that is given.
inline bool within_limit(std::string_view program, double worst, double limit) {
  if (!(limit > 0) || worst <= limit) return true;
  fmt::print(stderr, "{}: a frame took {:.1f} ms of its own thread, the limit is {:.1f} ms\n", program, worst, limit);
  return false;
}

}  // namespace stowage
