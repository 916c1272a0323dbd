#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/search/hard_fit.h"
#include "core/search/instance.h"

namespace stowage {

/// Puts one item into a plan that is there, and moves as little as it can.
///
///      |        +------+                |        +------+          b grew: it does not fit where it was, moving it
///      |  +---+ |  c   |   b grows:     |  +---+ |  c   |          alone helps nobody, but d is small and finds
///      |  | b | +---+--+                |  |   | +------+          another gap
///      |  +---+ | d |                   |  | b |  +---+
///      +--------+---+----               +--+---+--| d |-
class Ejection {
 public:
  /// `fit` holds the plan; both must outlive it.
  Ejection(const Instance& instance, HardFit& fit) : instance_(instance), fit_(fit) {}

  /// At this offset, when nothing is in the way there.
  bool stay(std::uint32_t i, std::int64_t offset, std::int64_t capacity);
  /// In the tightest gap.
  bool fit(std::uint32_t i, std::int64_t capacity);
  /// In the place of up to a dozen others, which find gaps: where the fewest bytes are in the way. `old` is an offset
  /// worth a try, kNoOffset where there is none.
  bool eject(std::uint32_t i, std::int64_t old, std::int64_t capacity);

 private:
  struct Spot {
    std::int64_t offset = 0;
    std::int64_t volume = 0;  // of the items in its way
    std::uint32_t count = 0;
  };

  std::vector<Spot> spots(std::uint32_t i, std::int64_t old, std::int64_t capacity) const;
  bool take_spot(std::uint32_t i, std::int64_t offset, std::int64_t capacity);
  bool place_by_size(std::vector<std::uint32_t> items, std::int64_t capacity);

  const Instance& instance_;
  HardFit& fit_;
  std::vector<std::uint32_t> met_;
};

}  // namespace stowage
