#include "ui/what_if.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/edit_fields.h"
#include "ui/explaining.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kPlanHeight = 40;
constexpr float kValueWidth = 86;  // of the makespan beside a plan
constexpr FieldWords kWhatIfWords = {"what_if.capacity", "Capacity", "the file's",
                                     "Bytes: 64 KiB, 1 GiB, 0x1000; empty: what the file says, else the makespan"};
constexpr float kRank = 42;
constexpr std::size_t kShownPlans = 6;         // the others scroll
constexpr std::size_t kCountedPlans = 20'000;  // buffers up to which each plan's fitting ones are counted

/// What the slider spans: a little above the makespans that matter.
std::int64_t span_of(const State& state) {
  const std::int64_t load = state.space_facts().load;
  std::int64_t highest = std::max<std::int64_t>(load, 1);
  if (const PlanFacts* facts = state.shown_facts()) {
    highest = std::max(highest, state.space_metrics(*facts).makespan);
  }
  // One hopeless plan must not squeeze the others together.
  const std::int64_t most = load > kMaxInt64 / 4 ? kMaxInt64 / 2 : std::max<std::int64_t>(2 * load, highest);
  for (const auto& [id, facts] : state.plan_facts) {
    const std::int64_t makespan = state.space_metrics(facts).makespan;
    if (makespan <= most) highest = std::max(highest, makespan);
  }
  if (const auto own = state.problem().capacity(state.space); own && *own <= most) highest = std::max(highest, *own);
  return highest + std::max<std::int64_t>(1, highest / 8);
}

void draw_track(const State& state, ImVec2 at, float width, std::int64_t span, std::int64_t capacity) {
  const Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x_of = [&](std::int64_t bytes) {
    const double share = static_cast<double>(bytes) / static_cast<double>(span);
    return at.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * width;
  };
  const float middle = at.y + ui.px(20);
  const float half = ui.px(3);
  list.AddRectFilled(ImVec2(at.x, middle - half), ImVec2(at.x + width, middle + half), u32(ui.theme->raised), half);
  // Below the load nothing can ever fit.
  list.AddRectFilled(ImVec2(at.x, middle - half), ImVec2(x_of(state.space_facts().load), middle + half),
                     u32(with_alpha(ui.theme->bad, 0.45)), half);
  for (const auto& [id, facts] : state.plan_facts) {
    const std::int64_t makespan = state.space_metrics(facts).makespan;
    if (makespan > span) continue;
    const bool shown = id == state.shown_plan;
    const Color color = shown ? ui.theme->accent : with_alpha(ui.theme->text, 0.5);
    const float x = x_of(makespan);
    list.AddRectFilled(ImVec2(x - ui.px(shown ? 1.0F : 0.5F), middle - ui.px(shown ? 14 : 9)),
                       ImVec2(x + ui.px(shown ? 1.0F : 0.5F), middle - half), u32(color));
  }
  const float x = x_of(capacity);
  list.AddCircleFilled(ImVec2(x, middle), ui.px(8), u32(ui.theme->accent), 24);
  list.AddCircleFilled(ImVec2(x, middle), ui.px(4), u32(ui.theme->card), 24);
}

/// The plans whose marks lie within some pixels of a height, with that of the nearest.
struct PlanMarks {
  std::vector<std::string> plans;
  std::int64_t makespan = 0;
};

PlanMarks marks_near(const State& state, std::int64_t bytes, float width, std::int64_t span) {
  PlanMarks marks;
  double best = 5.0 * static_cast<double>(state.ui.scale) / static_cast<double>(width) * static_cast<double>(span);
  for (const auto& [id, facts] : state.plan_facts) {
    const std::int64_t makespan = state.space_metrics(facts).makespan;
    const double distance = std::abs(static_cast<double>(makespan) - static_cast<double>(bytes));
    if (distance > best) continue;
    if (makespan != marks.makespan) marks.plans.clear();
    best = distance;
    marks.makespan = makespan;
    marks.plans.push_back(id);
  }
  return marks;
}

