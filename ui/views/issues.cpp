#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/explaining.h"
#include "ui/icons.h"
#include "ui/issue_steps.h"
#include "ui/list_row.h"
#include "ui/problem_issues.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kHeader = 28;
constexpr float kIssue = 40;

std::string names_of(const State& state, const Issue& issue) {
  if (issue.first == kNoBuffer) return "the whole plan";
  std::string names = printable_utf8(state.problem().id(issue.first));
  if (issue.second != kNoBuffer) names += "  \u00D7  " + printable_utf8(state.problem().id(issue.second));
  return names;
}

std::string ranges_of(const State& state, const Issue& issue) {
  std::string words;
  if (issue.time_high > issue.time_low) {
    words = fmt::format("{} {}\u2013{}", printable_utf8(state.problem().time_unit()), issue.time_low, issue.time_high);
  }
  if (issue.byte_high > issue.byte_low) {
    words += fmt::format("{}bytes {} \u2013 {}", words.empty() ? "" : "   ", state.address(issue.byte_low),
                         state.address(issue.byte_high));
  }
  return words;
}

void draw_issue(State& state, const Issue& issue, std::size_t number) {
  Ui& ui = state.ui;
  const IssuePlace place{false, number};
  const ListRow row = list_row(ui, fmt::format("issues.{}", number), static_cast<int>(number), kIssue,
                               state.part<IssueList>().current == place);
  const float pad = ui.px(10);
  const float room = row.size.x - 2 * pad;
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.at.y + ui.px(4)), ui.theme->text,
            fitted(ui.fonts.text, names_of(state, issue), room));
  draw_text(ui, ui.fonts.small, ImVec2(row.at.x + pad, row.at.y + ui.px(22)), ui.theme->dim,
            fitted(ui.fonts.small, ranges_of(state, issue), room));
  if (row.hovered) tooltip(ui, printable_utf8(describe(issue, state.problem())));
  if (row.clicked) state.later([place](State& s) { go_to_issue(s, place); });
}

/// A heading with its count; true when it was clicked.
bool draw_header(State& state, const std::string& name, int id, std::string_view title, Color color, std::size_t count,
                 bool folded) {
  Ui& ui = state.ui;
  const ListRow row = list_row(ui, name, id, kHeader);
  const float y = row.text_y(ui.fonts.semibold);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + ui.px(4), row.text_y(ui.fonts.text)), ui.theme->dim,
            folded ? icon::kSortUp : icon::kSortDown);
  const std::string number = format_count(static_cast<std::int64_t>(count));
  const float room = row.size.x - ui.px(40) - text_width(ui.fonts.mono, number);
  draw_text(ui, ui.fonts.semibold, ImVec2(row.at.x + ui.px(20), y), color, fitted(ui.fonts.semibold, title, room));
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - ui.px(10), row.text_y(ui.fonts.mono)), ui.theme->dim, number);
  return row.clicked;
}

template <typename Kind>
void fold_over(std::set<Kind>& folds, Kind kind) {
  if (folds.erase(kind) == 0) folds.insert(kind);
}

/// Who, and in the second line what.
void draw_problem_issue(State& state, const ProblemIssue& issue, std::size_t number) {
  Ui& ui = state.ui;
  const Problem& problem = state.problem();
  const IssuePlace place{true, number};
  const ListRow row = list_row(ui, fmt::format("issues.problem.{}", number), static_cast<int>(number), kIssue,
                               state.part<IssueList>().current == place);
  const float pad = ui.px(10);
  const float room = row.size.x - 2 * pad;
  std::string who = issue.buffer != kNoBuffer ? printable_utf8(problem.id(issue.buffer))
                                              : "space " + printable_utf8(problem.spaces()[issue.space].id);
  std::string what;
  switch (issue.kind) {
    case ProblemIssueKind::kLoadOverCapacity:
      what = fmt::format("load {}, capacity {}", state.bytes(issue.bytes), state.bytes(issue.capacity));
      break;
    case ProblemIssueKind::kLargerThanCapacity:
      what = fmt::format("size {}, capacity {}", state.bytes(issue.bytes), state.bytes(issue.capacity));
      break;
    case ProblemIssueKind::kPin:
      who = names_of(state, issue.pin);
      what = fmt::format("{}   {}", title_of(issue.pin.kind), ranges_of(state, issue.pin));
      break;
    case ProblemIssueKind::kEmptyLifetime:
      what =
          fmt::format("{} {}, and takes no memory", printable_utf8(problem.time_unit()), problem[issue.buffer].start);
      break;
    case ProblemIssueKind::kZeroSize:
      what = "takes no memory";
      break;
    case ProblemIssueKind::kDuplicateName:
      what = fmt::format("row {}; an earlier one has this name too", issue.buffer);
      break;
  }
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.at.y + ui.px(4)), ui.theme->text,
            fitted(ui.fonts.text, who, room));
  draw_text(ui, ui.fonts.small, ImVec2(row.at.x + pad, row.at.y + ui.px(22)), ui.theme->dim,
            fitted(ui.fonts.small, what, room));
  if (row.hovered) tooltip(ui, printable_utf8(describe(issue, problem)));
  if (row.clicked) state.later([place](State& s) { go_to_issue(s, place); });
}

