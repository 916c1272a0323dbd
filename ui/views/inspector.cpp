#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/board.h"
#include "ui/colours.h"
#include "ui/edit_fields.h"
#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

void heading(Ui& ui, std::string_view title, std::string_view right = {}) {
  ImGui::Dummy(ImVec2(0, ui.px(2)));
  card_title(ui, title, right);
}

/// The chosen buffer's colour, name and kind on a raised plate.
void name_plate(State& state, BufferIndex i) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(58);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + high), u32(ui.theme->raised), ui.px(6));
  const float swatch = ui.px(36);
  const ImVec2 dot(at.x + ui.px(11), at.y + (high - swatch) / 2);
  list.AddRectFilled(dot, ImVec2(dot.x + swatch, dot.y + swatch), u32(colour_of(state, i)), ui.px(6));
  const float x = dot.x + swatch + ui.px(12);
  const float room = at.x + width - x - ui.px(8);
  const std::string name = printable_utf8(state.problem().id(i));
  std::string below = printable_utf8(state.problem().kind(i));
  if (below.empty()) below = fmt::format("row {}", format_count(static_cast<std::int64_t>(i) + 1));
  draw_text(ui, ui.fonts.title, ImVec2(x, at.y + ui.px(8)), ui.theme->text, fitted(ui.fonts.title, name, room));
  draw_text(ui, ui.fonts.small, ImVec2(x, at.y + ui.px(35)), ui.theme->dim, fitted(ui.fonts.small, below, room));
  ImGui::Dummy(ImVec2(width, high));
  record(ui, "inspector.name");
  if (ImGui::IsItemHovered()) tooltip(ui, name);
  ImGui::Dummy(ImVec2(0, ui.px(2)));
}

std::string joined_times(const std::vector<std::int64_t>& times) {
  return fmt::format("{}", fmt::join(times, ":"));
}

/// What ties the buffer to others, and what it may not touch.
void constraints_part(State& state, BufferIndex i) {
  const Problem& problem = state.problem();
  const std::uint32_t body = problem.bodies().of(i);
  if (body != Bodies::kNone) {
    std::string words;
    for (const Body::Member& member : problem.bodies()[body].members) {
      if (member.buffer == i) continue;
      const std::int64_t distance = member.relative - problem.bodies().relative(i);
      words += fmt::format("{}{} {:+}", words.empty() ? "" : ", ", printable_utf8(problem.id(member.buffer)), distance);
    }
    value_row(state.ui, "Tied to", words, "They move together; bytes above this one. " + words);
  }
  if (const auto edges = problem.edges_of(i); !edges.empty()) {
    std::string words;
    for (const BufferIndex other : edges.first(std::min<std::size_t>(edges.size(), 20))) {
      words += (words.empty() ? "" : ", ") + printable_utf8(problem.id(other));
    }
    value_row(state.ui, "Edges", format_count(static_cast<std::int64_t>(edges.size())),
              "Must not share memory, whatever the lifetimes say: " + words);
  }
  if (const Clock* clock = problem.clock(i)) {
    value_row(state.ui, "Clock", joined_times(clock->start) + " \u2013 " + joined_times(clock->end),
              "Partially ordered time, one component a thread");
  }
}

/// The spaces it may lie in, and its slices.
void choices_part(State& state, const Details& details) {
  std::string words;
  for (const std::uint16_t space : details.candidates) {
    words += (words.empty() ? "" : ", ") + printable_utf8(state.problem().spaces()[space].id);
  }
  if (!words.empty()) value_row(state.ui, "May lie in", words, "Candidate spaces, best first: " + words);
  words.clear();
  for (const Slice& slice : details.slices) {
    words += fmt::format("{}{} from {}", words.empty() ? "" : ", ", state.bytes(slice.size), slice.start);
  }
  if (!words.empty()) value_row(state.ui, "Slices", words, words);
}