std::string words_of_marks(const PlanMarks& marks) {
  constexpr std::size_t kNamed = 4;
  std::string words = "Fits from " + format_exact_bytes(marks.makespan) + ":";
  for (std::size_t k = 0; k < std::min(kNamed, marks.plans.size()); ++k) {
    words += "\n" + State::title_of_plan(marks.plans[k]);
  }
  if (marks.plans.size() > kNamed) words += fmt::format("\nand {} more", marks.plans.size() - kNamed);
  return words;
}

/// The same capacity as a field.
void draw_typed(State& state, std::int64_t capacity) {
  TypedField& field = state.part<WhatIf>().typed;
  const std::string now = bytes_as_typed(capacity);
  if (!field.active && field.shown != now) {
    field.shown = now;
    field.reset();
  }
  if (!typed_field(state.ui, kWhatIfWords, field)) return;
  state.later([text = field.text](State& s) { type_what_if_capacity(s, text); });
}

/// The slider; the marks above it are where the plans stop to fit.
std::int64_t draw_slider(State& state) {
  Ui& ui = state.ui;
  const std::int64_t span = span_of(state);
  const std::int64_t capacity = what_if_capacity(state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inset = ui.px(8);
  const float width = ImGui::GetContentRegionAvail().x - 2 * inset;
  ImGui::InvisibleButton("##capacity", ImVec2(width + 2 * inset, ui.px(36)));
  record(ui, "what_if.capacity", ImVec2(at.x + inset, at.y), ImVec2(at.x + inset + width, at.y + ui.px(36)));
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x - inset) / width, 0.0F, 1.0F);
    const auto aimed = static_cast<std::int64_t>(static_cast<double>(share) * static_cast<double>(span));
    // Near a mark it means the mark.
    const PlanMarks marks = marks_near(state, aimed, width, span);
    if (!marks.plans.empty()) tooltip(ui, words_of_marks(marks));
    if (ImGui::IsItemActive()) {
      const std::int64_t wanted = marks.plans.empty() ? aimed : marks.makespan;
      state.later([wanted](State& s) { set_what_if_capacity(s, wanted); });
    }
  }
  draw_track(state, ImVec2(at.x + inset, at.y), width, span, capacity);
  return capacity;
}

/// The height at which a plan stops to fit, beside its row; a click gives the slider that value.
void draw_mark_value(State& state, const ListRow& row, const std::string& id, std::int64_t makespan) {
  Ui& ui = state.ui;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(row.right(), row.at.y));
  ImGui::PushID(id.c_str());
  const bool clicked = ImGui::InvisibleButton("##mark", ImVec2(ui.px(kValueWidth), row.size.y));
  ImGui::PopID();
  record(ui, "what_if.mark." + id);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) tooltip(ui, fmt::format("fits from {}\nClick to ask about this capacity", format_exact_bytes(makespan)));
  const std::string value = state.bytes(makespan);
  record_words(ui, "what_if.mark." + id, value);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() + ui.px(kValueWidth - 8), row.at.y + ui.px(4)),
                  hovered ? ui.theme->accent : ui.theme->text, value);
  if (clicked) state.later([makespan](State& s) { set_what_if_capacity(s, makespan); });
  ImGui::SetCursorScreenPos(below);
}

void draw_plan(State& state, const std::string& id, std::int64_t capacity, int number) {
  Ui& ui = state.ui;
  const Plan* plan = state.document.find_plan(id);
  const PlanFacts* facts = state.facts_of(id);
  if (plan == nullptr || facts == nullptr) return;
  const std::int64_t makespan = state.space_metrics(*facts).makespan;
  const bool fits = makespan <= capacity && facts->report.valid();
  const float beside = ui.px(kValueWidth);
  const ListRow row = list_row(ui, "what_if.plan." + id, number, kPlanHeight, id == state.shown_plan, beside);
  const float pad = ui.px(8);
  const Color color = fits ? ui.theme->good : ui.theme->bad;
  std::string words = fits ? std::string("fits") : state.bytes(makespan - capacity) + " too high";
  if (!facts->report.valid()) words = "breaks rules";
  const bool counted = state.problem().size() <= kCountedPlans || id == state.shown_plan;
  if (!fits && counted && facts->report.valid()) {
    const std::int64_t below = count_below(state.problem(), *plan, state.space, capacity);
    words += fmt::format(", {} of {} fit", format_count(below),
                         format_count(static_cast<std::int64_t>(state.index()->size())));
  }
  const float room = row.size.x - pad;
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.at.y + ui.px(3)), ui.theme->text,
            fitted(ui.fonts.text, State::title_of_plan(id), room));
  draw_text(ui, ui.fonts.small, ImVec2(row.at.x + pad, row.at.y + ui.px(21)), color,
            fitted(ui.fonts.small, words, room));
  if (row.hovered) {
    tooltip(ui, fmt::format("{}\nfits from {}\n{}\nClick to show it", State::title_of_plan(id),
                            format_exact_bytes(makespan), words));
  }
  if (row.clicked) state.push(action::ShowPlan{id});
  draw_mark_value(state, row, id, makespan);
}

