#pragma once

#include <cstdint>
#include <vector>

#include "core/model/box.h"
#include "core/model/box_tree.h"
#include "core/model/problem.h"

namespace stowage::idealloc {

/// What is boxed: the buffers of one space that take memory, as jobs.
///
/// Lives of jobs are open intervals between integer times in the paper. A buffer lives in [start, end) here, and its
/// job from 2 start to 2 end: odd times lie inside a step. Only their order counts, so start and end are ranks of
/// times, which are small whatever the times are.
struct Instance {
  std::uint16_t space = 0;
  std::vector<BufferIndex> buffers;  // by job, in the order of the problem
  BoxTree jobs;                      // no boxes yet; a dummy job after all buffers' jobs
  bool dummy = false;
  std::vector<std::int64_t> times;  // by rank
  std::int64_t unit = 1;            // bytes; sizes of jobs count in it
  Hardness hardness;
  std::int64_t load = 0;  // bytes

  bool is_dummy(ItemIndex item) const { return dummy && item == buffers.size(); }
  /// Bytes of a size that counts in units; 2^63-1 when it is more.
  std::int64_t bytes(std::int64_t size) const;
  /// The time of an odd or even point 2 rank or 2 rank + 1; of an odd one the beginning of the step it lies in.
  std::int64_t time(std::int64_t point) const { return times[static_cast<std::size_t>(point / 2)]; }
  BoxMember member(ItemIndex item) const;
};

Instance make_instance(const Problem& problem, std::uint16_t space);

/// A job from the first birth to the last death, 2216.54 times as large as the smallest one. The ratio of sizes is then
/// large enough for Theorem 16, whose range of epsilon is empty below.
void add_dummy(Instance& instance);

}  // namespace stowage::idealloc