void selection_part(State& state) {
  Ui& ui = state.ui;
  const BufferIndex i = state.chosen();
  if (i == kNoBuffer || i >= state.problem().size()) {
    text(
        ui.fonts.small, ui.theme->dim,
        state.editing.mode ? "Click a buffer, or draw one with Ctrl+drag." : "Click a buffer in the map or the table.");
    if (state.editing.mode) edit_buttons(state);
    return;
  }
  const Buffer& b = state.problem()[i];
  name_plate(state, i);
  if (state.editing.mode) {
    edit_buttons(state);
    edit_fields(state);
    heading(ui, "Where it lies");
  }
  // What has a field is not said twice.
  const bool in_fields = state.editing.mode;
  if (!in_fields) value_row(ui, "Size", state.bytes(b.size), format_exact_bytes(b.size));
  const std::int64_t offset = i < state.offsets().size() ? state.offsets()[i] : kNoOffset;
  if (offset != kNoOffset) {
    value_row(ui, "Address", state.address(offset), format_exact_bytes(offset));
    value_row(ui, "End", state.address(offset + b.size), format_exact_bytes(offset + b.size));
  } else {
    value_row(ui, "Address", "not placed");
  }
  if (offset != kNoOffset && button(ui, "inspector.why", icon::kHelp, "Why here?", ButtonLook::kRaised,
                                    "What holds it up, what blocks it, and where else it could lie")) {
    state.push(action::ShowPanel{"why"});
  }
  if (!in_fields) value_row(ui, "Live", fmt::format("{} \u2013 {}", b.start, b.end), "The last step is not included.");
  value_row(ui, "Lifetime", format_count(b.lifetime()) + " " + state.time_unit(b.lifetime()));
  const double area = static_cast<double>(b.size) * static_cast<double>(b.lifetime());
  if (area < 9e18) {
    value_row(ui, "Area", state.bytes(b.size * b.lifetime()) + "\u00B7" + printable_utf8(state.problem().time_unit()),
              "Size times lifetime");
  }
  if (!in_fields) value_row(ui, "Alignment", state.bytes(b.alignment), format_exact_bytes(b.alignment));
  if (b.is_fixed() && !in_fields) value_row(ui, "Fixed at", state.address(b.fixed), format_exact_bytes(b.fixed));
  if (state.problem().spaces().size() > 1) {
    const Plan* plan = state.plan();
    const std::uint16_t space = plan != nullptr ? space_of(state.problem(), *plan, i) : b.space;
    value_row(ui, "Space", printable_utf8(state.problem().spaces()[space].id));
  }
  constraints_part(state, i);
  const Details* details = state.problem().details(i);
  if (details == nullptr) return;
  choices_part(state, *details);
  if (details->hint && !in_fields) value_row(ui, "Hint", state.address(*details->hint));
  if (details->requested) value_row(ui, "Asked for", state.bytes(*details->requested));
  if (!details->gaps.empty() && !in_fields) {
    std::string words;
    for (const Gap& gap : details->gaps) {
      words += fmt::format("{}{} \u2013 {}", words.empty() ? "" : ", ", gap.start, gap.end);
    }
    value_row(ui, "Gaps", words);
  }
  if (!details->op.empty()) value_row(ui, "Operation", printable_utf8(details->op));
  if (!details->source.empty()) value_row(ui, "Source", printable_utf8(details->source));
}

