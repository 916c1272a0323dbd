#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>

#include "ui/board.h"
#include "ui/graph_view.h"
#include "ui/icons.h"
#include "ui/issue_list.h"
#include "ui/problem_issues.h"
#include "ui/reading.h"
#include "ui/unsaved.h"
#include "ui/views/view.h"
#include "ui/watching.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Writes words from the left and remembers how far it came.
struct Line {
  State& state;
  float x = 0;
  float y = 0;
  float right = 0;
  bool first = true;

  bool fits(std::string_view words) const {
    return x + text_width(state.ui.fonts.small, words) + state.ui.px(20) <= right;
  }
  void add(std::string_view name, std::string_view words, Color color) {
    const Ui& ui = state.ui;
    if (!fits(words)) return;
    if (!first) {
      draw_text(ui, ui.fonts.small, ImVec2(x + ui.px(7), y), ui.theme->dim, "\u2022");
      x += ui.px(20);
    }
    first = false;
    draw_text(ui, ui.fonts.small, ImVec2(x, y), color, words);
    const float width = text_width(ui.fonts.small, words);
    record(state.ui, name, ImVec2(x, y), ImVec2(x + width, y + font_height(ui.fonts.small)));
    x += width;
  }
};

/// Behind the words about a file that is being read.
void cancel_button(State& state, Line& line, float middle) {
  Ui& ui = state.ui;
  ImGui::SetCursorScreenPos(ImVec2(line.x, middle - ui.px(15)));
  if (button(ui, "status.cancel_opening", icon::kClose, "", ButtonLook::kQuiet, "Do not open it after all")) {
    state.later([](State& s) { cancel_loading(s); });
  }
  line.x = ImGui::GetItemRectMax().x;
}

void plan_state(State& state, Line& line, float middle) {
  Ui& ui = state.ui;
  const PlanFacts* facts = state.shown_facts();
  const bool loading = !state.loading_path.empty();
  std::string words = loading                 ? loading_words(state, printable_utf8(state.loading_path))
                      : shows_board(state)    ? std::string("New problem")
                      : !state.has_problem()  ? std::string("No file")
                      : facts == nullptr      ? std::string(state.tasks.idle() ? "No plan" : "Planning\xE2\x80\xA6")
                      : facts->report.valid() ? std::string("Plan valid")
                      : facts->report.count == facts->report.issues.size()
                          ? counts_of(facts->report)
                          : format_count(static_cast<std::int64_t>(facts->report.count)) + " issues";
  words = fitted(ui.fonts.small, words, (line.right - line.x) * 0.5F);
  const Color color = loading || facts == nullptr ? ui.theme->dim
                      : facts->report.valid()     ? ui.theme->good
                                                  : ui.theme->bad;
  ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(line.x + ui.px(4), middle), ui.px(4), u32(color), 16);
  line.x += ui.px(16);
  const float from = line.x;
  const bool bad = facts != nullptr && !facts->report.valid();
  line.add("status.plan", words, bad ? ui.theme->bad : ui.theme->text);
  if (loading) return cancel_button(state, line, middle);
  if (facts == nullptr) return;
  ImGui::SetCursorScreenPos(ImVec2(from, middle - ui.px(11)));
  if (ImGui::InvisibleButton("##issues", ImVec2(std::max(1.0F, line.x - from), ui.px(22)))) {
    state.push(action::Invoke{CommandId::show_issues});
  }
  record(ui, "status.issues");
  if (ImGui::IsItemHovered()) tooltip(ui, bad ? "List every broken rule  (I)" : "No broken rules in this plan");
}

}  // namespace

void draw_status(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), u32(ui.theme->card));
  list.AddLine(at, ImVec2(at.x + size.x, at.y), u32(ui.theme->line));
  const float middle = std::floor(at.y + size.y / 2);
  const float y = std::floor(middle - font_height(ui.fonts.small) / 2);
  Line line{state, at.x + ui.px(14), y, at.x + size.x - ui.px(14)};
  plan_state(state, line, middle);
  if (state.has_problem()) {
    const ProblemMetrics& problem = state.analysis.facts;
    if (const PlanFacts* facts = state.shown_facts()) {
      line.add("status.makespan", "makespan " + state.bytes(facts->metrics.makespan), ui.theme->text);
      line.add("status.overhead", "overhead " + overhead_text(facts->metrics.overhead), ui.theme->text);
    }
    const auto buffers = static_cast<std::int64_t>(state.problem().size());
    line.add("status.buffers", format_count(buffers) + (buffers == 1 ? " buffer" : " buffers"), ui.theme->dim);
    const std::int64_t steps = checked_sub(problem.horizon_high, problem.horizon_low).value_or(kMaxInt64);
    line.add("status.steps", format_count(steps) + " " + printable_utf8(state.time_unit(steps)), ui.theme->dim);
    if (const std::uint64_t wrong = problem_issues(state).breaking; wrong > 0) {
      line.add(
          "status.problem",
          fmt::format("{} in the problem",
                      wrong == 1 ? std::string("1 issue") : format_count(static_cast<std::int64_t>(wrong)) + " issues"),
          ui.theme->bad);
    }
    if (is_dirty(state)) line.add("status.unsaved", "unsaved", ui.theme->warn);
    if (state.part<Watching>().on) line.add("status.watched", "watched", ui.theme->dim);
    if (state.selection.size() > 1) {
      line.add("status.selected", format_count(static_cast<std::int64_t>(state.selection.size())) + " selected",
               ui.theme->accent);
    }
    if (state.cursor_time) {
      const auto step = static_cast<std::int64_t>(std::floor(*state.cursor_time));
      std::string words = fmt::format("{} {}", printable_utf8(state.problem().time_unit()), step);
      if (const std::string op = op_at_step(state, step); !op.empty()) words += fmt::format(" ({})", op);
      if (state.cursor_byte && *state.cursor_byte >= 0) {
        words += ", address " + state.address(static_cast<std::int64_t>(*state.cursor_byte));
      }
      words += ", load " + state.bytes(load_at(state.curve(), step));
      line.add("status.cursor", words, ui.theme->accent);
    }
  }
  constexpr std::string_view kEditing[] = {
      "Editing   \u2022   drag a selected edge: lifetime, body: offset   \u2022   Ctrl+drag draws   \u2022   Alt: no "
      "snapping   \u2022   Esc cancels   \u2022   E ends",
      "Editing   \u2022   Ctrl+drag draws   \u2022   E ends", "Editing"};
  constexpr std::string_view kBoard[] = {"Drag to draw a buffer: its lifetime to the right, its size up",
                                         "Drag to draw"};
  constexpr std::string_view kLooking[] = {
      "Wheel zooms   \u2022   drag pans   \u2022   F frames   \u2022   0 shows all   \u2022   Ctrl+Shift+P commands   "
      "\u2022   ? keys",
      "Ctrl+Shift+P commands   \u2022   ? keys", "? keys"};
  const std::span<const std::string_view> hints = shows_board(state)   ? std::span<const std::string_view>(kBoard)
                                                  : state.editing.mode ? std::span<const std::string_view>(kEditing)
                                                                       : std::span<const std::string_view>(kLooking);
  for (const std::string_view hint : hints) {
    const float width = text_width(ui.fonts.small, hint);
    if (line.x + ui.px(30) + width > line.right) continue;
    draw_text_right(ui, ui.fonts.small, ImVec2(line.right, y), with_alpha(ui.theme->dim, 0.8), hint);
    break;
  }
}

}  // namespace stowage
