#include "core/model/space_metrics.h"

namespace stowage {

std::vector<ProblemMetrics> measure_spaces(const Problem& problem) {
  std::vector<ProblemMetrics> spaces;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    spaces.push_back(measure(problem, static_cast<std::uint16_t>(space)));
  }
  return spaces;
}

std::vector<PlanMetrics> measure_spaces(const Problem& problem, const std::vector<ProblemMetrics>& facts,
                                        const Plan& plan) {
  std::vector<PlanMetrics> spaces;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    spaces.push_back(measure(problem, facts[space], plan, static_cast<std::uint16_t>(space)));
  }
  return spaces;
}

}  // namespace stowage
