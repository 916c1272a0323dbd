#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"
#include "core/search/descent.h"
#include "core/search/engine_parts.h"
#include "core/search/large_fit.h"

namespace stowage {

/// What a run of the engine may do.
struct EngineRules {
  bool minimize = true;               // else it ends as soon as everything lies below the capacities
  bool greedy = true;                 // more greedy passes than the one it begins with
  std::optional<std::int64_t> nodes;  // states of the exact search; nothing: some seconds' worth, or until the deadline
  EnginePart without = EnginePart::kNone;
  unsigned threads = 1;  // changes how soon the plan is there, never which one it is
};

/// Whether the engine knows all that a problem asks for.
bool suits_engine(const Problem& problem);

/// The engine on a whole problem. Lifetimes alone must decide about conflicts, without gaps, and nothing may be tied or
/// have a choice of spaces.
///
/// Spaces and partitions of time do not meet, so each is planned by itself: a greedy plan at once, and then in rounds
/// of doubling effort those that are still above what their space needs anyway. A round is one more greedy pass under a
/// hard capacity (large_fit.h), and where the partition is small enough a slice of exact search (descent.h). Once
/// rounds are long, more passes and members take part. The slices of a round may run side by side (slices.h).
class PartitionRun {
 public:
  PartitionRun(const Problem& problem, const EngineRules& rules, RunContext& context);

  /// Errors: cancelled, before there was a plan; refused, when something would end above 2^63-1.
  Result<RunResult> run();

 private:
  static constexpr std::size_t kPassers = 4;

  /// A partition on its way to its lowest plan; heights in bytes.
  struct Part {
    std::uint16_t space = 0;
    std::int64_t base = 0;           // bytes: all of it lies above
    std::vector<BufferIndex> below;  // what lies there and is live through all of it
    Instance instance;
    std::optional<Descent> descent;                          // holds the plan
    std::array<std::unique_ptr<LargeFit>, kPassers> greedy;  // each once it is needed
    std::size_t attempts = 0;
    std::size_t best_attempt = 0;

    std::int64_t lower() const { return base + descent->lower() * instance.unit; }
    std::int64_t height() const { return base + descent->height() * instance.unit; }
    std::int64_t in_units(std::int64_t bytes) const { return bytes < base ? 0 : (bytes - base) / instance.unit; }
  };
  /// What one member does in a round, and what came of it.
  struct Slice {
    Part* part = nullptr;
    bool is_pass = false;
    std::size_t member = 0;   // of the descent, or which of the greedy ones
    Descent::Wish wish;       // of a pass: the goal is its capacity, the nodes are its looks
    std::size_t attempt = 0;  // of a pass
    Descent::Found found;     // of a pass: the nodes are its looks
  };

  Result<void> begin();
  Result<void> begin_part(Part& part);
  void rounds();
  void raise_bounds();
  std::vector<Slice> make_round(std::int64_t nodes, std::int64_t looks);
  void add_passes(Part& part, std::int64_t goal, std::int64_t looks, std::int64_t& left, std::vector<Slice>& slices);
  void add_searches(Part& part, std::int64_t goal, std::int64_t nodes, std::int64_t& left, std::vector<Slice>& slices);
  void run_slice(Slice& slice, const RunContext& context) const;
  void take_slice(Slice& slice);
  bool is_large(const Part& part) const;
  std::int64_t lower(std::uint16_t space) const { return lower_[space]; }
  void update_lower(const Part& part);
  bool is_answered(const Part& part) const;
  std::int64_t node_budget() const;
  std::int64_t makespan() const;
  void report_progress();
  void say_progress();
  RunResult finish();

  const Problem& problem_;
  EngineRules rules_;
  RunContext& context_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::int64_t> lower_;  // by space: no plan of it is lower
  std::int64_t said_makespan_ = kMaxInt64;
  std::int64_t said_bound_ = 0;
  std::int64_t nodes_ = 0;  // that may be spent in all
  std::int64_t looks_ = 0;
  std::int64_t nodes_left_ = 0;
  std::int64_t looks_left_ = 0;
  bool out_of_time_ = false;
  RunResult result_;
};

}  // namespace stowage
