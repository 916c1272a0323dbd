#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/model/box.h"
#include "core/model/objects.h"
#include "core/steps/step.h"

namespace stowage {

/// What a run is given besides the problem: ways to stop it, to watch it and to make it repeatable.
struct RunContext {
  std::stop_token stop;
  std::function<void(double)> progress;  // in [0, 1], never falling; may be empty
  StepLog* steps = nullptr;              // null: silent
  std::uint64_t seed = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline;

  bool records() const { return steps != nullptr; }
  void say(Step step) const {
    if (steps != nullptr) steps->add(std::move(step));
  }
  /// True when asked to stop or out of time. Reads the clock: call it once in some hundred units of work.
  bool should_stop() const;
  void report(double share) const {
    if (progress) progress(share);
  }
};

enum class RunStatus { kComplete, kProvedOptimal, kProvedInfeasible, kStopped };

/// "complete", "proved-optimal", "proved-infeasible", "stopped".
std::string_view name_of(RunStatus status);

/// What a run returns. `seconds` is the allocator's wall time alone, filled in by run_allocator.
struct RunResult {
  std::vector<std::int64_t> offsets;  // in buffer order; kNoOffset where it had to stop
  RunStatus status = RunStatus::kComplete;
  std::optional<std::int64_t> lower_bound;  // a makespan that it proved to be necessary
  std::vector<std::uint16_t> spaces;        // by buffer, where the problem gives a choice; else empty
  std::optional<Objects> objects;           // of a planner of shared objects; the offsets follow from them
  std::map<BufferIndex, std::vector<std::int64_t>> slices;  // as in Plan
  std::vector<Box> boxes;                                   // of a planner that boxes buffers
  std::vector<BoxingReport> boxing;                         // how they came to be, for each space that has some
  std::vector<BufferIndex> infeasible_set;                  // with kProvedInfeasible: buffers that cannot fit together
  std::int64_t iterations = 1;
  double seconds = 0;
};

}  // namespace stowage
