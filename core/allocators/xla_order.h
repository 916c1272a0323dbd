#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/allocators/unit.h"
#include "core/model/problem.h"

namespace stowage {

/// Orders in which XLA's heap simulator takes buffers (BufferIntervalCompare). With colocation a group counts once, for
/// its leader: the member that is allocated first.
enum class XlaStrategy {
  kSpatial,          // size falling, lifetime falling
  kTemporal,         // lifetime of the group falling, size falling
  kSpatialTemporal,  // largest size of the group x the time in which any member lives, falling
  kFastMerge,        // start rising, size falling; free space by time alone
  kPhaseWindow,      // the same order, ordinary placement
  kPhaseWindowEnd,   // end rising, size falling
  kFastSplit,        // spatial for the first 500, fast-merge above them for the rest
  kGiven,            // the order of the rows
};

/// "spatial", "spatial-temporal", ...; "start" and "end" are other words for "phase-window" and
/// "phase-window-end".
std::vector<std::string> strategy_names();
std::string_view name_of(XlaStrategy strategy);
std::optional<XlaStrategy> strategy_named(std::string_view name);

/// units_of, each led by the member that begins first.
std::vector<Unit> units_led_by_the_first_live(const Problem& problem);

/// Last tie: the leader's row.
void sort_units(const Problem& problem, XlaStrategy strategy, std::vector<const Unit*>& units);

}  // namespace stowage
