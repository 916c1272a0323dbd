#pragma once

#include <cstddef>
#include <functional>

#include "core/run/run.h"

namespace stowage {

/// Pieces of one round of a search: each may run beside the others, and what they find is taken in their order.
struct SliceWork {
  /// Whether what a slice could find is still of use, going by what has been taken. Once it is not, it never is again.
  std::function<bool(std::size_t)> wanted;
  /// Searches, on any thread. It reads nothing that `take` writes.
  std::function<void(std::size_t, const RunContext&)> run;
  /// Takes over what the slice has found; one at a time, by rising number.
  std::function<void(std::size_t)> take;
};

/// Runs slices 0 to count - 1 on up to so many threads. What comes of it does not depend on their number:
///
///   one thread     |-- 0 --|t|-- 1 --|t|- 2 -|t        t: its result is taken, and 3 turns out to be useless
///   two threads    |-- 0 --|t|- 2 -|  t                2 has to wait for 1; what 3 finds is dropped, and it is
///                  |-- 1 ----|t|- 3 |x                 told to stop
///
/// A slice sees nothing of what runs beside it, is as long as it is alone, and is taken only when it is still wanted
/// after all before it; so a round is the same as if its slices had run one after the other. When the context stops
/// or its time is up, slices that have not begun are left out. An exception of a slice is thrown on to the caller.
void run_slices(std::size_t count, unsigned threads, const RunContext& context, const SliceWork& work);

}  // namespace stowage
