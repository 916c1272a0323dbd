#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// A problem of so many buffers in which every section is filled to exactly the load: no room is left for a mistake,
/// and now and then nothing fits under the load at all. Nothing when the draw came out with another number of buffers.
inline std::optional<ProblemInput> tight_problem(Random& random, std::size_t buffers) {
  const std::int64_t load = random.uniform(6, 60);
  const auto sections = static_cast<std::size_t>(random.uniform(3, static_cast<std::int64_t>(buffers) * 2 / 3 + 3));
  std::vector<std::int64_t> room(sections, load);
  ProblemInput input;
  std::size_t at = 0;
  while (at < sections) {
    if (room[at] == 0) {
      ++at;
      continue;
    }
    if (input.buffers.size() == buffers) return std::nullopt;
    const auto longest = static_cast<std::size_t>(random.uniform(1, static_cast<std::int64_t>(sections - at)));
    std::size_t end = at;
    std::int64_t most = std::min(room[at], std::max<std::int64_t>(1, load * 2 / 3));
    while (end < at + longest && room[end] > 0) most = std::min(most, room[end++]);
    Buffer buffer;
    buffer.start = static_cast<std::int64_t>(at);
    buffer.end = static_cast<std::int64_t>(end);
    buffer.size = random.uniform(0, 3) == 0 ? most : random.uniform(1, most);
    for (std::size_t s = at; s < end; ++s) room[s] -= buffer.size;
    input.add(fmt::format("b{}", input.buffers.size()), buffer);
  }
  if (input.buffers.size() != buffers) return std::nullopt;
  return input;
}

}  // namespace stowage::testing
