#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/search/niche_search.h"
#include "core/search/priorities.h"

namespace stowage {

/// Does an instance fit under a capacity? Asked in slices, so that several questions can take turns. A niche search is
/// begun again and again with other luck (luby.h), because nearly all of its runs either end at once or never; every
/// now and then one run gets a quarter as much as all before it, so that what can be exhausted is exhausted in the end.
///
///   nodes of runs, in 500s:   1 1 2 1 1 2 4 1 1 2 | 5 | 1 1 2 4 8 1 1 2 ... | 20 | ...
class CapacityQuestion {
 public:
  /// The instance must outlive it; capacity in units.
  CapacityQuestion(const Instance& instance, std::int64_t capacity, std::uint64_t seed);

  /// A higher plan by item, which the answer may be much like (priorities.h).
  void follow(std::span<const std::int64_t> offsets, std::int64_t height) { priorities_.follow(offsets, height); }

  /// Searches on, for at most so many nodes.
  Verdict go_on(std::int64_t nodes, const RunContext& context);

  std::int64_t capacity() const { return capacity_; }
  /// By item, units, after kFits.
  std::vector<std::int64_t> offsets() const { return search_.offsets(); }
  std::int64_t nodes() const { return search_.nodes(); }

 private:
  std::int64_t capacity_;
  NicheSearch search_;
  Priorities priorities_;
  Random random_;
  std::int64_t runs_ = 0;
  std::int64_t long_run_;
};

}  // namespace stowage
