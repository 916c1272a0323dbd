#include "core/run/run.h"

namespace stowage {

bool RunContext::should_stop() const {
  if (stop.stop_requested()) return true;
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kComplete:
      return "complete";
    case RunStatus::kProvedOptimal:
      return "proved-optimal";
    case RunStatus::kProvedInfeasible:
      return "proved-infeasible";
    case RunStatus::kStopped:
      return "stopped";
  }
  return "";
}

}  // namespace stowage