/// An arc of three quarters that shows load / makespan.
void gauge(const State& state, const PlanFacts& facts) {
  const Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float radius = ui.px(30);
  const ImVec2 middle(at.x + radius + ui.px(6), at.y + radius + ui.px(6));
  const PlanMetrics& metrics = state.space_metrics(facts);
  const double makespan = static_cast<double>(metrics.makespan);
  const double share = makespan > 0 ? std::min(1.0, static_cast<double>(state.space_facts().load) / makespan) : 1.0;
  constexpr float kPi = 3.14159265F;
  const float from = 0.75F * kPi;
  const float sweep = 1.5F * kPi;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PathArcTo(middle, radius, from, from + sweep, 48);
  list.PathStroke(u32(ui.theme->raised), 0, ui.px(7));
  const Color color = !facts.report.valid() ? ui.theme->bad
                      : share > 0.9         ? ui.theme->good
                      : share > 0.7         ? ui.theme->warn
                                            : ui.theme->bad;
  list.PathArcTo(middle, radius, from, from + sweep * static_cast<float>(share), 48);
  list.PathStroke(u32(color), 0, ui.px(7));
  // Rounded down: 100 % is said only of a plan that reaches the load.
  const std::string percent = fmt::format("{} %", static_cast<int>(std::floor(share * 100)));
  draw_text(
      ui, ui.fonts.semibold,
      ImVec2(middle.x - text_width(ui.fonts.semibold, percent) / 2, middle.y - font_height(ui.fonts.semibold) / 2),
      ui.theme->text, percent);
  const float x = middle.x + radius + ui.px(16);
  const float room = at.x + width - x;
  const std::int64_t above = metrics.makespan - state.space_facts().lower_bound;
  constexpr std::string_view kLong = "of the makespan is live";
  std::string lines[3] = {std::string(text_width(ui.fonts.text, kLong) <= room ? kLong : "is live at most"), "", ""};
  if (!facts.report.valid()) {
    lines[1] = "this plan breaks rules,";
    lines[2] = "see the issues";
  } else if (metrics.optimal) {
    lines[1] = "optimal: no plan can";
    lines[2] = "be smaller";
  } else {
    lines[1] = state.bytes(above) + " above";
    lines[2] = "the lower bound";
  }
  draw_text(ui, ui.fonts.text, ImVec2(x, at.y + ui.px(12)), ui.theme->text, fitted(ui.fonts.text, lines[0], room));
  const Color dim = facts.report.valid() && metrics.optimal ? ui.theme->good : ui.theme->dim;
  draw_text(ui, ui.fonts.small, ImVec2(x, at.y + ui.px(34)), dim, fitted(ui.fonts.small, lines[1], room));
  draw_text(ui, ui.fonts.small, ImVec2(x, at.y + ui.px(50)), dim, fitted(ui.fonts.small, lines[2], room));
  ImGui::Dummy(ImVec2(width, ui.px(72)));
}

void plan_part(State& state) {
  Ui& ui = state.ui;
  const PlanFacts* facts = state.shown_facts();
  heading(ui, "This plan", facts != nullptr ? State::title_of_plan(state.shown_plan) : std::string());
  const bool edits = state.editing.mode && state.index() != nullptr;
  if (facts == nullptr || !state.has_problem()) {
    text(ui.fonts.small, ui.theme->dim,
         shows_board(state)     ? "Draw a buffer on the board first."
         : !state.has_problem() ? "Open a file first."
         : state.tasks.idle()   ? "There is no plan yet."
                                : "Planning\xE2\x80\xA6");
    if (edits) edit_capacity(state);
    return;
  }
  const ProblemMetrics& problem = state.space_facts();
  const PlanMetrics& metrics = state.space_metrics(*facts);
  gauge(state, *facts);
  value_row(ui, "Makespan", state.bytes(metrics.makespan), format_exact_bytes(metrics.makespan));
  value_row(ui, "Load", state.bytes(problem.load), format_exact_bytes(problem.load));
  value_row(ui, "Lower bound", state.bytes(problem.lower_bound), format_exact_bytes(problem.lower_bound));
  value_row(ui, "Overhead", overhead_text(metrics.overhead), "makespan / load \u2212 1");
  value_row(ui, "Without reuse", state.bytes(problem.naive), format_exact_bytes(problem.naive));
  value_row(ui, "Utilisation", format_percent(metrics.utilisation), "needed byte-steps / (makespan \u00D7 horizon)");
  if (problem.padding > 0) value_row(ui, "Padding", state.bytes(problem.padding), format_exact_bytes(problem.padding));
  if (edits) edit_capacity(state);
  if (const auto capacity = state.problem().capacity(state.space)) {
    const bool fits = metrics.makespan <= *capacity;
    if (!edits) {
      value_row(ui, "Capacity", state.bytes(*capacity), format_exact_bytes(*capacity),
                fits ? &ui.theme->text : &ui.theme->bad);
    }
    value_row(ui, "Fits",
              fmt::format("{} of {}", format_count(metrics.fits),
                          format_count(static_cast<std::int64_t>(state.index()->size()))),
              "Buffers that lie wholly below the capacity");
  }
  const bool valid = facts->report.valid();
  value_row(ui, "Issues", valid ? "none" : format_count(static_cast<std::int64_t>(facts->report.count)),
            valid ? "No broken rules" : "Click to list them", valid ? &ui.theme->good : &ui.theme->bad);
  record(ui, "inspector.issues");
  if (!valid && ImGui::IsItemHovered() && ImGui::IsMouseClicked(0)) state.push(action::Invoke{CommandId::show_issues});
}

