#pragma once

#include <cstdint>

namespace stowage {

/// One of SOMAS' solutions.
struct SomasPeak {
  bool single_object = false;  // else shared objects
  std::int64_t peak = 0;       // bytes
};

/// Is it chosen over the best so far? It must be lower, and a single object must be so by more than `gain` bytes to be
/// chosen over shared ones (100 MiB in the origin).
constexpr bool displaces(const SomasPeak& next, const SomasPeak& best, std::int64_t gain) {
  if (next.peak >= best.peak) return false;
  return !next.single_object || best.single_object || best.peak - next.peak > gain;
}

}  // namespace stowage
