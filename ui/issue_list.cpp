#include "ui/issue_list.h"

#include <map>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

std::vector<IssueGroup> group_issues(const CheckReport& report, const Problem& problem, const std::string& filter) {
  std::map<IssueKind, IssueGroup> groups;
  const std::string wanted = to_lower(filter);
  for (std::size_t k = 0; k < report.issues.size(); ++k) {
    const Issue& issue = report.issues[k];
    if (!wanted.empty() && to_lower(describe(issue, problem)).find(wanted) == std::string::npos) continue;
    IssueGroup& group = groups[issue.kind];
    group.kind = issue.kind;
    group.issues.push_back(k);
  }
  std::vector<IssueGroup> list;
  for (auto& [kind, group] : groups) list.push_back(std::move(group));
  return list;
}

std::string_view title_of(IssueKind kind) {
  switch (kind) {
    case IssueKind::kCollision:
      return "Collisions";
    case IssueKind::kMisaligned:
      return "Misaligned";
    case IssueKind::kOverCapacity:
      return "Above the capacity";
    case IssueKind::kMoved:
      return "Moved from their place";
    case IssueKind::kNegativeOffset:
      return "Below address 0";
    case IssueKind::kOverflow:
      return "Beyond 63 bits";
    case IssueKind::kMissingOffset:
      return "Not placed";
    case IssueKind::kWrongMakespan:
      return "Wrong makespan";
  }
  return "";
}

std::string counts_of(const CheckReport& report) {
  std::map<IssueKind, std::int64_t> counts;
  for (const Issue& issue : report.issues) ++counts[issue.kind];
  std::string words;
  for (const auto& [kind, count] : counts) {
    std::string name(name_of(kind));
    if (kind == IssueKind::kCollision && count != 1) name += "s";
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", format_count(count), name);
  }
  return words;
}

}  // namespace stowage
