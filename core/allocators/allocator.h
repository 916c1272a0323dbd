#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/plan.h"
#include "core/model/problem.h"
#include "core/run/params.h"
#include "core/run/run.h"

namespace stowage {

/// Constraints an allocator honours; a problem that needs another one is refused with a message.
struct Capabilities {
  bool fixed_offsets = true;
  bool alignment = true;
  bool gaps = true;
  bool conflict_edges = false;
  bool clocks = false;
  bool colocation = false;  // and aliases
  bool groups = false;      // contiguous ones
  bool candidates = false;  // a choice of spaces
  bool slices = false;      // puts them into any order; whoever cannot keeps the buffer whole, which is never wrong
  bool boxes = false;       // returns the boxes it built
  bool objects = false;     // plans shared objects; offsets follow from them
  bool exact = false;       // proves optimality or infeasibility
};

/// A way to turn a problem into a plan. `id` is stable: files and the command line use it.
struct Allocator {
  std::string id;
  std::string title;
  std::string summary;  // one sentence
  std::string source;   // paper or repository
  std::vector<ParamSpec> params;
  Capabilities can;
  /// Up to so many buffers it is run without being asked for by name: when a file opens, for `plan` without
  /// --allocator. Searches and planners of quadratic time have a limit, so that nobody waits for what nobody chose.
  std::size_t unasked_up_to = static_cast<std::size_t>(-1);

  bool runs_unasked(const Problem& problem) const { return problem.size() <= unasked_up_to; }
  /// Assumes checked capabilities and completed parameters: call run_allocator instead.
  Result<RunResult> (*run)(const Problem&, const ParamValues&, RunContext&) = nullptr;
};

/// Every registered allocator, in the order of allocators.def.
std::span<const Allocator> allocators();
/// Null when there is none with this id.
const Allocator* find_allocator(std::string_view id);

/// A plan with the run that made it.
struct PlannedRun {
  Plan plan;
  RunResult result;
};

/// Runs one allocator: completes the parameters, refuses what it cannot honour, times it. Errors: usage (unknown
/// parameter), refused (constraint), cancelled (stopped before it had a plan).
Result<PlannedRun> run_allocator(const Allocator& allocator, const Problem& problem, const ParamValues& params,
                                 RunContext& context);

}  // namespace stowage
