#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// How far a plan had to be changed for an edit, from cheap to dear. The first that succeeds is taken:
enum class ReplanTier {
  kStay,   // the buffer keeps its offset
  kFit,    // it alone moves, to the tightest gap
  kEject,  // it takes the place of a few others, which find gaps
  kAnew,   // what lives around it is planned anew: the full stretch exactly, then the rest
  kRelax,  // nothing of this under the old height: the cheap ones again under a higher one
};
/// "stay", "fit", "eject", "anew", "relax".
std::string_view name_of(ReplanTier tier);

/// Effort, so that the same edit gives the same plan on every machine; a deadline in the context only cuts. These are a
/// few milliseconds.
struct ReplanLimits {
  std::int64_t looks = 12'000;  // in all
  std::int64_t nodes = 2'000;   // for each full stretch that is solved
};

/// What an edit has made of a plan.
struct Replanned {
  ReplanTier tier = ReplanTier::kStay;
  std::vector<BufferIndex> moved;  // buffers that had another offset before, ascending
  std::int64_t makespan = 0;       // the highest end in any space
  std::int64_t bound = 0;          // no plan is lower: the load, or the end of the highest pin
  /// A new plan of everything may be lower.
  bool wants_new_plan() const { return makespan > bound; }
};

/// Whether lifetimes alone decide about conflicts, without gaps, and nothing is tied or has a choice of spaces.
bool can_replan(const Problem& problem);

}  // namespace stowage
