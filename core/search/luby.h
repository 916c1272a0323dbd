#pragma once

#include <cstdint>

namespace stowage {

/// The k-th number, from 1 on, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: the lengths of the runs of a search that starts
/// again and again with other luck. Whatever the unknown distribution of its run times, this wastes at most a factor
/// of about their logarithm. (Luby, Sinclair, Zuckerman: "Optimal speedup of Las Vegas algorithms", 1993.)
///
///   1         when k = 2^m - 1 the number is 2^(m-1);
///   1 2       else the sequence repeats what stands before it.
///   1 1 2 4
inline std::int64_t luby(std::int64_t k) {
  while (true) {
    std::int64_t power = 1;  // the least 2^m above k
    while (power <= k) power *= 2;
    if (power == k + 1) return power / 2;
    k -= power / 2 - 1;
  }
}

}  // namespace stowage
