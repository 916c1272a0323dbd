#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/model/lifetime.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage::testing {

struct SlowCollision {
  BufferIndex first = kNoBuffer;
  BufferIndex second = kNoBuffer;
  std::int64_t time_low = 0, time_high = 0, byte_low = 0, byte_high = 0;
  auto operator<=>(const SlowCollision&) const = default;
};

/// Every collision by comparing every pair of pieces: the oracle of the checker's sweep.
inline std::vector<SlowCollision> slow_collisions(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  std::vector<SlowCollision> found;
  for (BufferIndex a = 0; a < problem.size(); ++a) {
    for (BufferIndex b = a + 1; b < problem.size(); ++b) {
      if (problem[a].space != problem[b].space || offsets[a] == kNoOffset || offsets[b] == kNoOffset) continue;
      for (const Piece& p : pieces_of(problem[a], problem.gaps(a))) {
        for (const Piece& q : pieces_of(problem[b], problem.gaps(b))) {
          SlowCollision c{a,
                          b,
                          std::max(p.start, q.start),
                          std::min(p.end, q.end),
                          std::max(offsets[a] + p.low, offsets[b] + q.low),
                          std::min(offsets[a] + p.high, offsets[b] + q.high)};
          if (c.time_low < c.time_high && c.byte_low < c.byte_high) found.push_back(c);
        }
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// load(t) at one instant, straight from the definition.
inline std::int64_t slow_load(const Problem& problem, std::int64_t time, std::uint16_t space) {
  std::int64_t load = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space) continue;
    for (const Piece& piece : pieces_of(problem[i], problem.gaps(i))) {
      if (piece.start <= time && time < piece.end) load += piece.high - piece.low;
    }
  }
  return load;
}

}  // namespace stowage::testing
