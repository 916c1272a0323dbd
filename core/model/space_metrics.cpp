#include "core/model/space_metrics.h"

#include <utility>

namespace stowage {
namespace {

/// The buffers of one space as a problem; `rows` gets where they were. Any part of a sound problem is sound.
Problem only_space(const Problem& problem, std::uint16_t space, std::vector<BufferIndex>& rows) {
  const ProblemInput& whole = problem.input();
  ProblemInput part;
  part.capacity = whole.capacity;
  part.spaces = whole.spaces;
  part.kinds = whole.kinds;
  part.details = whole.details;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space) continue;
    part.add(problem.id(i), problem[i]);
    rows.push_back(i);
  }
  return make_problem(std::move(part)).value();
}

}  // namespace

std::vector<ProblemMetrics> measure_spaces(const Problem& problem) {
  const ProblemMetrics whole = measure(problem);
  if (problem.spaces().size() == 1) return {whole};
  std::vector<ProblemMetrics> spaces;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    std::vector<BufferIndex> rows;
    spaces.push_back(measure(only_space(problem, static_cast<std::uint16_t>(space), rows)));
    spaces.back().horizon_low = whole.horizon_low;
    spaces.back().horizon_high = whole.horizon_high;
  }
  return spaces;
}

std::vector<PlanMetrics> measure_spaces(const Problem& problem, const std::vector<ProblemMetrics>& facts,
                                        const Plan& plan) {
  if (problem.spaces().size() == 1) return {measure(problem, facts.front(), plan)};
  std::vector<PlanMetrics> spaces;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    std::vector<BufferIndex> rows;
    const Problem part = only_space(problem, static_cast<std::uint16_t>(space), rows);
    Plan part_plan;
    for (const BufferIndex i : rows) part_plan.offsets.push_back(i < plan.offsets.size() ? plan.offsets[i] : kNoOffset);
    spaces.push_back(measure(part, facts[space], part_plan));
  }
  return spaces;
}

}  // namespace stowage