void buffer_line(State& state, const char* list_name, BufferIndex i) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(21);
  ImGui::PushID(list_name);
  ImGui::PushID(static_cast<int>(i));
  const bool clicked = ImGui::InvisibleButton("##line", ImVec2(width, high));
  ImGui::PopID();
  ImGui::PopID();
  record(ui, fmt::format("{}.{}", list_name, i));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) {
    list.AddRectFilled(ImVec2(at.x - ui.px(4), at.y), ImVec2(at.x + width + ui.px(4), at.y + high),
                       u32(with_alpha(ui.theme->accent, 0.10)), ui.px(4));
  }
  const float dot = ui.px(8);
  const float y = at.y + (high - dot) / 2;
  list.AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + dot, y + dot), u32(colour_of(state, i)), ui.px(2));
  const std::string size = state.bytes(state.problem()[i].size);
  draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + width, at.y + (high - font_height(ui.fonts.mono)) / 2),
                  ui.theme->text, size);
  const float x = at.x + dot + ui.px(9);
  const float room = at.x + width - text_width(ui.fonts.mono, size) - ui.px(10) - x;
  const float text_y = at.y + (high - font_height(ui.fonts.text)) / 2;
  const std::string name = fitted(ui.fonts.text, printable_utf8(state.problem().id(i)), room);
  draw_text(ui, ui.fonts.text, ImVec2(x, text_y), ui.theme->text, name);
  const float used = text_width(ui.fonts.text, name) + ui.px(10);
  const std::string kind = printable_utf8(state.problem().kind(i));
  if (!kind.empty() && room - used > ui.px(40)) {
    draw_text(ui, ui.fonts.small, ImVec2(x + used, at.y + (high - font_height(ui.fonts.small)) / 2), ui.theme->dim,
              fitted(ui.fonts.small, kind, room - used));
  }
  if (clicked) state.push(action::Select{{i}, SelectMode::kReplace});
}

void list_part(State& state, const char* title, const char* name, const std::vector<BufferIndex>& buffers,
               std::size_t count, const char* why_empty) {
  Ui& ui = state.ui;
  heading(ui, title, format_count(static_cast<std::int64_t>(count)));
  if (buffers.empty()) {
    text(ui.fonts.small, ui.theme->dim, why_empty);
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (const BufferIndex i : buffers) buffer_line(state, name, i);
  ImGui::PopStyleVar();
  if (count > buffers.size()) {
    text(ui.fonts.small, ui.theme->dim,
         fmt::format("and {} more", format_count(static_cast<std::int64_t>(count - buffers.size()))));
  }
}

void relations_part(State& state) {
  Ui& ui = state.ui;
  const Relations& found = state.relations;
  if (state.chosen() == kNoBuffer) return;
  separator(ui);
  if (found.buffer != state.chosen()) {
    heading(ui, "Neighbours");
    text(ui.fonts.small, ui.theme->dim, "Looking for them\xE2\x80\xA6");
    return;
  }
  list_part(state, "Neighbours", "neighbour", found.neighbours, found.neighbour_count,
            state.plan() == nullptr ? "There is no plan yet." : "No buffer shares an edge with it.");
  separator(ui);
  list_part(state, "Conflicts", "conflict", found.conflicts, found.conflict_count,
            "No other buffer is live at the same time.");
}

}  // namespace

void draw_inspector(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "inspector", at, size);
  const std::size_t count = state.selection.size();
  card_title(ui, "Inspector",
             count > 1 ? "last of " + format_count(static_cast<std::int64_t>(count)) + " selected" : std::string());
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(7)));
  ImGui::BeginChild("inspector.body", ImGui::GetContentRegionAvail());
  selection_part(state);
  separator(ui);
  plan_part(state);
  relations_part(state);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_card();
}

}  // namespace stowage
