#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// Two placed buffers of one space whose lifetimes and bytes overlap. `first` starts no later than `second`.
struct SharedBytes {
  BufferIndex first = kNoBuffer;
  BufferIndex second = kNoBuffer;
};

/// Calls visit for every such pair, in the order in which they begin; stops after 4 million pairs, which no plan that
/// makes sense comes near. O(n log n + candidates), where a candidate begins less than the largest size below.
void for_each_shared(const ProblemInput& input, std::span<const std::int64_t> offsets,
                     const std::function<void(const SharedBytes&)>& visit);

/// Where a format means it when two buffers have the same bytes at the same time: ties them, so that they are no
/// collision and the load counts the bytes once.
///
/// Buffers at one offset are colocated; of two that lie one inside the other, the smaller becomes an alias. Where
/// they overlap otherwise, the earlier one needs nothing in its last step. A body of tied buffers never collides
/// within itself; where that would hide a collision which the format does not mean, its buffers stay untied.
/// `meant` says of each pair whether the format means it. Returns the number of pairs that were tied.
std::size_t tie_shared(ProblemInput& input, std::span<const std::int64_t> offsets,
                       const std::function<bool(const SharedBytes&)>& meant);

/// One step at which a buffer is read for the last time while another is written over it: `first` ends where `second`
/// begins, lifetimes given half-open with the last step included.
bool touch_at_one_step(const ProblemInput& input, const SharedBytes& pair);

/// Where a file tells places but not times, buffers of `which` that share bytes are not live at once. Each needs only
/// the bytes that no other one with a lower offset has, for its whole lifetime: nothing collides, and the load is the
/// number of bytes in use.
void share_bytes_once(ProblemInput& input, std::span<const std::int64_t> offsets, std::vector<BufferIndex> which);

/// A buffer that is shown for its whole lifetime though nobody knows when it is needed: no conflicts, nothing in the
/// load.
void need_nothing(Details& details, const Buffer& buffer);

}  // namespace stowage
