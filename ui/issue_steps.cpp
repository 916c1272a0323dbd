#include "ui/issue_steps.h"

#include <algorithm>

#include "ui/chart/flash.h"
#include "ui/problem_issues.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::vector<BufferIndex> involved(const Issue& issue) {
  std::vector<BufferIndex> buffers;
  if (issue.first != kNoBuffer) buffers.push_back(issue.first);
  if (issue.second != kNoBuffer) buffers.push_back(issue.second);
  return buffers;
}

void visit_issue(State& state, const Issue& issue) {
  const std::vector<BufferIndex> buffers = involved(issue);
  apply(state, action::Select{buffers, SelectMode::kReplace});
  if (issue.time_high > issue.time_low && issue.byte_high > issue.byte_low) {
    apply(state, action::FrameRange{issue.time_low, issue.time_high, issue.byte_low, issue.byte_high});
    return start_flash(state, issue.time_low, issue.time_high, issue.byte_low, issue.byte_high);
  }
  apply(state, action::FrameBuffers{buffers});
  if (const auto hull = hull_of(state.problem(), state.offsets(), buffers)) {
    start_flash(state, hull->start, hull->end, hull->low, hull->high);
  }
}

/// Zooms to what it speaks of, as far as a plan is drawn.
void visit_issue(State& state, const ProblemIssue& issue) {
  if (issue.kind == ProblemIssueKind::kPin) {
    apply(state, action::Select{involved(issue.pin), SelectMode::kReplace});
  } else if (issue.buffer != kNoBuffer) {
    apply(state, action::Select{{issue.buffer}, SelectMode::kReplace});
  }
  if (state.plan() == nullptr) return;
  if (issue.kind == ProblemIssueKind::kLoadOverCapacity) {
    apply(state, action::SetSpace{issue.space});
    apply(state, action::FrameRange{issue.time_low, issue.time_high, 0, issue.bytes});
  } else if (issue.buffer != kNoBuffer) {
    apply(state, action::FrameBuffers{{issue.buffer}});
  }
}

}  // namespace

const CheckReport& shown_report(const State& state) {
  static const CheckReport none;
  const PlanFacts* facts = state.shown_facts();
  return facts != nullptr ? facts->report : none;
}

IssueList& fresh_issues(State& state) {
  auto& list = state.part<IssueList>();
  const ProblemReport& problem = problem_issues(state);
  const std::uint64_t of_problem = state.part<ProblemIssues>().problem_revision;
  if (list.made_for == list.filter && list.problem_revision == state.problem_revision &&
      list.plan_revision == state.plan_revision && list.report_revision == of_problem) {
    return list;
  }
  list.made_for = list.filter;
  list.problem_revision = state.problem_revision;
  list.plan_revision = state.plan_revision;
  list.report_revision = of_problem;
  list.groups = group_issues(shown_report(state), state.problem(), list.filter);
  list.of_problem = passing(problem, state.problem(), list.filter);
  list.passing = list.of_problem.size();
  for (const IssueGroup& group : list.groups) list.passing += group.issues.size();
  list.current.reset();
  return list;
}

void go_to_issue(State& state, const IssuePlace& place) {
  IssueList& list = fresh_issues(state);
  const CheckReport& report = shown_report(state);
  const ProblemReport& problem = problem_issues(state);
  const std::size_t count = place.of_problem ? problem.issues.size() : report.issues.size();
  if (place.number >= count) return;
  list.current = place;
  list.reveal = true;
  if (place.of_problem) {
    list.folded_problem.erase(problem.issues[place.number].kind);
    visit_issue(state, problem.issues[place.number]);
  } else {
    list.folded.erase(report.issues[place.number].kind);
    visit_issue(state, report.issues[place.number]);
  }
}

void step_issue(State& state, int step) {
  const IssueList& list = fresh_issues(state);
  std::vector<IssuePlace> places;
  for (const IssueGroup& group : list.groups) {
    for (const std::size_t number : group.issues) places.push_back({false, number});
  }
  for (const std::size_t number : list.of_problem) places.push_back({true, number});
  if (places.empty()) return;
  const auto at = list.current ? std::find(places.begin(), places.end(), *list.current) : places.end();
  const std::size_t count = places.size();
  const std::size_t now = at != places.end() ? static_cast<std::size_t>(at - places.begin()) : step > 0 ? count - 1 : 0;
  go_to_issue(state, places[(now + (step > 0 ? 1 : count - 1)) % count]);
}

}  // namespace stowage
