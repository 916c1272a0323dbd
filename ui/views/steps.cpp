#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/replay.h"
#include "ui/row_scroll.h"
#include "ui/step_list.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kStepHeight = 20;
constexpr float kCodeLine = 17;

const char* icon_of(StepKind kind) {
  switch (kind) {
    case StepKind::kPhase:
      return icon::kPlay;
    case StepKind::kConsider:
      return icon::kEye;
    case StepKind::kReject:
      return icon::kClose;
    case StepKind::kPlace:
      return icon::kCheck;
    case StepKind::kUnplace:
      return icon::kUndo;
    case StepKind::kOpenBox:
      return icon::kPlus;
    case StepKind::kPutInBox:
      return icon::kSortDown;
    case StepKind::kCloseBox:
      return icon::kBox;
    case StepKind::kOpenRow:
      return icon::kColumns;
    case StepKind::kTakeTag:
      return icon::kCheck;
    case StepKind::kReturnTag:
      return icon::kUndo;
    case StepKind::kIncumbent:
      return icon::kTrophy;
    case StepKind::kBound:
      return icon::kLevelUp;
    case StepKind::kNote:
      return icon::kPencil;
  }
  return "";
}

Color color_of(const Theme& theme, StepKind kind) {
  switch (kind) {
    case StepKind::kReject:
    case StepKind::kUnplace:
      return theme.bad;
    case StepKind::kPlace:
    case StepKind::kCloseBox:
      return theme.good;
    case StepKind::kIncumbent:
    case StepKind::kBound:
      return theme.warn;
    case StepKind::kPhase:
    case StepKind::kConsider:
    case StepKind::kOpenBox:
      return theme.accent;
    default:
      return theme.dim;
  }
}

struct Filter {
  const char* name;
  const char* title;
  StepKinds kinds;
};
constexpr Filter kFilters[] = {
    {"phase", "Phases", {StepKind::kPhase, StepKind::kNote}},
    {"consider", "Next", {StepKind::kConsider}},
    {"reject", "Rejects", {StepKind::kReject, StepKind::kUnplace}},
    {"place", "Places", {StepKind::kPlace}},
    {"box", "Boxes", {StepKind::kOpenBox, StepKind::kPutInBox, StepKind::kCloseBox, StepKind::kOpenRow}},
    {"tag", "Tags", {StepKind::kTakeTag, StepKind::kReturnTag}},
    {"bound", "Bounds", {StepKind::kIncumbent, StepKind::kBound}},
};

/// The pseudo-code with the line that the run is at.
void code_part(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const PseudoCode* code = replay.recording->code;
  if (code == nullptr) return;
  const auto active = active_line(*code, replay.recording->log.steps(), replay.recording->index, replay.position);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(kCodeLine);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t k = 0; k < code->lines.size(); ++k) {
    const std::string_view words = code->lines[k].text;
    const std::size_t depth = words.find_first_not_of(' ');
    const float y = at.y + static_cast<float>(k) * high;
    const bool on = active == k;
    if (on) {
      list.AddRectFilled(ImVec2(at.x - ui.px(4), y), ImVec2(at.x + width, y + high),
                         u32(with_alpha(ui.theme->accent, 0.2)), ui.px(4));
      list.AddRectFilled(ImVec2(at.x - ui.px(4), y + ui.px(2)), ImVec2(at.x - ui.px(2), y + high - ui.px(2)),
                         u32(ui.theme->accent));
    }
    const float x = at.x + ui.px(4) + static_cast<float>(depth) * ui.px(6);
    draw_text(ui, ui.fonts.small, ImVec2(x, y + (high - font_height(ui.fonts.small)) / 2),
              on ? ui.theme->text : ui.theme->dim, fitted(ui.fonts.small, words.substr(depth), at.x + width - x));
    record(ui, fmt::format("steps.code.{}{}", k, on ? ".active" : ""), ImVec2(at.x, y), ImVec2(at.x + width, y + high));
  }
  ImGui::Dummy(ImVec2(width, static_cast<float>(code->lines.size()) * high + ui.px(6)));
}

