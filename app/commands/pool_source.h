#pragma once

#include <string>

#include "app/commands/reading.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/pools/trace.h"

namespace stowage {

/// What a pool is fed with, and the problem that it poses to a planner.
struct PoolSource {
  Document document;
  Trace trace;
  TraceAxis axis = TraceAxis::kTime;  // of the document's lifetimes
};

/// Reads a trace, or any file with a problem or a network by name, whose lifetimes then become allocations and frees.
/// Says warnings; where a trace cannot say all of the problem, one for each kind of thing, and the document then holds
/// the problem that the trace poses. Errors: input, usage.
Result<PoolSource> read_pool_source(const std::string& path, const ReadingFlags& flags);

}  // namespace stowage
