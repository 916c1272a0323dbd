#include "core/allocators/offset_unit.h"

#include <algorithm>
#include <numeric>

namespace stowage {

std::int64_t offset_unit(const Problem& problem, std::uint16_t space) {
  std::int64_t unit = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    if (buffer.space != space || !buffer.takes_memory()) continue;
    unit = std::gcd(unit, buffer.size);
    if (buffer.is_fixed()) unit = std::gcd(unit, buffer.fixed);
    const Grid grid = problem.grid(i);
    if (grid.step > 1) unit = std::gcd(std::gcd(unit, grid.step), grid.phase);
    for (const Gap& gap : problem.gaps(i)) {
      if (gap.window) unit = std::gcd(std::gcd(unit, gap.window->low), gap.window->high);
    }
  }
  return std::max<std::int64_t>(unit, 1);
}

}  // namespace stowage
