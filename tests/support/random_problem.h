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
  bool edges = false;       // explicit conflicts beside lifetimes
  bool only_edges = false;  // a conflict graph
  bool clocks = false;
  bool colocations = false;  // and aliases
  bool groups = false;
  bool candidates = false;  // a choice of spaces, one of them limited
  bool slices = false;
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

inline BufferIndex random_buffer(Random& random, const ProblemInput& input) {
  return static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(input.buffers.size()) - 1));
}

/// Ties a few buffers that nothing ties yet, of one space and without alignment or fixed offset, so that they never
/// contradict each other.
inline void add_ties(Random& random, const RandomShape& shape, ProblemInput& input) {
  std::vector<BufferIndex> free;
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    if (!input.buffers[i].is_fixed() && input.buffers[i].space == 0) free.push_back(i);
  }
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    std::vector<BufferIndex> taken;
    for (; count > 0 && at < free.size(); --count) {
      taken.push_back(free[at]);
      input.buffers[free[at]].alignment = 1;
      ++at;
    }
    return taken;
  };
  for (int k = 0; k < 2; ++k) {
    if (shape.colocations) {
      if (auto list = take(2); list.size() == 2) input.constraints.colocations.push_back(list);
      if (const auto pair = take(2); pair.size() == 2) {
        const bool first_is_larger = input.buffers[pair[0]].size >= input.buffers[pair[1]].size;
        Alias alias;
        alias.parent = first_is_larger ? pair[0] : pair[1];
        alias.child = first_is_larger ? pair[1] : pair[0];
        alias.offset = random.uniform(0, input.buffers[alias.parent].size - input.buffers[alias.child].size);
        input.constraints.aliases.push_back(alias);
      }
    }
    if (shape.groups) {
      if (auto members = take(3); members.size() > 1) {
        input.constraints.groups.push_back({std::move(members), random.uniform(0, 3)});
      }
    }
  }
}

inline void add_constraints(Random& random, const RandomShape& shape, ProblemInput& input) {
  input.constraints.conflicts_only = shape.only_edges;
  if (input.buffers.size() < 2) return;
  if (shape.edges || shape.only_edges) {
    const std::int64_t edges = random.uniform(0, static_cast<std::int64_t>(input.buffers.size()) * 2);
    for (std::int64_t k = 0; k < edges; ++k) {
      input.constraints.conflicts.push_back({random_buffer(random, input), random_buffer(random, input)});
    }
  }
  if (shape.colocations || shape.groups) add_ties(random, shape, input);
}

/// A clock of two threads around the lifetime.
inline Clock random_clock(Random& random, const Buffer& buffer) {
  Clock clock;
  clock.start = {buffer.start, random.uniform(0, 20)};
  clock.end = {buffer.end, clock.start[1] + random.uniform(0, 6)};
  if (buffer.start == buffer.end) clock.end = clock.start;
  return clock;
}

/// Up to three parts of a buffer, which come one after the other; they add up to its size.
inline std::vector<Slice> random_slices(Random& random, const Buffer& buffer) {
  std::vector<Slice> slices;
  std::int64_t left = buffer.size;
  std::int64_t start = buffer.start;
  for (std::int64_t parts = random.uniform(2, 3); parts > 0; --parts) {
    Slice slice;
    slice.size = parts == 1 ? left : random.uniform(0, left);
    slice.start = start;
    left -= slice.size;
    start = random.uniform(start, buffer.end);
    slices.push_back(slice);
  }
  return slices;
}

inline Problem random_problem(std::uint64_t seed, const RandomShape& shape) {
  Random random(seed);
  ProblemInput input;
  input.name = fmt::format("random {}", seed);
  if (shape.spaces) input.spaces = {Space{"device", 48, {}, {}}, Space{"host", 0, {}, {}}};
  if (shape.candidates) {
    input.spaces = {Space{"near", 0, 3 * shape.largest, {}}, Space{"far", 16, {}, {}}, Space{"own", 0, {}, {}}};
    if (random.uniform(0, 3) == 0) input.spaces[1].capacity = shape.largest;  // then much does not fit anywhere
  }
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
    Details details;
    if (shape.gaps && random.uniform(0, 2) == 0) details.gaps = random_gaps(random, buffer);
    if (shape.clocks) details.clock = random_clock(random, buffer);
    if (shape.candidates) {
      const std::int64_t choice = random.uniform(0, 4);
      if (choice == 0) {
        buffer.space = 2;
      } else if (choice == 1) {
        buffer.space = 1;
        details.candidates = {1, 0};
      } else {
        details.candidates = {0, 1};
      }
    }
    if (shape.slices && random.uniform(0, 1) == 0) details.slices = random_slices(random, buffer);
    if (!(details == Details())) {
      input.add(id, buffer, details);
    } else {
      input.add(id, buffer);
    }
  }
  add_constraints(random, shape, input);
  return make_problem(std::move(input)).value();
}

}  // namespace stowage::testing
