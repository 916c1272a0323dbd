#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/pools/pool.h"

namespace stowage {

/// A row of the comparison: a pool, or a plan that knew everything before.
struct PoolRow {
  PoolRun run;
  std::string error;  // why it did not run
  bool offline = false;
};

/// One pool for people: a line for each fact, and the first requests that failed.
std::string pool_text(const Document& document, const Trace& trace, const PoolRun& run);
/// All of them for people: a table; overhead is what is reserved above what is requested.
std::string pools_text(const Document& document, const Trace& trace, const std::vector<PoolRow>& rows);

}  // namespace stowage
