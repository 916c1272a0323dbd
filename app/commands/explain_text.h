#pragma once

#include <string>

#include "core/explain/explain_capacity.h"
#include "core/explain/why.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// What `explain` prints for people.
std::string capacity_text(const Problem& problem, const CapacityExplanation& explanation);
std::string why_text(const Problem& problem, const Plan& plan, const WhyHere& here);

/// Keys: capacity, fits (true, false or null: not known); of a plan offsets (in buffer order) and makespan; else space,
/// reason (load, pin, packing), set, minimal, load, time (null on a conflict graph), remedies [{buffer, shrink,
/// least}].
std::string capacity_json(const Problem& problem, const CapacityExplanation& explanation);
/// Keys: buffer, offset, size, fixed, tied, supports, blocks, lowest, holes [[low, high or null]], conflicts [{buffer,
/// side (below, above, collides), free}].
std::string why_json(const Problem& problem, const WhyHere& here);

}  // namespace stowage