/// Behind the last of the rows from this one on that are of its kind.
std::size_t end_of_kind(const ProblemReport& report, std::span<const std::size_t> rows, std::size_t from) {
  std::size_t to = from;
  while (to < rows.size() && report.issues[rows[to]].kind == report.issues[rows[from]].kind) ++to;
  return to;
}

void draw_problem_groups(State& state, const ProblemReport& report) {
  const auto& list = state.part<IssueList>();
  const std::vector<std::size_t>& rows = list.of_problem;
  for (std::size_t from = 0; from < rows.size();) {
    const ProblemIssueKind kind = report.issues[rows[from]].kind;
    const std::size_t to = end_of_kind(report, rows, from);
    const bool folded = list.folded_problem.contains(kind);
    const Color color = breaks_every_plan(kind) ? state.ui.theme->bad : state.ui.theme->warn;
    if (draw_header(state, fmt::format("issues.kind.{}", name_of(kind)), static_cast<int>(kind), title_of(kind), color,
                    to - from, folded)) {
      state.later([kind](State& s) { fold_over(s.part<IssueList>().folded_problem, kind); });
    }
    if (!folded) {
      ImGuiListClipper clipper;
      clipper.Begin(static_cast<int>(to - from), state.ui.px(kIssue));
      while (clipper.Step()) {
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
          const std::size_t number = rows[from + static_cast<std::size_t>(k)];
          draw_problem_issue(state, report.issues[number], number);
        }
      }
    }
    from = to;
  }
}

/// The rows of a group above the current issue: a header, and of an open group its issues.
struct RowsAbove {
  float height = 0;
  bool found = false;

  void pass(const IssueList& list, bool of_problem, std::span<const std::size_t> issues, bool folded) {
    if (found) return;
    height += kHeader;
    const bool here = list.current->of_problem == of_problem;
    const auto at = here ? std::find(issues.begin(), issues.end(), list.current->number) : issues.end();
    found = at != issues.end();
    if (!folded) height += kIssue * static_cast<float>(at - issues.begin());
  }
};

/// Scrolls to the issue that somebody has gone to by a key; what is in sight stays where it is.
void reveal_current(State& state, const ProblemReport& problem) {
  auto& list = state.part<IssueList>();
  if (!std::exchange(list.reveal, false) || !list.current) return;
  RowsAbove above;
  for (const IssueGroup& group : list.groups) above.pass(list, false, group.issues, list.folded.contains(group.kind));
  const std::span<const std::size_t> rows = list.of_problem;
  for (std::size_t from = 0; from < rows.size();) {
    const std::size_t to = end_of_kind(problem, rows, from);
    above.pass(list, true, rows.subspan(from, to - from),
               list.folded_problem.contains(problem.issues[rows[from]].kind));
    from = to;
  }
  if (!above.found) return;
  const float top = state.ui.px(above.height);
  const float most = top + state.ui.px(kIssue) - ImGui::GetWindowHeight();
  if (ImGui::GetScrollY() > top - state.ui.px(kHeader)) ImGui::SetScrollY(std::max(0.0F, top - state.ui.px(kHeader)));
  if (ImGui::GetScrollY() < most) ImGui::SetScrollY(most);
}

void draw_list(State& state, const CheckReport& report, const ProblemReport& problem) {
  const auto& list = state.part<IssueList>();
  Ui& ui = state.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("issues.list", ImGui::GetContentRegionAvail());
  for (const IssueGroup& group : list.groups) {
    const bool folded = list.folded.contains(group.kind);
    if (draw_header(state, fmt::format("issues.kind.{}", name_of(group.kind)), static_cast<int>(group.kind),
                    title_of(group.kind), ui.theme->bad, group.issues.size(), folded)) {
      state.later([kind = group.kind](State& s) { fold_over(s.part<IssueList>().folded, kind); });
    }
    if (folded) continue;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(group.issues.size()), ui.px(kIssue));
    while (clipper.Step()) {
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
        const std::size_t number = group.issues[static_cast<std::size_t>(k)];
        draw_issue(state, report.issues[number], number);
      }
    }
  }
  draw_problem_groups(state, problem);
  reveal_current(state, problem);
  if (list.passing == 0) text(ui.fonts.small, ui.theme->dim, "No issue has these words.");
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::string as_text(State& state) {
  const CheckReport& report = shown_report(state);
  const ProblemReport& problem = problem_issues(state);
  const IssueList& list = state.part<IssueList>();
  std::string words;
  for (const IssueGroup& group : list.groups) {
    for (const std::size_t number : group.issues) words += describe(report.issues[number], state.problem()) + "\n";
  }
  for (const std::size_t number : list.of_problem) words += describe(problem.issues[number], state.problem()) + "\n";
  return words;
}

