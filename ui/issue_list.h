#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/check.h"
#include "core/model/problem_check.h"

namespace stowage {

/// The listed issues of a plan that pass a filter, grouped by kind in the order of IssueKind.
struct IssueGroup {
  IssueKind kind = IssueKind::kCollision;
  std::vector<std::size_t> issues;  // positions in CheckReport::issues
};

/// Case does not matter; empty lets everything pass.
std::vector<IssueGroup> group_issues(const CheckReport& report, const Problem& problem, const std::string& filter);

/// "Collisions", "Misaligned", ...
std::string_view title_of(IssueKind kind);
/// "3 collisions, 1 misaligned"; counts what is listed.
std::string counts_of(const CheckReport& report);

/// One issue: a position in CheckReport::issues, or in ProblemReport::issues.
struct IssuePlace {
  bool of_problem = false;
  std::size_t number = 0;
  bool operator==(const IssuePlace&) const = default;
};

/// What the issues panel keeps between frames.
struct IssueList {
  std::string filter;
  std::set<IssueKind> folded;

  std::set<ProblemIssueKind> folded_problem;

  std::vector<IssueGroup> groups;
  std::vector<std::size_t> of_problem;  // positions in ProblemReport::issues, in the order of kinds
  std::size_t passing = 0;              // of the plan and of the problem
  std::optional<IssuePlace> current;    // where one has gone last
  bool reveal = false;                  // it is to be scrolled into sight
  // What the groups were made for.
  std::string made_for;
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::uint64_t report_revision = 0;  // of the problem's report
};

}  // namespace stowage
