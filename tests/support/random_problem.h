#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// What a random problem may contain; everything small, so that quadratic oracles are quick.
struct RandomShape {
  std::int64_t buffers = 20;
  std::int64_t horizon = 30;
  std::int64_t largest = 40;
  bool alignments = false;
  bool fixed = false;
  bool gaps = false;
  bool spaces = false;
  bool empty_ones = false;  // zero sizes and zero lengths
};

/// Up to two ordered, disjoint gaps inside [start, end), some with a window.
inline std::vector<Gap> random_gaps(Random& random, const Buffer& buffer) {
  std::vector<Gap> gaps;
  std::int64_t at = buffer.start;
  for (int k = 0; k < 2 && at < buffer.end; ++k) {
    Gap gap;
    gap.start = random.uniform(at, buffer.end);
    gap.end = random.uniform(gap.start, buffer.end);
    if (random.uniform(0, 1) == 0) {
      const std::int64_t low = random.uniform(0, buffer.size);
      gap.window = Window{low, random.uniform(low, buffer.size)};
    }
    at = gap.end;
    gaps.push_back(gap);
  }
  return gaps;
}

inline Problem random_problem(std::uint64_t seed, const RandomShape& shape) {
  Random random(seed);
  ProblemInput input;
  input.name = fmt::format("random {}", seed);
  if (shape.spaces) input.spaces = {Space{"device", 48, {}, {}}, Space{"host", 0, {}, {}}};
  const std::int64_t count = random.uniform(0, shape.buffers);
  for (std::int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(-5, shape.horizon);
    buffer.end = buffer.start + random.uniform(shape.empty_ones ? 0 : 1, shape.horizon / 2);
    buffer.size = random.uniform(shape.empty_ones ? 0 : 1, shape.largest);
    if (shape.alignments) buffer.alignment = random.uniform(1, 9);
    if (shape.spaces) buffer.space = static_cast<std::uint16_t>(random.uniform(0, 1));
    const std::string id = fmt::format("b{}", i);
    if (shape.fixed && random.uniform(0, 5) == 0) {
      // On its grid, at its own height: fixed buffers never collide with each other.
      buffer.fixed = i * 1000;
      buffer.alignment = 1;
    }
    if (shape.gaps && random.uniform(0, 2) == 0) {
      Details details;
      details.gaps = random_gaps(random, buffer);
      input.add(id, buffer, details);
    } else {
      input.add(id, buffer);
    }
  }
  return make_problem(std::move(input)).value();
}

}  // namespace stowage::testing
