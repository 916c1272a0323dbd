#include "ui/judging_moved.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ui/neighbours.h"

namespace stowage {
namespace {

/// Ascending, once each.
using Buffers = std::vector<BufferIndex>;

Buffers sorted_once(Buffers buffers) {
  std::sort(buffers.begin(), buffers.end());
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  return buffers;
}

/// Of an issue that is named by rows of a part of the problem.
Issue renamed(Issue issue, const Buffers& part) {
  if (issue.first != kNoBuffer) issue.first = part[issue.first];
  if (issue.second != kNoBuffer) issue.second = part[issue.second];
  return issue;
}

bool concerns(const Issue& issue, const Buffers& moved) {
  return std::binary_search(moved.begin(), moved.end(), issue.first) ||
         std::binary_search(moved.begin(), moved.end(), issue.second);
}

/// The issues that concern moved buffers, found in a problem of nobody but them and whom they may collide with; nothing
/// when they are too many for a list.
std::optional<std::vector<Issue>> issues_about(const Problem& problem, const Analysis& analysis, const Plan& plan,
                                               const Buffers& moved) {
  Buffers part = moved;
  for (const BufferIndex i : moved) {
    if (plan.offsets[i] == kNoOffset) continue;
    const Buffers there = lying_there(problem, analysis, plan.offsets, i, plan.offsets[i]);
    part.insert(part.end(), there.begin(), there.end());
  }
  part = sorted_once(std::move(part));
  const ProblemInput& whole = problem.input();
  ProblemInput input;
  input.capacity = whole.capacity;
  input.spaces = whole.spaces;
  input.kinds = whole.kinds;
  Plan part_of_plan;
  for (const BufferIndex i : part) {
    if (const Details* details = problem.details(i)) {
      input.add(problem.id(i), problem[i], *details);
    } else {
      input.add(problem.id(i), problem[i]);
    }
    if (const auto slices = plan.slices.find(i); slices != plan.slices.end()) {
      part_of_plan.slices.emplace(static_cast<BufferIndex>(part_of_plan.offsets.size()), slices->second);
    }
    part_of_plan.offsets.push_back(plan.offsets[i]);
  }
  const auto among = make_problem(std::move(input));
  if (!among) return std::nullopt;
  const CheckReport report = check_plan(*among, part_of_plan);
  if (report.count > report.issues.size()) return std::nullopt;
  std::vector<Issue> issues;
  for (const Issue& issue : report.issues) {
    Issue one = renamed(issue, part);
    if (concerns(one, moved)) issues.push_back(one);
  }
  return issues;
}

/// The order of check_plan(): those of one buffer by buffer, then collisions by space in time order.
bool comes_before(const Problem& problem, const Issue& a, const Issue& b) {
  const bool collides = a.kind == IssueKind::kCollision;
  if (collides != (b.kind == IssueKind::kCollision)) return !collides;
  if (!collides) return a.first < b.first;
  const auto space = [&](const Issue& issue) {
    return problem[issue.first].space;
  };
  return space(a) != space(b) ? space(a) < space(b) : a.time_low < b.time_low;
}

/// Nothing where the whole plan has to be checked.
std::optional<CheckReport> recheck(const Problem& problem, const Analysis& analysis, const Plan& before,
                                   const CheckReport& known, const Plan& plan, const Buffers& moved) {
  const Needs& needs = problem.needs();
  if (!needs.only_lifetimes() || !needs.only_single_buffers() || needs.candidates) return std::nullopt;
  if (plan.claimed_makespan || plan.offsets.size() != problem.size() || before.offsets.size() != problem.size())
    return std::nullopt;
  const auto gone = issues_about(problem, analysis, before, moved);
  const auto come = issues_about(problem, analysis, plan, moved);
  if (!gone || !come) return std::nullopt;
  CheckReport report = known;
  report.count += come->size();
  report.count -= gone->size();
  std::erase_if(report.issues, [&](const Issue& issue) { return concerns(issue, moved); });
  // What the plan before claimed nobody claims now.
  report.count -=
      std::erase_if(report.issues, [](const Issue& issue) { return issue.kind == IssueKind::kWrongMakespan; });
  report.issues.insert(report.issues.end(), come->begin(), come->end());
  std::stable_sort(report.issues.begin(), report.issues.end(),
                   [&](const Issue& a, const Issue& b) { return comes_before(problem, a, b); });
  if (report.issues.size() > CheckReport::kListed) report.issues.resize(CheckReport::kListed);
  return report;
}

}  // namespace

PlanFacts judge_moved(const Problem& problem, const Analysis& analysis, const Plan& before, const PlanFacts& known,
                      const Plan& plan, std::span<const BufferIndex> moved) {
  auto report =
      recheck(problem, analysis, before, known.report, plan, sorted_once(Buffers(moved.begin(), moved.end())));
  if (!report) return judge(problem, analysis, plan);
  PlanFacts facts = measure_plan(problem, analysis, plan);
  facts.report = std::move(*report);
  return facts;
}

}  // namespace stowage
