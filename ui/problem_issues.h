#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/problem_check.h"
#include "core/tasks/background.h"
#include "ui/workbench.h"

namespace stowage {

/// What is odd about the open problem, whatever is planned.
struct ProblemIssues {
  ProblemReport report;
  std::uint64_t problem_revision = 0;  // that it speaks of
  std::uint64_t work_revision = 0;
  Background<ProblemReport> work;
};

/// Looked for again after each edit, of many buffers in the background; until then it is empty.
const ProblemReport& problem_issues(Workbench::State& state);

/// "Load above the capacity", "Empty lifetimes", ...
std::string_view title_of(ProblemIssueKind kind);
/// Positions in ProblemReport::issues of those that pass the filter; case does not matter.
std::vector<std::size_t> passing(const ProblemReport& report, const Problem& problem, const std::string& filter);

}  // namespace stowage
