#include "ui/problem_issues.h"

#include <utility>

#include "core/base/text.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {

using State = Workbench::State;

const ProblemReport& problem_issues(State& state) {
  ProblemIssues& issues = state.part<ProblemIssues>();
  if (issues.problem_revision == state.problem_revision) return issues.report;
  issues.report = ProblemReport{};
  if (issues.work.running()) return issues.report;
  if (state.problem().size() <= Editing::kAtOnce) {
    issues.report = check_problem(state.problem(), state.analysis.spaces);
    issues.problem_revision = state.problem_revision;
    return issues.report;
  }
  issues.work_revision = state.problem_revision;
  issues.work.start([problem = state.document.problem, spaces = state.analysis.spaces](const std::stop_token&) {
    return check_problem(*problem, spaces);
  });
  return issues.report;
}

std::string_view title_of(ProblemIssueKind kind) {
  switch (kind) {
    case ProblemIssueKind::kLoadOverCapacity:
      return "Load above the capacity";
    case ProblemIssueKind::kLargerThanCapacity:
      return "Larger than the capacity";
    case ProblemIssueKind::kPin:
      return "Pinned where it cannot be";
    case ProblemIssueKind::kEmptyLifetime:
      return "Empty lifetimes";
    case ProblemIssueKind::kZeroSize:
      return "Zero sizes";
    case ProblemIssueKind::kDuplicateName:
      return "Names that come twice";
  }
  return "";
}

std::vector<std::size_t> passing(const ProblemReport& report, const Problem& problem, const std::string& filter) {
  std::vector<std::size_t> list;
  const std::string wanted = to_lower(filter);
  for (std::size_t k = 0; k < report.issues.size(); ++k) {
    const bool passes =
        wanted.empty() || to_lower(describe(report.issues[k], problem)).find(wanted) != std::string::npos;
    if (passes) list.push_back(k);
  }
  return list;
}

void poll_problem_issues(State& state) {
  ProblemIssues& issues = state.part<ProblemIssues>();
  auto report = issues.work.poll();
  if (!report) return;
  state.settle_frames = 3;
  if (issues.work_revision != state.problem_revision) return;
  issues.report = std::move(*report);
  issues.problem_revision = issues.work_revision;
}

bool busy_problem_issues(const State& state) {
  return state.part<ProblemIssues>().work.running();
}

}  // namespace stowage
