#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/run/run.h"
#include "core/search/hard_fit.h"

namespace stowage {

/// Finds room for the last items that a greedy placement could not place.
///
///      |   :  +--+  :  ------      a window around the lifetime of one of them, of random width: everything that lies
///      | ----------------- :       wholly inside is taken out and placed again in a shaken order, the failed ones
///      |   :+---+ +-+:             first; what crosses the border stays. Kept when not more bytes are left over than
///      +---:---------:--------     before, else everything goes back.
class WindowRepair {
 public:
  /// `ranks`, by item: the order of the placement. `failed`: what has no place. `kept`, by item: those that stay
  /// whatever happens, except now and then.
  WindowRepair(const Instance& instance, HardFit& fit, std::int64_t capacity, std::vector<std::uint32_t> ranks,
               std::vector<std::uint32_t> failed, std::vector<bool> kept, std::uint64_t seed);

  /// Tries windows until nothing is left over or the looks are spent. True when everything has a place.
  bool go_on(std::int64_t looks, const RunContext& context);
  const std::vector<std::uint32_t>& failed() const { return failed_; }

 private:
  void try_window();
  void take_out(SectionRange window, bool also_kept);

  struct Taken {
    std::uint32_t item = 0;
    std::int64_t offset = kNoOffset;  // kNoOffset: it had no place
    double key = 0;
  };

  const Instance& instance_;
  HardFit& fit_;
  std::int64_t capacity_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> failed_;
  std::vector<bool> kept_;
  Random random_;
  std::vector<Taken> taken_;
};

}  // namespace stowage
