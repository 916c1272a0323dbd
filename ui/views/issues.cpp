#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/chart/flash.h"
#include "ui/explaining.h"
#include "ui/icons.h"
#include "ui/issue_list.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kHeader = 28;
constexpr float kIssue = 40;

void refresh(State& state, const CheckReport& report) {
  auto& list = state.part<IssueList>();
  if (list.made_for == list.filter && list.problem_revision == state.problem_revision &&
      list.plan_revision == state.plan_revision) {
    return;
  }
  list.made_for = list.filter;
  list.problem_revision = state.problem_revision;
  list.plan_revision = state.plan_revision;
  list.groups = group_issues(report, state.problem(), list.filter);
  list.passing = 0;
  for (const IssueGroup& group : list.groups) list.passing += group.issues.size();
}

std::vector<BufferIndex> involved(const Issue& issue) {
  std::vector<BufferIndex> buffers;
  if (issue.first != kNoBuffer) buffers.push_back(issue.first);
  if (issue.second != kNoBuffer) buffers.push_back(issue.second);
  return buffers;
}

/// Zooms to it, selects both buffers, and flashes where it is.
void go_to(State& state, const Issue& issue) {
  state.push(action::Select{involved(issue), SelectMode::kReplace});
  const bool ranged = issue.time_high > issue.time_low && issue.byte_high > issue.byte_low;
  if (ranged) {
    state.push(action::FrameRange{issue.time_low, issue.time_high, issue.byte_low, issue.byte_high});
    state.later(
        [issue](State& s) { start_flash(s, issue.time_low, issue.time_high, issue.byte_low, issue.byte_high); });
    return;
  }
  state.push(action::FrameBuffers{involved(issue)});
  state.later([buffers = involved(issue)](State& s) {
    if (const auto hull = hull_of(s.problem(), s.offsets(), buffers)) {
      start_flash(s, hull->start, hull->end, hull->low, hull->high);
    }
  });
}

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
  const ListRow row = list_row(ui, fmt::format("issues.{}", number), static_cast<int>(number), kIssue);
  const float pad = ui.px(10);
  const float room = row.size.x - 2 * pad;
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.at.y + ui.px(4)), ui.theme->text,
            fitted(ui.fonts.text, names_of(state, issue), room));
  draw_text(ui, ui.fonts.small, ImVec2(row.at.x + pad, row.at.y + ui.px(22)), ui.theme->dim,
            fitted(ui.fonts.small, ranges_of(state, issue), room));
  if (row.hovered) tooltip(ui, printable_utf8(describe(issue, state.problem())));
  if (row.clicked) go_to(state, issue);
}

void draw_header(State& state, const IssueGroup& group) {
  Ui& ui = state.ui;
  const bool folded = state.part<IssueList>().folded.contains(group.kind);
  const ListRow row =
      list_row(ui, fmt::format("issues.kind.{}", name_of(group.kind)), static_cast<int>(group.kind), kHeader);
  const float y = row.text_y(ui.fonts.semibold);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + ui.px(4), row.text_y(ui.fonts.text)), ui.theme->dim,
            folded ? icon::kSortUp : icon::kSortDown);
  draw_text(ui, ui.fonts.semibold, ImVec2(row.at.x + ui.px(20), y), ui.theme->bad, title_of(group.kind));
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - ui.px(10), row.text_y(ui.fonts.mono)), ui.theme->dim,
                  format_count(static_cast<std::int64_t>(group.issues.size())));
  if (!row.clicked) return;
  state.later([kind = group.kind](State& s) {
    auto& folds = s.part<IssueList>().folded;
    if (folds.erase(kind) == 0) folds.insert(kind);
  });
}

void draw_list(State& state, const CheckReport& report) {
  const auto& list = state.part<IssueList>();
  Ui& ui = state.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("issues.list", ImGui::GetContentRegionAvail());
  for (const IssueGroup& group : list.groups) {
    draw_header(state, group);
    if (list.folded.contains(group.kind)) continue;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(group.issues.size()), ui.px(kIssue));
    while (clipper.Step()) {
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
        const std::size_t number = group.issues[static_cast<std::size_t>(k)];
        draw_issue(state, report.issues[number], number);
      }
    }
  }
  if (list.groups.empty()) text(ui.fonts.small, ui.theme->dim, "No issue has these words.");
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::string as_text(const State& state, const CheckReport& report) {
  std::string words;
  for (const IssueGroup& group : state.part<IssueList>().groups) {
    for (const std::size_t number : group.issues) words += describe(report.issues[number], state.problem()) + "\n";
  }
  return words;
}

/// The filter and the button that copies.
void draw_tools(State& state, const CheckReport& report) {
  Ui& ui = state.ui;
  auto& list = state.part<IssueList>();
  const float copy = button_width(ui, icon::kCopy, "");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - copy - ui.px(8));
  ImGui::InputTextWithHint("##filter", "Filter by name or kind", &list.filter);
  record(ui, "issues.filter");
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "issues.copy", icon::kCopy, "", ButtonLook::kRaised, "Copy these issues as text")) {
    const std::string words = as_text(state, report);
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
  const bool wrong = facts != nullptr && !facts->report.valid();
  const auto count = wrong ? static_cast<std::int64_t>(facts->report.count) : 0;
  card_title(ui, "Issues", wrong ? format_count(count) + " in this plan" : std::string());
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  if (!wrong) {
    draw_nothing(state);
  } else {
    const CheckReport& report = facts->report;
    refresh(state, report);
    draw_capacity(state, *facts);
    draw_tools(state, report);
    if (report.issues.size() < report.count) {
      text(ui.fonts.small, ui.theme->dim,
           fmt::format("The first {} are listed.", format_count(static_cast<std::int64_t>(report.issues.size()))));
    }
    ImGui::Dummy(ImVec2(0, ui.px(2)));
    draw_list(state, report);
  }
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
