#pragma once

#include <string>
#include <vector>

#include "core/pools/pool.h"

namespace stowage {

/// One line of `pool`: a pool or a plan with the trace.
struct PoolReport {
  std::string file;
  std::string error;  // of one that did not run; then nothing else counts
  const PoolRun* run = nullptr;
  bool offline = false;  // a plan that knew the whole trace
};

/// Keys: file pool offline error capacity events allocations failures [{event id bytes needed available missing
/// largest_free}] peak {requested allocated allocated_event reserved reserved_event internal_fragmentation
/// external_fragmentation segments largest_block} end {requested allocated waiting reserved free largest_free segments
/// device_allocations} highest_address facts addresses [or null] seconds. At most 10,000 failures are listed,
/// `failure_count` has all. With `points`, also points: [[event, requested, allocated, waiting, reserved, largest_free,
/// device_allocations]].
std::string pool_report_json(const PoolReport& report, const Trace& trace, bool points);
std::string pool_reports_json(const std::vector<PoolReport>& reports, const Trace& trace, bool points);

/// Every pool with its parameters.
std::string pools_json();

}  // namespace stowage
