#pragma once

#include "ui/issue_list.h"
#include "ui/workbench.h"

namespace stowage {

/// What the checker says of the shown plan; nothing is broken where there is none.
const CheckReport& shown_report(const Workbench::State& state);
/// The list of the panel, brought up to date with the shown plan, the problem and the filter.
IssueList& fresh_issues(Workbench::State& state);

/// Selects who is involved, zooms there and lets the place flash; from then on it is the current one.
void go_to_issue(Workbench::State& state, const IssuePlace& place);
/// To the next issue of the list or the one before, around its ends; from none to the first or the last.
void step_issue(Workbench::State& state, int step);

}  // namespace stowage
