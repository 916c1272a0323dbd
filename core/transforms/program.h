#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/transforms/training_parts.h"

namespace stowage {

/// The ops of a graph in the order in which they run; an op that stands there again is repeated, and who comes later
/// reads what its latest run has made. That alone says how long everything lives.
using Program = std::vector<OpIndex>;

/// Writes a program whose ops find everything they read: what has been forgotten is made again, from what is there.
class ProgramWriter {
 public:
  ProgramWriter(const Graph& graph, const TrainingParts& parts);

  /// Runs an op for the first time, with all that it waits for; nothing when it has run.
  void run(OpIndex n);
  /// Runs it even when it has run already, unless it may not run twice or all its outputs are there.
  void rerun(OpIndex n);
  /// Makes a tensor be there.
  void require(TensorIndex t);
  /// The memory of a tensor and all its views is given up. Outputs of the graph and of ops that may not run again stay.
  void forget(TensorIndex t);
  bool is_there(TensorIndex t) const;
  bool has_run(OpIndex n) const { return has_run_[n] != 0; }

  /// Error: refused, when more than `kMostRuns` runs an op would be needed on average.
  Result<Program> finish();
  static constexpr std::size_t kMostRuns = 64;

 private:
  void make(std::vector<OpIndex> wanted);
  bool missing(OpIndex n, std::vector<OpIndex>& makers) const;
  void append(OpIndex n);
  bool may_forget(TensorIndex base) const;

  const Graph& graph_;
  const TrainingParts& parts_;
  Program program_;
  std::vector<std::uint8_t> has_run_;            // by op
  std::vector<std::uint8_t> there_;              // by tensor that an op makes
  std::vector<std::vector<TensorIndex>> views_;  // by base: made by ops
  bool too_long_ = false;
};

/// Error: refused, when an op would run again and read what has been written over by then, a weight after its update.
Result<void> check_program(const Graph& graph, const Program& program);

/// The largest sum of bytes alive at one time: of what the graph's own ops make, and their workspace. As the load of
/// the rewritten graph, without writing it.
std::int64_t peak_of(const Graph& graph, const Program& program);

/// The graph that runs like this. Repeated ops come with a control edge from the latest op before them that is none, so
/// that no other order of the ops brings them forward.
Result<Staged> rewrite(const Staged& staged, const Program& program);

}  // namespace stowage
