// Which entries and insides of stages to store when a chain is reversed within a budget: dynamic programming over
// (first stage, last stage, memory), as for heterogeneous chains in Beaumont et al., "Optimal checkpointing for
// heterogeneous chains" (2019). A stage whose way back needs only its entry costs nothing to go back through.

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/recompute_policies.h"
#include "core/transforms/stages.h"

namespace stowage {
namespace {

constexpr std::size_t kMostStages = 64;
constexpr std::size_t kSteps = 256;  // of memory
constexpr double kNever = std::numeric_limits<double>::infinity();

/// What a stage costs, sizes in steps of memory, rounded up.
struct StageCosts {
  double advance = 0;  // time from its entry to the entry of the next
  double inside = 0;   // time to make what its way back reads
  double both = 0;     // time to make the two together
  std::size_t inside_bytes = 0;
  std::size_t entry_bytes = 0;  // of the stage itself
};

class ChainTable {
 public:
  explicit ChainTable(std::vector<StageCosts> costs) : costs_(std::move(costs)), stages_(costs_.size()) {
    prefix_.assign(stages_ + 1, 0);
    for (std::size_t s = 0; s < stages_; ++s) prefix_[s + 1] = prefix_[s] + costs_[s].advance;
    time_.assign(stages_ * stages_ * (kSteps + 1), kNever);
    choice_.assign(time_.size(), kImpossible);
    for (std::size_t length = 1; length <= stages_; ++length) {
      for (std::size_t from = 0; from + length <= stages_; ++from) {
        for (std::size_t memory = 0; memory <= kSteps; ++memory) solve(from, from + length, memory);
      }
    }
  }

  double time(std::size_t from, std::size_t to, std::size_t memory) const { return time_[at(from, to, memory)]; }

  /// Goes back through the stages [from, to) with so many steps of memory for what is stored.
  void reverse(StageRunner& runner, std::size_t from, std::size_t to, std::size_t memory) const {
    while (to - from > 1) {
      const std::uint8_t choice = choice_[at(from, to, memory)];
      if (choice == kKeepInside) {
        runner.hold_inside(from);
        runner.advance(from, from + 1);
        runner.hold_entry(from + 1);
        reverse(runner, from + 1, to, memory - costs_[from].inside_bytes - costs_[from + 1].entry_bytes);
        runner.release_entry(from + 1);
        runner.go_back(from);
        runner.release_inside(from);
        return;
      }
      const std::size_t middle = from + choice;
      runner.advance(from, middle);
      runner.hold_entry(middle);
      reverse(runner, middle, to, memory - costs_[middle].entry_bytes);
      runner.release_entry(middle);
      to = middle;
    }
    runner.go_back(from);
  }

 private:
  static constexpr std::uint8_t kImpossible = 255;
  static constexpr std::uint8_t kKeepInside = 0;  // else: how many stages to advance

  std::size_t at(std::size_t from, std::size_t to, std::size_t memory) const {
    return (from * stages_ + to - 1) * (kSteps + 1) + memory;
  }

  void solve(std::size_t from, std::size_t to, std::size_t memory) {
    double best = kNever;
    std::uint8_t choice = kImpossible;
    if (to - from == 1) {
      if (costs_[from].inside_bytes <= memory) time_[at(from, to, memory)] = costs_[from].inside;
      return;
    }
    const std::size_t kept = costs_[from].inside_bytes + costs_[from + 1].entry_bytes;
    if (kept <= memory) {
      best = costs_[from].both + time(from + 1, to, memory - kept);
      choice = kKeepInside;
    }
    for (std::size_t middle = from + 1; middle < to; ++middle) {
      if (costs_[middle].entry_bytes > memory) continue;
      const double cost = prefix_[middle] - prefix_[from] + time(middle, to, memory - costs_[middle].entry_bytes) +
                          time(from, middle, memory);
      if (cost >= best) continue;
      best = cost;
      choice = static_cast<std::uint8_t>(middle - from);
    }
    if (best == kNever) return;
    time_[at(from, to, memory)] = best;
    choice_[at(from, to, memory)] = choice;
  }

  std::vector<StageCosts> costs_;
  std::size_t stages_;
  std::vector<double> prefix_;
  std::vector<double> time_;
  std::vector<std::uint8_t> choice_;
};

class OptimalChain {
 public:
  OptimalChain(const RecomputeTask& task, Stages stages, std::int64_t budget)
      : task_(task),
        stages_(std::move(stages)),
        step_(std::max<std::int64_t>(
            1, (budget + static_cast<std::int64_t>(kSteps) - 1) / static_cast<std::int64_t>(kSteps))),
        table_(costs()) {}

