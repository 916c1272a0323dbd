#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/lower.h"
#include "core/run/run.h"
#include "core/transforms/transform.h"

namespace stowage {

/// A mix of transforms and what it costs.
struct FitProposal {
  std::vector<PipelineStage> pipeline;
  std::int64_t load = 0;
  std::optional<std::int64_t> makespan;  // of a plan, where one was made
  double extra_time = 0;                 // of repeated ops, encoding, decoding; in units of the graph's clock
  double stall = 0;                      // waiting for copies
  std::int64_t extra_ops = 0;
  std::int64_t bytes_moved = 0;
  bool exact = true;  // values come back as they were

  double cost() const { return extra_time + stall; }
};

/// How a graph comes to fit under a capacity, or why not.
struct GraphFit {
  std::int64_t capacity = 0;
  std::int64_t load_before = 0;  // of the graph as it stands
  double time_before = 0;        // the durations of its ops
  std::optional<FitProposal> best;
  std::size_t tried = 0;
  bool stopped = false;  // the time was over before every mix had been tried: another may be cheaper, or fit
  // The rest only when nothing fits.
  std::optional<FitProposal> least;  // the mix of the smallest load
  OpIndex hungriest = kNoOp;         // the op that needs most at once: what it reads, what it makes, its workspace
  std::int64_t hungriest_bytes = 0;  // with what lives all the time
};

/// Tries mixes of recomputation, compression, swapping and in-place, the exact ones first, and of those that fit gives
/// the one of the least cost; of equals the one of fewer stages, then the one tried first. Weights and inputs count as
/// `options` say. A deadline ends the search with the best so far. Errors: input (the graph cannot be lowered),
/// cancelled (asked to stop).
Result<GraphFit> fit_graph(const Staged& staged, const LowerOptions& options, std::int64_t capacity,
                           RunContext& context);

}  // namespace stowage