void capacity_part(State& state) {
  Ui& ui = state.ui;
  card_title(ui, "Another capacity", "where plans stop to fit");
  const std::int64_t capacity = draw_slider(state);
  draw_typed(state, capacity);
  const std::int64_t load = state.space_facts().load;
  if (capacity < state.space_facts().lower_bound) {
    paragraph(ui, ui.theme->bad,
              capacity < load ? fmt::format("No plan can fit: {} are live at one time.", state.bytes(load))
                              : std::string("No plan can fit: a fixed offset ends above it."));
    record(ui, "what_if.impossible");
  }
  const auto& what_if = state.part<WhatIf>();
  if (what_if.capacities.count(state.space) > 0) {
    if (button(ui, "what_if.reset", icon::kUndo, "Back to the file's", ButtonLook::kQuiet)) {
      state.later([](State& s) { s.part<WhatIf>().capacities.erase(s.space); });
    }
    ImGui::SameLine(0, ui.px(6));
  }
  if (button(ui, "what_if.explain", icon::kSearch, "Can it fit?", ButtonLook::kRaised,
             "Search for a plan under this capacity, or for the buffers that cannot fit together")) {
    state.later([capacity](State& s) { start_explaining(s, capacity); });
  }
  const auto& explaining = state.part<Explaining>();
  if (explaining.work.running()) text(ui.fonts.small, ui.theme->dim, "Searching\u2026");
  if (explaining.result) {
    for (const std::string& words : words_of(state, *explaining.result)) paragraph(ui, ui.theme->dim, words);
    record(ui, "what_if.explained");
  }
  const std::vector<std::string> plans = state.ranked_plans();
  const float height = ui.px(kPlanHeight) * static_cast<float>(std::min<std::size_t>(plans.size(), kShownPlans));
  if (plans.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("what_if.plans", ImVec2(0, height));
  int number = 0;
  for (const std::string& id : plans) draw_plan(state, id, capacity, number++);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void alignment_part(State& state) {
  Ui& ui = state.ui;
  const auto& what_if = state.part<WhatIf>();
  card_title(ui, "Another alignment", what_if.alignments.empty() ? std::string() : what_if.aligned_by);
  if (what_if.alignments.empty()) {
    if (what_if.aligning.running()) {
      text(ui.fonts.small, ui.theme->dim, "Planning with each\u2026");
      return;
    }
    paragraph(ui, ui.theme->dim, "What the makespan would be if every buffer were aligned to 4, 16, 64 \u2026 bytes.");
    if (button(ui, "what_if.align", icon::kPlay, "Try alignments", ButtonLook::kRaised)) {
      state.later([](State& s) { try_alignments_now(s); });
    }
    return;
  }
  const std::int64_t base = what_if.alignments.front().makespan;
  int number = 0;
  for (const AlignmentOutcome& outcome : what_if.alignments) {
    const std::string name = number == 0 ? std::string("as it is") : "at least " + state.bytes(outcome.alignment);
    if (!outcome.planned) {
      value_row(ui, name, "cannot be planned");
    } else {
      const std::int64_t more = outcome.makespan - base;
      const Color color = number == 0 ? ui.theme->text : delta_color(*ui.theme, more);
      std::string words = state.bytes(outcome.makespan);
      if (number > 0) words += "  " + signed_bytes(more, state.byte_unit());
      value_row(ui, name, words, format_exact_bytes(outcome.makespan), &color);
    }
    record(ui, fmt::format("what_if.alignment.{}", outcome.alignment));
    ++number;
  }
}

/// "makespan −4 KiB, load −1 KiB" or why there is no such case.
std::string saved_words(const State& state, const SpaceNeed& now, const std::optional<SpaceNeed>& then) {
  if (!then) return "cannot be planned";
  return fmt::format("makespan {}, load {}", signed_bytes(then->makespan - now.makespan, state.byte_unit()),
                     signed_bytes(then->load - now.load, state.byte_unit()));
}

void draw_rank(State& state, const SensitivityReport& report, int number) {
  Ui& ui = state.ui;
  const Sensitivity& one = report.ranks[static_cast<std::size_t>(number)];
  const ListRow row = list_row(ui, fmt::format("what_if.rank.{}", number), number, kRank, state.chosen() == one.buffer);
  const float pad = ui.px(8);
  const float y = row.at.y + ui.px(4);
  const std::string size = state.bytes(state.problem()[one.buffer].size);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad, y + ui.px(1)), ui.theme->dim, size);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, y), ui.theme->text,
            fitted(ui.fonts.text, printable_utf8(state.problem().id(one.buffer)),
                   row.size.x - 2 * pad - text_width(ui.fonts.mono, size) - ui.px(8)));
  const std::int64_t gain = one.without ? one.without->makespan - report.now.makespan : 0;
  const std::string words = "gone: " + saved_words(state, report.now, one.without);
  draw_text(ui, ui.fonts.small, ImVec2(row.at.x + pad, row.at.y + ui.px(23)), delta_color(*ui.theme, gain),
            fitted(ui.fonts.small, words, row.size.x - 2 * pad));
  if (row.hovered) {
    tooltip(ui, fmt::format("{}\n{}\nhalf its size: {}{}", printable_utf8(state.problem().id(one.buffer)), words,
                            saved_words(state, report.now, one.halved), one.at_peak ? "\nlive at the peak" : ""));
  }
  if (!row.clicked) return;
  state.push(action::Select{{one.buffer}, SelectMode::kReplace});
  state.push(action::FrameBuffers{{one.buffer}});
}

