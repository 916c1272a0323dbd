#pragma once

#include <string>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/document/document.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

namespace stowage {

/// One line of `plan` and `compare`.
struct PlanReport {
  std::string file;
  std::string allocator;
  std::int64_t buffers = 0;
  std::int64_t load = 0;
  std::int64_t lower_bound = 0;
  std::int64_t makespan = 0;
  double overhead = 0;
  bool optimal = false;
  bool valid = false;
  std::uint64_t issues = 0;
  std::int64_t padding = 0;
  std::int64_t fits = 0;
  std::string status;   // name_of(RunStatus), or "refused"
  std::string message;  // why it was refused or stopped; empty otherwise
  double seconds = 0;
  std::int64_t iterations = 0;        // as the allocator counts them; 0 without a run
  std::optional<GraphRecipe> recipe;  // of a graph: how it became the problem

  /// 0 without a run.
  double seconds_per_iteration() const { return iterations > 0 ? seconds / static_cast<double>(iterations) : 0; }
};
/// Keys: file allocator buffers load lower_bound makespan overhead optimal valid issues padding fits status message
/// seconds iterations seconds_per_iteration; of a graph also schedule and pipeline, as in native files.
std::string plan_report_json(const PlanReport& report);
std::string plan_reports_json(const std::vector<PlanReport>& reports);
/// {"valid":..,"issues":[{"kind","buffers","time","bytes","message"}],"count":N,"makespan":..,"load":..}
std::string check_report_json(const CheckReport& report, const Problem& problem, const std::vector<std::string>& gates,
                              std::int64_t makespan, bool has_plan);
/// buffers load load_time naive horizon capacity format times offsets spaces warnings (and capacity_hint, plans with
/// what the checker says of each, left_out)
std::string info_json(const Document& document, const ProblemMetrics& facts);
std::string allocators_json();
std::string formats_json();

}  // namespace stowage
