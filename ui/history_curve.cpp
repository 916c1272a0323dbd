#include "ui/history_curve.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostEntries = 200;  // entries about the present

/// Entries [first, last) of the history on a plot.
struct Plot {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t most = 1;  // bytes at the top
  ImVec2 low;
  ImVec2 high;

  float x(std::size_t entry) const {
    if (last - first < 2) return (low.x + high.x) / 2;
    const auto steps = static_cast<float>(last - first - 1);
    return low.x + (high.x - low.x) * static_cast<float>(entry - first) / steps;
  }
  float y(std::int64_t bytes) const {
    const auto share = static_cast<float>(static_cast<double>(bytes) / static_cast<double>(most));
    return high.y - (high.y - low.y) * share;
  }
};

Plot plot_of(const State& state, ImVec2 low, ImVec2 high) {
  const auto& history = state.editing.history;
  Plot plot;
  plot.low = low;
  plot.high = high;
  plot.last = std::min(history.size(), history.position() + kMostEntries / 4);
  plot.first = plot.last > kMostEntries ? plot.last - kMostEntries : 0;
  for (std::size_t k = plot.first; k < plot.last; ++k) {
    plot.most = std::max({plot.most, history[k].load, history[k].makespan});
  }
  return plot;
}

using Value = std::int64_t (*)(const History<std::shared_ptr<Snapshot>>::Entry&);

/// A line through the values that are known; what can be done again is paler.
void draw_line(const State& state, const Plot& plot, Value value, Color color, float thick) {
  const auto& history = state.editing.history;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t k = plot.first; k < plot.last; ++k) {
    if (value(history[k]) <= 0) continue;
    const ImVec2 here(plot.x(k), plot.y(value(history[k])));
    const ImU32 paint = u32(k <= history.position() ? color : with_alpha(color, 0.35));
    if (k > plot.first && value(history[k - 1]) > 0) {
      // A step: the value holds until the next change.
      const ImVec2 before(plot.x(k - 1), plot.y(value(history[k - 1])));
      list.AddLine(before, ImVec2(here.x, before.y), paint, thick);
      list.AddLine(ImVec2(here.x, before.y), here, paint, thick);
    }
    if (k == history.position()) list.AddCircleFilled(here, state.ui.px(2) + thick, paint, 16);
  }
}

std::string words_of(const State& state, std::size_t entry) {
  const auto& one = state.editing.history[entry];
  std::string words = printable_utf8(one.label) + "\nload " + state.bytes(one.load);
  if (one.makespan > 0) words += ", makespan " + state.bytes(one.makespan);
  if (one.makespan > 0 && one.load > 0) {
    const double over = static_cast<double>(one.makespan) / static_cast<double>(one.load) - 1;
    words += ", overhead " + overhead_text(over);
  }
  if (entry == state.editing.history.position()) words += "\nthe present";
  return words;
}

}  // namespace

void draw_history_curve_in(State& state, ImVec2 low, ImVec2 size) {
  const Ui& ui = state.ui;
  const auto& history = state.editing.history;
  const float letters = font_height(ui.fonts.small);
  const auto makespan = [](const auto& entry) {
    return entry.makespan;
  };
  const auto load = [](const auto& entry) {
    return entry.load;
  };
  // Above: which line is which, with the numbers of the present.
  float x = low.x;
  const auto key = [&](std::string_view name, std::int64_t bytes, Color color) {
    const std::string words = fmt::format("{} {}", name, bytes > 0 ? state.bytes(bytes) : "\u2013");
    const float width = text_width(ui.fonts.small, words) + ui.px(14);
    if (x + width > low.x + size.x) return;
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(x + ui.px(4), low.y + letters / 2), ui.px(3), u32(color), 12);
    draw_text(ui, ui.fonts.small, ImVec2(x + ui.px(11), low.y), ui.theme->dim, words);
    x += width + ui.px(8);
  };
  const auto& present = history[history.position()];
  key("makespan", present.makespan, ui.theme->warn);
  key("load", present.load, ui.theme->good);
  const ImVec2 top(low.x + ui.px(5), low.y + letters + ui.px(8));
  const ImVec2 bottom(low.x + size.x - ui.px(5), low.y + size.y - ui.px(6));
  if (bottom.y - top.y < ui.px(10) || bottom.x - top.x < ui.px(20)) return;
  const Plot plot = plot_of(state, top, bottom);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(ImVec2(low.x, bottom.y), ImVec2(low.x + size.x, bottom.y), u32(ui.theme->line));
  // The wider one can be seen behind the other where they are equal.
  draw_line(state, plot, makespan, ui.theme->warn, 4 * ui.scale);
  draw_line(state, plot, load, ui.theme->good, 1.6F * ui.scale);
  ImGui::SetCursorScreenPos(ImVec2(low.x, top.y - ui.px(4)));
  ImGui::InvisibleButton("##history_curve", ImVec2(size.x, bottom.y - top.y + ui.px(8)));
  record(state.ui, "history_curve.canvas");
  if (!ImGui::IsItemHovered()) return;
  const float mouse = ImGui::GetIO().MousePos.x;
  std::size_t nearest = plot.first;
  for (std::size_t k = plot.first; k < plot.last; ++k) {
    if (std::abs(plot.x(k) - mouse) < std::abs(plot.x(nearest) - mouse)) nearest = k;
  }
  list.AddLine(ImVec2(plot.x(nearest), top.y), ImVec2(plot.x(nearest), bottom.y), u32(with_alpha(ui.theme->text, 0.3)));
  tooltip(ui, words_of(state, nearest));
  if (ImGui::IsItemClicked() && nearest != history.position()) state.push(action::GoToEntry{nearest});
}

}  // namespace stowage
