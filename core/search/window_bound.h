#pragma once

#include <cstdint>

#include "core/run/run.h"
#include "core/search/instance.h"

namespace stowage {

/// A bound above the load, for little effort: what is live in a short stretch of time needs at least what it would need
/// if nothing else were there, and a few dozen buffers can be searched through.
///
///   load  ..___________          the fullest sections first; around each a stretch of twelve buffers, then of more,
///         _/   ####    \__       up to forty-eight: a problem of its own (lives cut to the stretch). While it does not
///         fit
///        /     ####       \      under the bound, the bound goes up to the next level (levels.h).
///
/// Sound whatever the effort; all tried stretches together visit at most about so many `nodes`. A problem of a dozen
/// buffers is one stretch, so its bound is nearly always its lowest height. In units.
std::int64_t window_bound(const Instance& instance, std::int64_t nodes, const RunContext& context);

}  // namespace stowage