  /// The program with the most memory for what is stored whose real peak keeps to the budget.
  std::optional<Program> best(std::int64_t budget) {
    std::size_t low = 0;
    std::size_t high = kSteps;
    std::optional<Program> found;
    while (low <= high) {
      const std::size_t memory = low + (high - low) / 2;
      auto program = program_with(memory);
      if (!program) {
        low = memory + 1;
        continue;
      }
      const std::int64_t peak = peak_of(task_.graph, *program);
      least_peak_ = least_peak_ ? std::min(*least_peak_, peak) : peak;
      if (peak <= budget) {
        found = std::move(program);
        low = memory + 1;
      } else if (memory == 0) {
        break;
      } else {
        high = memory - 1;
      }
    }
    return found;
  }
  std::optional<std::int64_t> least_peak() const { return least_peak_; }

 private:
  std::size_t steps_of(const std::vector<TensorIndex>& values) const {
    std::int64_t bytes = 0;
    for (const TensorIndex t : values) bytes += own_bytes(task_.graph, t);
    return static_cast<std::size_t>(std::min<std::int64_t>((bytes + step_ - 1) / step_, kSteps + 1));
  }

  std::vector<StageCosts> costs() const {
    const auto time_of = [&](std::size_t stage, std::vector<TensorIndex> targets) {
      // Everything from other stages counts as there.
      std::vector<OpIndex> own = stages_.forward[stage];
      std::sort(own.begin(), own.end());
      const auto is_there = [&](TensorIndex t) {
        const OpIndex maker = task_.graph.producer(task_.graph.base(t));
        return !std::binary_search(own.begin(), own.end(), maker);
      };
      double time = 0;
      for (const OpIndex n : ops_to_make(task_.graph, stages_.forward[stage], targets, is_there)) {
        time += task_.graph.op(n).duration;
      }
      return time;
    };
    std::vector<StageCosts> costs(stages_.size());
    for (std::size_t s = 0; s < costs.size(); ++s) {
      std::vector<TensorIndex> both = stages_.inside[s];
      if (s + 1 < costs.size()) {
        const std::vector<TensorIndex>& next = stages_.entry[s + 1];
        costs[s].advance = time_of(s, next);
        both.insert(both.end(), next.begin(), next.end());
      }
      costs[s].inside = time_of(s, stages_.inside[s]);
      costs[s].both = time_of(s, both);
      costs[s].inside_bytes = steps_of(stages_.inside[s]);
      costs[s].entry_bytes = steps_of(stages_.entry[s]);
    }
    return costs;
  }

  std::optional<Program> program_with(std::size_t memory) {
    if (table_.time(0, stages_.size(), memory) == kNever) return std::nullopt;
    ProgramWriter writer(task_.graph, task_.parts);
    StageRunner runner(task_.graph, stages_, writer);
    table_.reverse(runner, 0, stages_.size(), memory);
    auto program = writer.finish();
    if (!program) return std::nullopt;
    return std::move(*program);
  }

  const RecomputeTask& task_;
  Stages stages_;
  std::int64_t step_;
  ChainTable table_;
  std::optional<std::int64_t> least_peak_;
};

}  // namespace

Result<RecomputePlan> recompute_optimal_chain(const RecomputeTask& task, std::int64_t budget) {
  const Cuts cuts = find_cuts(task.graph, task.parts, task.choice);
  if (cuts.at.empty()) {
    return fail(Error::Kind::kRefused, "recompute: the forward part has no place to start again from");
  }
  Stages stages = find_stages(task.graph, task.parts, cuts, kMostStages);
  const std::size_t count = stages.size();
  OptimalChain chain(task, std::move(stages), budget);
  auto program = chain.best(budget);
  if (!program) {
    const std::string least =
        chain.least_peak() ? fmt::format("; with {} it would", format_bytes(*chain.least_peak())) : std::string();
    return fail(Error::Kind::kRefused, fmt::format("recompute: no way to store stages of the chain keeps to {}{}",
                                                   format_bytes(budget), least));
  }
  RecomputePlan plan;
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format("the least extra time over {} stages within {}: peak {}", count,
                                   format_bytes(budget), format_bytes(peak_of(task.graph, plan.program))));
  return plan;
}

}  // namespace stowage
