#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/model/bodies.h"
#include "core/model/problem.h"

namespace stowage {

/// What is placed at once: buffers that are tied to each other, or a single one.
struct Unit {
  std::vector<Body::Member> members;  // ascending by buffer
  BufferIndex leader = kNoBuffer;     // the first that takes memory, else the first
  std::int64_t extent = 0;            // the highest end of a member that takes memory, above the unit's offset
  std::int64_t start = 0;             // hull of the lifetimes of the members that take memory
  std::int64_t end = 0;
  Grid grid;  // the offsets that suit all members

  bool takes_memory() const { return extent > 0; }
};

/// All units of a problem, by their first member.
std::vector<Unit> units_of(const Problem& problem);

/// Writes the offsets of all members. Error: refused when one would end above 2^63-1.
Result<void> set_offsets(const Problem& problem, const Unit& unit, std::int64_t offset,
                         std::vector<std::int64_t>& offsets);

}  // namespace stowage
