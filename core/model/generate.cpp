#include "core/model/generate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/random.h"

namespace stowage {

ProblemInput synthetic_family(std::size_t buffers, std::uint64_t seed) {
  constexpr double kMeanLife = 64;
  constexpr double kSmallest = 64;
  constexpr double kLargest = 1048576;
  Random random(seed);
  ProblemInput input;
  input.name = fmt::format("synthetic-{}-{}", buffers, seed);
  input.buffers.reserve(buffers);
  const auto horizon = static_cast<std::int64_t>(2 * buffers);
  for (std::size_t i = 0; i < buffers; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(0, horizon - 1);
    // Inverse of the geometric distribution on 1, 2, ... with mean 64.
    const double life = 1 + std::floor(std::log1p(-random.unit()) / std::log1p(-1 / kMeanLife));
    buffer.end = std::min(horizon, buffer.start + static_cast<std::int64_t>(life));
    const double size = std::exp(std::log(kSmallest) + random.unit() * std::log(kLargest / kSmallest));
    buffer.size = align_up(static_cast<std::int64_t>(size), 64);
    input.add(fmt::format("b{}", i), buffer);
  }
  return input;
}

}  // namespace stowage
