#pragma once

#include <cstdint>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// The highest address in use during a section of time: bytes between it and the load are waste there.
struct SectionTop {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t load = 0;
  std::int64_t top = 0;
};

/// One for each section of a space, in time order. O(n log n); `offsets` with kNoOffset for what is elsewhere.
std::vector<SectionTop> section_tops(const Problem& problem, const std::vector<std::int64_t>& offsets,
                                     std::uint16_t space = 0);

}  // namespace stowage
