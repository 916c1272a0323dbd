#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

namespace stowage {

/// A finished run as the window wants it: checked and measured on the background thread as well.
struct PlanOutcome {
  std::string allocator;
  std::uint64_t ticket = 0;  // the request it answers
  Result<PlannedRun> run = fail(Error::Kind::kCancelled, "not run");
  PlanMetrics metrics;
  std::vector<PlanMetrics> spaces;  // each space by itself
  CheckReport report;
};

/// Runs allocators on background threads, at most `threads` at once; the rest waits in line. A new request for the same
/// allocator replaces the older one (latest wins). Never blocks the caller: a task told to stop drains by itself and
/// its outcome is dropped.
class PlanTasks {
 public:
  explicit PlanTasks(unsigned threads);
  ~PlanTasks();  // stops and joins
  PlanTasks(const PlanTasks&) = delete;
  PlanTasks& operator=(const PlanTasks&) = delete;

  /// Returns the ticket.
  std::uint64_t request(std::shared_ptr<const Problem> problem, const Allocator& allocator, ParamValues params,
                        std::uint64_t seed = 0);
  void cancel(std::string_view allocator);
  void cancel_all();
  /// Finished since the last call, in order of completion.
  std::vector<PlanOutcome> poll();

  struct Progress {
    std::string allocator;
    bool running = false;  // false: waiting in line
    double share = 0;
  };
  std::vector<Progress> progress() const;
  bool idle() const;

 private:
  struct Task;
  struct State;
  std::shared_ptr<State> state_;
  std::uint64_t last_ticket_ = 0;
  std::vector<std::jthread> workers_;
};

}  // namespace stowage
