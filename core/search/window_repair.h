#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/run/run.h"
#include "core/search/hard_fit.h"

namespace stowage {

/// Finds room for the last items that a greedy placement could not place, in a window of time around one of them:
/// everything that lies wholly inside is taken out and placed again, what crosses the border stays. Kept when not more
/// bytes are left over than before, else everything goes back. There are two ways to place it again:
///
///      |   :  +--+  :  ------      shaken: greedily in a shaken order, the failed ones first; cheap, and mostly enough
///      | ----------------- :
///      |   :+---+ +-+:             solved: first all that is live in the stretch around the item, with what is nearly
///      +---:---------:--------     full next to it, exactly (niche_search.h); then the rest in a shaken order
class WindowRepair {
 public:
  /// `ranks`, by item: the order of the placement. `failed`: what has no place. `kept`, by item: those that shaken
  /// windows leave where they are, except now and then.
  WindowRepair(const Instance& instance, HardFit& fit, std::int64_t capacity, std::vector<std::uint32_t> ranks,
               std::vector<std::uint32_t> failed, std::vector<bool> kept, std::uint64_t seed);

  /// Tries windows until nothing is left over or the looks are spent. True when everything has a place.
  bool go_on(std::int64_t looks, const RunContext& context);
  const std::vector<std::uint32_t>& failed() const { return failed_; }
  /// What solving cost, in looks; those of greedy placement `fit` counts itself.
  std::int64_t looks_of_solving() const { return looks_of_solving_; }

 private:
  void shake(const Instance::Item& item);
  bool solve(const Instance::Item& item, const RunContext& context);
  SectionRange stretch_around(const Instance::Item& item);
  bool put_solved(SectionRange stretch, const RunContext& context);
  void take_out(SectionRange window, bool also_kept);
  void place_again();
  void put_back();

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
  std::vector<std::uint32_t> met_;
  std::int64_t looks_of_solving_ = 0;
};

}  // namespace stowage