/// The filter and the button that copies.
void draw_tools(State& state) {
  Ui& ui = state.ui;
  auto& list = state.part<IssueList>();
  const float copy = button_width(ui, icon::kCopy, "");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - copy - ui.px(8));
  ImGui::InputTextWithHint("##filter", "Filter by name or kind", &list.filter);
  record(ui, "issues.filter");
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "issues.copy", icon::kCopy, "", ButtonLook::kRaised, "Copy these issues as text")) {
    const std::string words = as_text(state);
    const std::size_t count = list.passing;
    state.later([words, count](State& s) {
      s.host.set_clipboard(words);
      s.tell(fmt::format("Copied {} issues", format_count(static_cast<std::int64_t>(count))));
    });
  }
}

/// The plan needs more than there is: offers the reason, or says it.
void draw_capacity(State& state, const PlanFacts& facts) {
  const auto capacity = state.problem().capacity(state.space);
  const std::int64_t makespan = state.space_metrics(facts).makespan;
  if (!capacity || makespan <= *capacity) return;
  Ui& ui = state.ui;
  const auto& explaining = state.part<Explaining>();
  paragraph(ui, ui.theme->text,
            fmt::format("The plan needs {}, {} more than the capacity of {}.", state.bytes(makespan),
                        state.bytes(makespan - *capacity), state.bytes(*capacity)));
  record(ui, "issues.capacity");
  if (explaining.work.running()) {
    text(ui.fonts.small, ui.theme->dim, "Looking for the buffers that cannot fit together\u2026");
    if (button(ui, "issues.explain.cancel", icon::kStop, "Cancel", ButtonLook::kRaised)) {
      state.later([](State& s) { end_explaining(s); });
    }
  } else if (explaining.result) {
    for (const std::string& words : words_of(state, *explaining.result)) paragraph(ui, ui.theme->dim, words);
    record(ui, "issues.explained");
    if (button(ui, "issues.explain.end", icon::kEye, "Show all buffers again", ButtonLook::kRaised)) {
      state.later([](State& s) { end_explaining(s); });
    }
  } else {
    if (!explaining.refused.empty()) paragraph(ui, ui.theme->warn, explaining.refused);
    if (button(ui, "issues.explain", icon::kSearch, "Explain", ButtonLook::kAccent,
               "Find the fewest buffers that cannot fit together")) {
      state.later([room = *capacity](State& s) { start_explaining(s, room); });
    }
  }
  separator(ui);
}

/// "3 in this plan, 2 in the problem"
std::string issue_counts(const CheckReport& plan, const ProblemReport& problem) {
  std::string words;
  if (plan.count > 0) words = format_count(static_cast<std::int64_t>(plan.count)) + " in this plan";
  if (problem.count == 0) return words;
  return fmt::format("{}{}{} in the problem", words, words.empty() ? "" : ", ",
                     format_count(static_cast<std::int64_t>(problem.count)));
}

void draw_nothing(State& state) {
  Ui& ui = state.ui;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 high(low.x + room.x, low.y + room.y);
  if (state.shown_facts() != nullptr) {
    empty_message(ui, low, high, icon::kCheck, "No rule is broken",
                  "No two buffers collide; all are placed, aligned and where they must be.");
    record(ui, "issues.none", low, high);
    return;
  }
  empty_message(ui, low, high, icon::kCheck, "There is no plan to check",
                state.has_problem() ? "Run the allocators, then their plans are checked."
                                    : "Open a file; its plans are checked.");
  const CommandId id = state.has_problem() ? CommandId::run_all : CommandId::open;
  const char* label = state.has_problem() ? "Run allocators" : "Open a file";
  ImGui::SetCursorScreenPos(
      ImVec2((low.x + high.x - button_width(ui, nullptr, label)) / 2, (low.y + high.y) / 2 + ui.px(46)));
  if (button(ui, "issues.start", nullptr, label, ButtonLook::kAccent)) state.push(action::Invoke{id});
}

}  // namespace

void draw_issues(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "issues", at, size);
  const PlanFacts* facts = state.shown_facts();
  const CheckReport& report = shown_report(state);
  const ProblemReport& problem = problem_issues(state);
  card_title(ui, "Issues", issue_counts(report, problem));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  if (report.valid() && problem.count == 0) {
    draw_nothing(state);
  } else {
    fresh_issues(state);
    if (facts != nullptr && !report.valid()) draw_capacity(state, *facts);
    if (report.valid()) {
      paragraph(ui, ui.theme->dim,
                facts != nullptr ? "No rule is broken by the plan. Of the problem:"
                                 : "There is no plan to check yet. Of the problem:");
      record(ui, facts != nullptr ? "issues.none" : "issues.no_plan");
    }
    draw_tools(state);
    if (report.issues.size() < report.count) {
      text(ui.fonts.small, ui.theme->dim,
           fmt::format("The first {} are listed.", format_count(static_cast<std::int64_t>(report.issues.size()))));
    }
    ImGui::Dummy(ImVec2(0, ui.px(2)));
    draw_list(state, report, problem);
  }
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
