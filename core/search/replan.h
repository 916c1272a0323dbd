#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/problem.h"
#include "core/run/run.h"

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

/// A plan after an edit.
struct Replanned {
  std::vector<std::int64_t> offsets;  // by buffer
  ReplanTier tier = ReplanTier::kStay;
  std::size_t moved = 0;      // buffers that had another offset before
  std::int64_t makespan = 0;  // the highest end in any space
  std::int64_t bound = 0;     // no plan is lower: the load, or the end of the highest pin
  /// A new plan of everything may be lower.
  bool wants_new_plan() const { return makespan > bound; }
};

/// Whether lifetimes alone decide about conflicts, without gaps, and nothing is tied or has a choice of spaces.
bool can_replan(const Problem& problem);

/// A plan of a changed problem that stays close to the plan from before. It aims at the height that the others have
/// anyway, or the load where that is higher (ejection.h); what then sticks out above the load is pulled down.
///
/// `before`: an offset for each buffer, kNoOffset where it has none yet. `edited`: buffers whose lifetime, size,
/// alignment, space or pin is not what it was when the offsets were made; those without an offset count as edited. All
/// others must not collide. Deterministic for a seed. Needs can_replan(). Nothing when pins collide, or a place would
/// end above 2^63-1.
std::optional<Replanned> replan(const Problem& problem, std::span<const std::int64_t> before,
                                std::span<const BufferIndex> edited, const ReplanLimits& limits,
                                const RunContext& context);

}  // namespace stowage