void sensitivity_part(State& state) {
  Ui& ui = state.ui;
  const auto& what_if = state.part<WhatIf>();
  card_title(ui, "Without a buffer", what_if.ranking ? what_if.ranked_by : std::string());
  if (what_if.trying.running()) {
    progress_bar(ui, "what_if.progress", *what_if.tried);
    if (button(ui, "what_if.rank.stop", icon::kStop, "Stop here", ButtonLook::kRaised)) {
      state.later([](State& s) { stop_ranking(s); });
    }
    return;
  }
  if (!what_if.ranking) {
    paragraph(ui, ui.theme->dim,
              "Which buffer's removal or halving would lower the makespan most: each one that is live at the peak is "
              "tried, and the largest others.");
    if (button(ui, "what_if.rank", icon::kPlay, "Rank the buffers", ButtonLook::kRaised)) {
      state.later([](State& s) { rank_buffers_now(s); });
    }
    return;
  }
  const SensitivityReport& report = *what_if.ranking;
  std::string words = format_count(static_cast<std::int64_t>(report.ranks.size())) + " tried";
  if (report.left_out > 0) {
    words += fmt::format(", {} not", format_count(static_cast<std::int64_t>(report.left_out)));
  }
  text(ui.fonts.small, ui.theme->dim, words);
  record(ui, "what_if.tried");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(report.ranks.size()), ui.px(kRank));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_rank(state, report, k);
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_what_if(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  state.part<WhatIf>().shown_in_frame = ImGui::GetFrameCount();
  begin_card(ui, "what_if", at, size);
  card_title(ui, "What if", state.has_problem() ? "nothing is edited" : "");
  if (!state.has_problem()) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kSliders, "Nothing to ask",
                  "Open a file; then its capacity, alignment and buffers can be varied here.");
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("what_if.body", ImGui::GetContentRegionAvail());
  capacity_part(state);
  separator(ui);
  alignment_part(state);
  separator(ui);
  sensitivity_part(state);
  if (!state.part<WhatIf>().refused.empty()) paragraph(ui, ui.theme->warn, state.part<WhatIf>().refused);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
