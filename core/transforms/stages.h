#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/graph/graph.h"
#include "core/transforms/program.h"
#include "core/transforms/training_parts.h"

namespace stowage {

/// A training graph as a chain: stages of forward ops between cuts, and for each the part of the way back that goes
/// with it, the one that needs values made inside it or entering it.
///
///   inputs -> [stage 0] -> entry 1 -> [stage 1] -> ... -> [stage m-1]
///   updates <- back 0   <-           back 1    <- ... <-  back m-1
struct Stages {
  std::vector<std::vector<OpIndex>> forward;
  std::vector<std::vector<OpIndex>> back;
  std::vector<std::vector<TensorIndex>> entry;   // values that cross into the stage; none into the first; ascending
  std::vector<std::vector<TensorIndex>> inside;  // made in the stage, read by its way back, not entering the next

  std::size_t size() const { return forward.size(); }
};

/// At most `most` stages: of more cuts, evenly many are taken. Forward ops that nothing in the forward part reads (a
/// loss) run with the way back of what they read, at its beginning.
Stages find_stages(const Graph& graph, const TrainingParts& parts, const Cuts& cuts, std::size_t most);

/// Those of a stage's ops that it takes to make the targets out of what is there, in their order.
std::vector<OpIndex> ops_to_make(const Graph& graph, std::span<const OpIndex> ops, std::span<const TensorIndex> targets,
                                 const std::function<bool(TensorIndex)>& is_there);

/// Goes forward and back over stages. Which entries are held meanwhile, the caller decides.
class StageRunner {
 public:
  StageRunner(const Graph& graph, const Stages& stages, ProgramWriter& writer)
      : graph_(graph), stages_(stages), writer_(writer), held_(graph.tensors().size(), 0) {}

  /// From stage `from`, whose entry is there, forward to the entry of stage `to`; forgets the rest of what it made.
  void advance(std::size_t from, std::size_t to);
  /// Runs what is left of a stage, and its way back; then forgets what was made inside of it.
  void go_back(std::size_t stage);

  void hold_entry(std::size_t stage) { hold(stages_.entry[stage]); }
  void release_entry(std::size_t stage) { release(stages_.entry[stage]); }
  /// Makes what the way back of a stage reads, for as long as it is held.
  void hold_inside(std::size_t stage);
  void release_inside(std::size_t stage) { release(stages_.inside[stage]); }

 private:
  void hold(const std::vector<TensorIndex>& values);
  void release(const std::vector<TensorIndex>& values);
  void forget(TensorIndex base);
  void forget_inside(std::size_t stage, std::span<const TensorIndex> except);
  void make(std::size_t stage, const std::vector<TensorIndex>& targets);

  const Graph& graph_;
  const Stages& stages_;
  ProgramWriter& writer_;
  std::vector<std::uint32_t> held_;  // by tensor: how often
};

}  // namespace stowage
