#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/chart/pool_figure.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/painter.h"
#include "ui/pools_panel.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kListWidth = 230;    // logical pixels
constexpr float kNarrowPanel = 520;  // below it the list lies above the picture

/// A pool, what it has reserved, and how far that lies above what was asked for.
void row(State& state, std::string_view id, const PoolRun* run, bool offline) {
  Ui& ui = state.ui;
  const auto& panel = state.part<PoolsPanel>();
  const ListRow line = list_row(ui, fmt::format("pools.{}", id.empty() ? "all" : id), 0, 26, panel.chosen == id);
  if (line.clicked) state.later([name = std::string(id)](State& s) { choose_pool(s, name); });
  const float y = line.text_y(ui.fonts.text);
  float right = line.right() - ui.px(8);
  if (run != nullptr) {
    const PoolPeaks peaks = run->peaks();
    const std::string bytes = state.bytes(peaks.reserved);
    draw_text_right(ui, ui.fonts.mono, ImVec2(right, y), run->failures.empty() ? ui.theme->text : ui.theme->bad, bytes);
    right -= text_width(ui.fonts.mono, bytes) + ui.px(10);
    if (line.hovered) {
      tooltip(ui, fmt::format("reserved at most {}\nallocated at most {}\nrequested at most {}\n{} failures",
                              format_exact_bytes(peaks.reserved), format_exact_bytes(peaks.allocated),
                              format_exact_bytes(peaks.requested), run->failures.size()));
    }
  }
  const std::string name = id.empty() ? std::string("All of them") : fmt::format("{}{}", id, offline ? " (plan)" : "");
  draw_text(ui, ui.fonts.text, ImVec2(line.at.x + ui.px(10), y), ui.theme->text,
            fitted(ui.fonts.text, name, right - line.at.x - ui.px(10)));
}

void list(State& state, const PoolsPanel::Played& played, ImVec2 at, ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("pools.rows", size);
  row(state, "", nullptr, false);
  for (std::size_t k = 0; k < played.runs.size(); ++k) {
    row(state, played.runs[k].pool, &played.runs[k], k == 0 && played.planned);
  }
  for (const std::string& refusal : played.refusals) paragraph(state.ui, state.ui.theme->dim, refusal);
  ImGui::EndChild();
}

Scene picture(const State& state, const PoolsPanel& panel, float width, float height) {
  const PoolsPanel::Played& played = *panel.played;
  PoolFigureInput input;
  input.trace = &played.trace;
  input.axis = TraceAxis::kTime;
  for (const PoolRun& run : played.runs) {
    if (run.pool == panel.chosen) input.runs.push_back(&run);
  }
  if (input.runs.empty()) {
    for (const PoolRun& run : played.runs) input.runs.push_back(&run);
  }
  input.width = width;
  input.height = height;
  input.scale = state.ui.scale;
  input.unit = state.byte_unit();
  return make_pool_figure(input, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
}

}  // namespace

void draw_pools(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  follow_pools(state);
  auto& panel = state.part<PoolsPanel>();
  begin_card(ui, "pools", at, size);
  card_title(ui, "Online pools", panel.work.running() ? "working\xE2\x80\xA6" : "");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (panel.played == nullptr) {
    const bool waiting = panel.failure.empty() && state.has_problem();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kBox,
                  waiting ? "Serving the requests\xE2\x80\xA6" : "Nothing to serve",
                  panel.failure.empty() ? "Pools answer each request as it comes and know nothing of later ones."
                                        : panel.failure);
    end_card();
    return;
  }
  const auto make = [&](float width, float height) {
    return picture(state, panel, width, height);
  };
  if (room.x >= ui.px(kNarrowPanel)) {
    list(state, *panel.played, low, ImVec2(ui.px(kListWidth), room.y));
    const float x = low.x + ui.px(kListWidth + 8);
    draw_figure(state, panel.figure, "pools.figure", panel.revision, ImVec2(x, low.y),
                ImVec2(low.x + room.x - x, room.y), make);
  } else {
    const float height = std::min(room.y * 0.4F, ui.px(26 * 9));
    list(state, *panel.played, low, ImVec2(room.x, height));
    draw_figure(state, panel.figure, "pools.figure", panel.revision, ImVec2(low.x, low.y + height + ui.px(6)),
                ImVec2(room.x, room.y - height - ui.px(6)), make);
  }
  end_card();
}

}  // namespace stowage
