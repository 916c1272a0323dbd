#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/allocators/idealloc/squeeze.h"
#include "core/allocators/idealloc/theorem_16.h"

namespace stowage::idealloc {

/// Boxes, what they look like taken apart, and the placement squeezed from that.
struct Attempt {
  BoxingReport report;
  std::vector<Box> boxes;
  Squeezed squeezed;
};

/// From the boxes of the first rounds to a placement; all steps are said. `first_box` numbers the boxes. Errors:
/// cancelled; refused when a place would pass `limit`.
Result<Attempt> attempt(const Problem& problem, const Site& site, Boxing start, Choices& choices,
                        std::uint32_t first_box, std::int64_t limit);

/// The same silently, for the makespan alone.
Result<Squeezed> play(const Problem& problem, const Site& site, Boxing start, Choices& choices, std::int64_t limit);

}  // namespace stowage::idealloc