void filter_part(State& state, const Replay& replay, const StepList& steps) {
  Ui& ui = state.ui;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Filter& filter : kFilters) {
    const bool occurs = std::any_of(&op_kinds()[0], &op_kinds()[0] + kStepKinds, [&](StepKind kind) {
      return filter.kinds.has(kind) && !replay.recording->index.all(kind).empty();
    });
    if (!occurs) continue;
    const ImVec2 size(text_width(ui.fonts.small, filter.title) + ui.px(14), ui.px(20));
    if (!first) {
      ImGui::SameLine(0, ui.px(4));
      if (ImGui::GetCursorScreenPos().x + size.x > right) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(filter.name, size)) {
      state.later([kinds = filter.kinds](State& s) { s.part<StepList>().toggle(kinds); });
    }
    record(ui, fmt::format("steps.filter.{}", filter.name));
    const bool on = steps.kinds.has_all(filter.kinds);
    const Color front = on ? ui.theme->text : ImGui::IsItemHovered() ? ui.theme->text : ui.theme->dim;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 high(at.x + size.x, at.y + size.y);
    if (on) list.AddRectFilled(at, high, u32(with_alpha(ui.theme->accent, 0.22)), ui.px(10));
    if (!on) list.AddRect(at, high, u32(ui.theme->line), ui.px(10));
    draw_text(ui, ui.fonts.small, ImVec2(at.x + ui.px(7), at.y + (size.y - font_height(ui.fonts.small)) / 2), front,
              filter.title);
    if (ImGui::IsItemHovered()) tooltip(ui, on ? "Shown; click to hide them" : "Hidden; click to show them");
  }
}

void draw_step(State& state, const Replay& replay, std::size_t step, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(static_cast<int>(step));
  const bool clicked = ImGui::InvisibleButton("##step", size);
  ImGui::PopID();
  record(ui, fmt::format("steps.row.{}", step + 1));
  const bool hovered = ImGui::IsItemHovered();
  const bool now = step + 1 == replay.position;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (now || hovered) {
    list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), u32(with_alpha(ui.theme->accent, now ? 0.22 : 0.10)),
                       ui.px(4));
  }
  const StepKind kind = replay.recording->index.kind(step);
  const bool to_come = step >= replay.position;
  const double strength = to_come ? 0.55 : 1;
  const float digits = text_width(ui.fonts.mono, std::to_string(replay.recording->size())) + ui.px(4);
  draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + digits, at.y + (size.y - font_height(ui.fonts.mono)) / 2),
                  with_alpha(ui.theme->dim, strength), std::to_string(step + 1));
  const float icon_x = at.x + digits + ui.px(8);
  draw_text(ui, ui.fonts.small, ImVec2(icon_x, at.y + (size.y - font_height(ui.fonts.small)) / 2),
            with_alpha(color_of(*ui.theme, kind), strength), icon_of(kind));
  const float x = icon_x + ui.px(18);
  const std::string words = caption_at(replay, step + 1);
  ImFont* font = kind == StepKind::kPhase ? ui.fonts.semibold : ui.fonts.small;
  const std::string shown = fitted(font, words, at.x + size.x - x - ui.px(4));
  draw_text(ui, font, ImVec2(x, at.y + (size.y - font_height(font)) / 2), with_alpha(ui.theme->text, strength), shown);
  if (hovered && shown != words) tooltip(ui, words);
  if (clicked) {
    state.later([step](State& s) {
      s.part<Replay>().playing = false;
      go_to_step(s, step + 1);
    });
  }
}

void list_part(State& state, const Replay& replay, StepList& steps, ImVec2 high) {
  Ui& ui = state.ui;
  steps.refresh(replay.recording->index, replay.recording);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float row = ui.px(kStepHeight);
  const auto visible = static_cast<std::size_t>(std::max(1.0F, std::floor((high.y - low.y) / row)));
  if (steps.followed != replay.position) {
    steps.followed = replay.position;
    steps.scroll.reveal(steps.row_of(replay.position), visible);
  }
  const std::size_t count = steps.rows();
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
  steps.scroll.update(count, visible, hovered);
  record(ui, "steps.body", low, high);
  if (count == 0) {
    empty_message(ui, low, high, icon::kSearch, "Nothing is shown", "All kinds of steps are hidden.");
    return;
  }
  const float bar = ui.px(10);
  for (std::size_t k = steps.scroll.first; k < std::min(count, steps.scroll.first + visible); ++k) {
    const ImVec2 at(low.x, low.y + static_cast<float>(k - steps.scroll.first) * row);
    draw_step(state, replay, steps.step_at(k), at, ImVec2(high.x - low.x - bar, row));
  }
  steps.scroll.draw_bar(ui, "steps.scrollbar", ImVec2(high.x - bar, low.y), ImVec2(bar, high.y - low.y), count,
                        visible);
}

}  // namespace

void draw_steps(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  const Replay& replay = state.part<Replay>();
  StepList& steps = state.part<StepList>();
  begin_card(ui, "steps", at, size);
  const bool ready = replay.ready();
  card_title(ui, "Steps",
             ready && replay.recording->code != nullptr ? replay.recording->code->title : std::string_view());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high(low.x + ImGui::GetContentRegionAvail().x, low.y + ImGui::GetContentRegionAvail().y);
  if (!ready) {
    empty_message(ui, low, high, icon::kPlay, "No steps are recorded",
                  "The steps of the shown plan's allocator appear here once the player has recorded them.");
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(4)));
  code_part(state, replay);
  filter_part(state, replay, steps);
  ImGui::PopStyleVar();
  list_part(state, replay, steps, high);
  end_card();
}

}  // namespace stowage
