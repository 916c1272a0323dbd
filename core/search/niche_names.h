#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/search/failed_states.h"

namespace stowage {

/// What the names of states are made of: the sum over the waiting items of a random number + lowest offset x another
/// one, so that two ways to one state give it the same name, and a change of an offset is a change of a term.
class NicheNames {
 public:
  /// Items that could be exchanged share their numbers, so that exchanging them gives the same name.
  explicit NicheNames(const std::vector<std::uint32_t>& twins) {
    Random random(0x5eed);
    const auto draw = [&] {
      return StateKey{random.next() | 1U, random.next() | 1U};
    };
    for (const std::uint32_t twin : twins) {
      const bool again = twin < waits_.size();
      waits_.push_back(again ? waits_[twin] : draw());
      low_.push_back(again ? low_[twin] : draw());
    }
    first_ = draw();
    last_ = draw();
  }

  StateKey sections(std::int32_t first, std::int32_t last) const {
    StateKey key = first_ * static_cast<std::uint64_t>(first);
    key += last_ * static_cast<std::uint64_t>(last);
    return key;
  }
  StateKey waits(std::uint32_t item, std::int64_t low) const {
    StateKey key = waits_[item];
    key += raised(item, low);
    return key;
  }
  /// A waiting item's lowest offset rises by so much.
  StateKey raised(std::uint32_t item, std::int64_t by) const { return low_[item] * static_cast<std::uint64_t>(by); }

 private:
  std::vector<StateKey> waits_;  // by item
  std::vector<StateKey> low_;    // by item
  StateKey first_;
  StateKey last_;
};

}  // namespace stowage
