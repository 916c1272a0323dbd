#include "ui/peaks.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/colours.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kPeak = 26;
constexpr float kBuffer = 26;
constexpr int kShownPeaks = 5;

std::string when(const State& state, const LoadPeak& peak) {
  const std::string unit = printable_utf8(state.problem().time_unit());
  if (peak.end - peak.start == 1) return fmt::format("{} {}", unit, peak.start);
  return fmt::format("{}s {}\u2013{}", unit, peak.start, peak.end - 1);
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// Behind a row, from the left: how much of the whole it is.
void draw_share(const Ui& ui, const ListRow& row, double share, Color color) {
  const float width = static_cast<float>(std::clamp(share, 0.0, 1.0)) * row.size.x;
  if (width < 1) return;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(row.at.x, row.at.y + ui.px(2)),
                                            ImVec2(row.at.x + width, row.at.y + row.size.y - ui.px(2)),
                                            u32(with_alpha(color, 0.18)), ui.px(4));
}

void draw_peak(State& state, const PeakList& list, int number) {
  Ui& ui = state.ui;
  const auto k = static_cast<std::size_t>(number);
  const LoadPeak& peak = list.peaks[k];
  const ListRow row = list_row(ui, fmt::format("peaks.{}", number), number, kPeak, list.chosen == k);
  draw_share(ui, row, share_of(peak.load, list.peaks.front().load), ui.theme->bad);
  const float pad = ui.px(10);
  const std::string load = state.bytes(peak.load);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad, row.text_y(ui.fonts.mono)), ui.theme->text, load);
  const float room = row.size.x - 2 * pad - text_width(ui.fonts.mono, load) - ui.px(8);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, fmt::format("{}.  {}", number + 1, when(state, peak)), room));
  if (row.hovered) {
    tooltip(ui, fmt::format("{}, {} of the load\nClick to go there.", format_exact_bytes(peak.load),
                            format_percent(share_of(peak.load, list.peaks.front().load))));
  }
  if (row.clicked) state.later([k](State& s) { go_to_peak(s, k); });
}

void draw_buffer(State& state, const PeakList& list, int number) {
  Ui& ui = state.ui;
  const LiveBuffer& live = list.live[static_cast<std::size_t>(number)];
  const BufferIndex i = live.buffer;
  const ListRow row = list_row(ui, fmt::format("peaks.live.{}", number), number, kBuffer, state.chosen() == i);
  const double share = share_of(live.bytes, list.peaks[list.chosen].load);
  const Color color = colour_of(state, i);
  draw_share(ui, row, share, color);
  const float pad = ui.px(10);
  const float y = row.text_y(ui.fonts.mono);
  const std::string percent = format_percent(share);
  const std::string bytes = state.bytes(live.bytes);
  const float column = text_width(ui.fonts.mono, "100.0 %") + ui.px(10);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad, y), ui.theme->dim, percent);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad - column, y), ui.theme->text, bytes);
  const float dot = ui.px(8);
  const float dot_y = row.at.y + (row.size.y - dot) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(row.at.x + pad, dot_y), ImVec2(row.at.x + pad + dot, dot_y + dot),
                                            u32(color), ui.px(2));
  const float room = row.size.x - 2 * pad - column - text_width(ui.fonts.mono, bytes) - dot - ui.px(16);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad + dot + ui.px(8), row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, printable_utf8(state.problem().id(i)), room));
  if (row.hovered) {
    tooltip(ui, fmt::format("{}\n{}, {} of the load", printable_utf8(state.problem().id(i)),
                            format_exact_bytes(live.bytes), percent));
  }
  if (row.clicked) state.push(action::Select{{i}, SelectMode::kReplace});
}

void draw_live(State& state, const PeakList& list) {
  Ui& ui = state.ui;
  card_title(ui, "Live there", fmt::format("{} buffers", format_count(static_cast<std::int64_t>(list.live.size()))));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("peaks.buffers", ImGui::GetContentRegionAvail());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(list.live.size()), ui.px(kBuffer));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_buffer(state, list, k);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

/// The list is as high as its peaks, up to five; more scroll.
void draw_peaks_part(State& state, const PeakList& list) {
  Ui& ui = state.ui;
  const int count = static_cast<int>(list.peaks.size());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("peaks.list", ImVec2(0, ui.px(kPeak) * static_cast<float>(std::min(count, kShownPeaks))));
  ImGuiListClipper clipper;
  clipper.Begin(count, ui.px(kPeak));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_peak(state, list, k);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::Dummy(ImVec2(0, ui.px(2)));
  const bool several = count > 1;
  if (button(ui, "peaks.previous", icon::kStepBack, "", ButtonLook::kRaised, "The peak before", several)) {
    state.later([](State& s) { step_peak(s, -1); });
  }
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "peaks.next", icon::kStepOn, "", ButtonLook::kRaised, "The next highest peak", several)) {
    state.later([](State& s) { step_peak(s, 1); });
  }
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "peaks.select", nullptr, "Select all live", ButtonLook::kRaised)) {
    std::vector<BufferIndex> live;
    for (const LiveBuffer& one : list.live) live.push_back(one.buffer);
    state.push(action::Select{std::move(live), SelectMode::kReplace});
  }
  separator(ui);
}

}  // namespace

void draw_peaks(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "peaks", at, size);
  const PeakList& list = fresh_peaks(state);
  card_title(
      ui, "Peaks",
      list.peaks.empty() ? std::string() : format_count(static_cast<std::int64_t>(list.peaks.size())) + " in all");
  if (list.peaks.empty()) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kBars, "Nothing is live",
                  state.has_problem() ? "No buffer of this space takes memory at any time."
                                      : "Open a file to see when its load is highest.");
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  draw_peaks_part(state, list);
  draw_live(state, list);
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
