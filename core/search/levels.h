#pragma once

#include <cstdint>
#include <vector>

#include "core/search/instance.h"

namespace stowage {

/// Heights that a lowest plan can have: when everything is pushed down as far as it goes, each buffer lies at the
/// bottom or on top of another one, so every end is a sum of some of the sizes.
///
///      sizes 4, 4, 7:   0 . . . 4 . . 7 8 . . 11 . . . 15       a bound of 9 is one of 11
///
/// Grids and pins put buffers elsewhere, and beyond a few million units nothing is gained for the memory; then every
/// height is a level.
class Levels {
 public:
  explicit Levels(const Instance& instance);

  /// The lowest level from this height on, units.
  std::int64_t at_least(std::int64_t height) const;

 private:
  std::vector<std::uint64_t> reached_;  // a bit for each height; empty: all are
};

}  // namespace stowage
