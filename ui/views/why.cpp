#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/colours.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"
#include "ui/why_here.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kReasonHeight = 24;
constexpr std::size_t kMostLines = 12;

std::string name_of(const State& state, BufferIndex i) {
  return printable_utf8(state.problem().id(i));
}

void draw_buffer(State& state, std::string_view list, BufferIndex i, int number, std::string_view right) {
  Ui& ui = state.ui;
  const ListRow row = list_row(ui, fmt::format("why.{}.{}", list, number), number, kReasonHeight);
  const float pad = ui.px(8);
  const float dot = ui.px(8);
  const float y = row.at.y + (row.size.y - dot) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(row.at.x + pad, y), ImVec2(row.at.x + pad + dot, y + dot),
                                            u32(colour_of(state, i)), ui.px(2));
  draw_text_right(ui, ui.fonts.small, ImVec2(row.right() - pad, row.text_y(ui.fonts.small)), ui.theme->dim, right);
  const float room = row.size.x - 3 * pad - dot - text_width(ui.fonts.small, right) - ui.px(8);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + 2 * pad + dot, row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, name_of(state, i), room));
  if (row.hovered) tooltip(ui, name_of(state, i));
  if (row.clicked) state.push(action::Select{{i}, SelectMode::kReplace});
}

void draw_buffers(State& state, std::string_view title, std::string_view list, const std::vector<BufferIndex>& buffers,
                  std::string_view none) {
  Ui& ui = state.ui;
  card_title(ui, title, buffers.empty() ? std::string() : format_count(static_cast<std::int64_t>(buffers.size())));
  if (buffers.empty()) return paragraph(ui, ui.theme->dim, none);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (std::size_t k = 0; k < std::min(buffers.size(), kMostLines); ++k) {
    const std::int64_t offset = state.offsets()[buffers[k]];
    draw_buffer(state, list, buffers[k], static_cast<int>(k), "at " + state.address(offset));
  }
  ImGui::PopStyleVar();
  if (buffers.size() > kMostLines) {
    text(ui.fonts.small, ui.theme->dim,
         fmt::format("and {} more", format_count(static_cast<std::int64_t>(buffers.size() - kMostLines))));
  }
}

/// Why it does not lie lower, in a sentence.
std::string verdict(const State& state, const WhyHere& here) {
  if (here.fixed) return "Its offset is fixed: it must lie here.";
  if (!here.tied.empty()) {
    return fmt::format("It moves together with {} other {} that tie it.", here.tied.size(),
                       here.tied.size() == 1 ? "buffer" : "buffers");
  }
  const auto collision = std::find_if(here.conflicts.begin(), here.conflicts.end(),
                                      [](const Neighbour& one) { return one.side == Neighbour::Side::kCollides; });
  if (collision != here.conflicts.end()) {
    return "It collides with " + name_of(state, collision->buffer) + ".";
  }
  if (here.lowest < here.offset) {
    return fmt::format("Nothing keeps it here: it could sink by {}.", state.bytes(here.offset - here.lowest));
  }
  if (here.supports.empty()) return "It lies on the floor: there is nothing lower.";
  return fmt::format("It rests on {}{}.", name_of(state, here.supports.front()),
                     here.supports.size() > 1 ? fmt::format(" and {} more", here.supports.size() - 1) : "");
}

/// A place that it could move to; a click moves it there.
void draw_place(State& state, const WhyHere& here, const std::string& name, int number, std::int64_t offset,
                const std::string& words) {
  Ui& ui = state.ui;
  const ListRow row = list_row(ui, name, number, kReasonHeight);
  const float pad = ui.px(8);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.text_y(ui.fonts.text)), ui.theme->text, words);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad, row.text_y(ui.fonts.mono)),
                  offset < here.offset ? ui.theme->good : ui.theme->dim,
                  signed_bytes(offset - here.offset, state.byte_unit()));
  if (row.hovered) tooltip(ui, "Click to move it there, in the plan \"hand\".");
  if (row.clicked) state.push(action::PlaceByHand{{{here.buffer, offset}}, false});
}

std::string words_of(const State& state, const Hole& hole) {
  if (!hole.high) return "from " + state.address(hole.low) + " on";
  if (*hole.high == hole.low) return "at " + state.address(hole.low);
  return fmt::format("{} \u2013 {}", state.address(hole.low), state.address(*hole.high));
}

void draw_holes(State& state, const WhyHere& here) {
  Ui& ui = state.ui;
  card_title(ui, "Where else it could lie");
  if (here.fixed || !here.tied.empty()) return paragraph(ui, ui.theme->dim, "It cannot move by itself.");
  const bool sinks = here.lowest < here.offset;
  if (here.holes.empty() && !sinks) {
    return paragraph(ui, ui.theme->dim, "Nowhere, with the others where they are.");
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (sinks) draw_place(state, here, "why.sink", -1, here.lowest, "down to " + state.address(here.lowest));
  for (std::size_t k = 0; k < std::min(here.holes.size(), kMostLines); ++k) {
    draw_place(state, here, fmt::format("why.hole.{}", k), static_cast<int>(k), here.holes[k].low,
               words_of(state, here.holes[k]));
  }
  ImGui::PopStyleVar();
  if (here.holes.size() > kMostLines) {
    text(ui.fonts.small, ui.theme->dim, fmt::format("and {} more", here.holes.size() - kMostLines));
  }
}

void draw_missing(State& state) {
  Ui& ui = state.ui;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const auto& view = state.part<WhyView>();
  const ImVec2 high(low.x + room.x, low.y + room.y);
  if (state.plan() == nullptr) {
    empty_message(ui, low, high, icon::kHelp, "No plan is shown", "Without a plan no buffer lies anywhere.");
  } else if (state.chosen() == kNoBuffer) {
    empty_message(ui, low, high, icon::kHelp, "No buffer is selected",
                  "Click one in the map: its supports, blockers and holes are drawn there.");
  } else if (!view.unknown.empty() && !view.work.running()) {
    empty_message(ui, low, high, icon::kHelp, "No answer", printable_utf8(view.unknown));
  } else {
    text(ui.fonts.small, ui.theme->dim, "Looking\u2026");
  }
}

}  // namespace

void draw_why(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  state.part<WhyView>().shown_in_frame = ImGui::GetFrameCount();
  begin_card(ui, "why", at, size);
  const WhyHere* here = why_here(state);
  card_title(ui, "Why here?", here != nullptr ? name_of(state, here->buffer) : std::string());
  if (here == nullptr) {
    draw_missing(state);
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("why.body", ImGui::GetContentRegionAvail());
  ImGui::PushTextWrapPos(0);
  text(ui.fonts.text, ui.theme->text, verdict(state, *here));
  ImGui::PopTextWrapPos();
  record(ui, "why.verdict");
  separator(ui);
  draw_buffers(state, "Held up by", "support", here->supports, "Nothing: it lies on the floor, or could sink.");
  separator(ui);
  draw_buffers(state, "Blocked above by", "block", here->blocks, "Nothing lies above it at these times.");
  separator(ui);
  draw_holes(state, *here);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
