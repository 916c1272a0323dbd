#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"

namespace stowage {

/// What orders two ops: only data and events, as in an engine that runs whatever is ready, or the streams as well.
enum class Engine { kData, kStreams };

/// Orders that sharing takes for granted and the graph does not promise: a tensor may only be written into a storage
/// when every reader of what lay there before has ended. Each is needed; those that follow from others are left out.
/// `storages` and `in_place` are those of the staged graph. Error: refused, above 65,536 ops.
Result<std::vector<Event>> implied_orders(const Staged& staged, Engine engine);

/// The longest chain of ops by their durations, when each starts as soon as it may, with these orders besides.
double critical_path(const Staged& staged, Engine engine, const std::vector<Event>& more);

/// The same with these orders as events of the graph. They must agree with its schedule.
Result<Staged> with_events(const Staged& staged, const std::vector<Event>& events);

}  // namespace stowage
