#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/run/params.h"
#include "core/run/run.h"

namespace stowage {

/// A total order of the ops: order[step] runs at that step. Streams run side by side in truth; the order is then one
/// way of telling it, and Ancestors says what it really promises.
struct Schedule {
  std::vector<OpIndex> order;

  /// The step of each op.
  std::vector<std::size_t> steps() const;
  bool operator==(const Schedule&) const = default;
};

/// The order in which the ops stand. An error names the first op that would run before something it waits for.
Result<Schedule> given_schedule(const Graph& graph);
/// Is it a permutation in which every op runs after all it waits for? An error says which does not.
Result<void> check_schedule(const Graph& graph, const Schedule& schedule);

/// A way to order the ops; a line in schedulers.def. `id`: "given", "depth-first", "breadth-first", "memory-aware".
struct Scheduler {
  std::string id;
  std::string title;
  std::string summary;
  std::vector<ParamSpec> params;
  Result<Schedule> (*run)(const Graph&, const ParamValues&, RunContext&) = nullptr;
};

std::span<const Scheduler> schedulers();
const Scheduler* find_scheduler(std::string_view id);
/// Completes the parameters and runs it. Errors: usage (unknown parameter), cancelled.
Result<Schedule> run_scheduler(const Scheduler& scheduler, const Graph& graph, const ParamValues& params,
                               RunContext& context);

}  // namespace stowage
