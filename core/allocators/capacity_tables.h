#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/lists.h"
#include "core/model/conflicts.h"
#include "core/model/problem.h"

namespace stowage {

/// The switches of minimalloc's search, each a way to visit less.
struct SearchRules {
  bool canonical_only = true;         // buffers are placed by rising offset, equals by rank
  bool section_inference = true;      // a section must have room for all that still waits in it
  bool dynamic_ordering = true;       // the buffer that can sit lowest comes first
  bool check_dominance = true;        // nothing is placed above room in which a whole waiting buffer fits
  bool unallocated_floor = true;      // the lowest waiting buffer of a section raises the section's floor
  bool static_preordering = true;     // ranks come from the orders below, not from the order of arrival
  bool dynamic_decomposition = true;  // what falls apart in time is solved apart
  bool monotonic_floor = true;        // no floor lies below the last placement
  bool hatless_pruning = true;        // where nothing waits above a buffer, its siblings are no better
  std::vector<std::string> orders = {"WAT", "TAW", "TWA"};  // letters as in make_order, tried in turn
};

/// What a search over offsets asks again and again, laid out for it.
struct CapacityTables {
  explicit CapacityTables(const Problem& problem);

  std::vector<Grid> grids;          // by buffer
  std::vector<std::int64_t> sizes;  // by buffer
  Lists<Span> spans;                // by buffer
  Lists<Overlap> overlaps;          // by buffer
  Lists<BufferIndex> active;        // by section
  std::vector<Partition> partitions;
  std::vector<std::int32_t> cuts;
  bool has_windows_at_odds = false;  // some buffer may lie above another one and yet have no higher offset
};

/// One of minimalloc's preordering heuristics, cut at its letter T: the load of the moment is known only during the
/// search, all else is not.
struct OrderKeys {
  /// `letters` must be letters of make_order, or nothing: the order of rows.
  OrderKeys(const Problem& problem, std::string_view letters);

  bool by_load = false;               // T is among the letters
  std::vector<std::uint32_t> before;  // by buffer: equal where the letters before T are
  std::vector<std::uint32_t> after;   // by buffer: its rank by the letters after T, then by row
};

}  // namespace stowage
