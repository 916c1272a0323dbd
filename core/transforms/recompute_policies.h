#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/run/run.h"
#include "core/transforms/dtr.h"
#include "core/transforms/program.h"
#include "core/transforms/training_parts.h"

namespace stowage {

/// What a policy of recomputation works on.
struct RecomputeTask {
  const Staged& staged;
  const Graph& graph;  // the same
  const TrainingParts& parts;
  CutChoice choice = CutChoice::kNarrow;
  const RunContext& context;
  bool by_storages = false;  // a search measures the sum of NNVM's storages instead of the load
};

struct RecomputePlan {
  Program program;
  std::vector<std::string> notes;  // how the policy decided, for the report
};

/// Keeps what crosses every k-th cut, and what comes behind the last of these: the way back needs it at once. All
/// else is made again, once, when the way back comes to it. k = 0: the square root of the number of cuts.
Result<RecomputePlan> recompute_every_k(const RecomputeTask& task, std::size_t k);
/// The same with cuts by Chen's budget walk; without a budget by memonger's search for the one of the least peak, where
/// everything is kept when no budget is better.
Result<RecomputePlan> recompute_by_budget(const RecomputeTask& task, std::optional<std::int64_t> budget);
/// k checkpoints a level, and the same again inside of each part when the way back comes to it.
Result<RecomputePlan> recompute_recursively(const RecomputeTask& task, std::size_t k);
/// Binomial checkpointing with so many checkpoints at once, the inputs among them; 0: the square root of the stages.
Result<RecomputePlan> recompute_revolve(const RecomputeTask& task, std::size_t checkpoints);
/// The least extra time for a peak of at most `budget` bytes, over all ways to store entries and insides of stages one
/// in the other: exact for chains of up to 62 stages whose sizes fit into 256 steps, else by rounding up.
Result<RecomputePlan> recompute_optimal_chain(const RecomputeTask& task, std::int64_t budget);
/// What an online evictor would do that sees one op after the other.
Result<RecomputePlan> recompute_online(const RecomputeTask& task, std::int64_t budget, DtrHeuristic heuristic);
/// Only the inside of attentions: what lies between the two products around a softmax.
Result<RecomputePlan> recompute_attention(const RecomputeTask& task);

}  // namespace stowage
