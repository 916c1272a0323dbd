#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// A plan with its two coordinates.
struct Mark {
  std::string id;
  double seconds = 0;
  double overhead = 0;
  bool valid = true;
  bool optimal = false;
};

std::vector<Mark> marks_of(const State& state) {
  std::vector<Mark> marks;
  for (const std::string& id : state.ranked_plans()) {
    const PlanFacts* facts = state.facts_of(id);
    if (facts == nullptr || facts->seconds < 0) continue;
    marks.push_back({id, std::max(facts->seconds, 1e-7), std::max(facts->metrics.overhead, 0.0), facts->report.valid(),
                     facts->metrics.optimal});
  }
  return marks;
}

/// Nobody is at the same time quicker and lower: the plans worth looking at.
bool on_front(const Mark& mark, const std::vector<Mark>& marks) {
  return mark.valid && std::none_of(marks.begin(), marks.end(), [&](const Mark& other) {
           return other.valid && other.seconds <= mark.seconds && other.overhead <= mark.overhead &&
                  (other.seconds < mark.seconds || other.overhead < mark.overhead);
         });
}

/// Time runs to the right in powers of ten, overhead upwards.
struct Axes {
  ImVec2 low;   // upper left of the plane
  ImVec2 high;  // lower right
  double first = -6;
  double last = 0;
  double most = 0.1;
  bool beyond = false;  // some lie above `most` and are drawn there

  ImVec2 at(const Mark& mark) const {
    const double x = (std::log10(mark.seconds) - first) / (last - first);
    const double y = std::min(mark.overhead / most, 1.0);
    return ImVec2(low.x + static_cast<float>(x) * (high.x - low.x), high.y - static_cast<float>(y) * (high.y - low.y));
  }
};

Axes axes_of(const std::vector<Mark>& marks, ImVec2 low, ImVec2 high) {
  Axes axes{low, high, 0, -9, 0.01, false};
  std::vector<double> overheads;
  for (const Mark& mark : marks) {
    axes.first = std::min(axes.first, std::floor(std::log10(mark.seconds)));
    axes.last = std::max(axes.last, std::ceil(std::log10(mark.seconds) + 1e-9));
    overheads.push_back(mark.overhead);
  }
  if (axes.last <= axes.first) axes.last = axes.first + 1;
  // A hopeless plan lies at the upper edge; it must not squeeze the others together.
  std::sort(overheads.begin(), overheads.end());
  const double typical = overheads[overheads.size() * 3 / 4];
  axes.most = std::max(0.01, std::min(overheads.back(), typical * 2 + 0.01) * 1.08);
  axes.beyond = overheads.back() > axes.most;
  return axes;
}

void draw_axes(const Ui& ui, const Axes& axes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float free_from = axes.low.x - ui.px(40);  // a label may begin here
  for (double power = axes.first; power <= axes.last + 0.5; power += 1) {
    const float x = axes.at(Mark{"", std::pow(10, power), 0, true, false}).x;
    list.AddLine(ImVec2(x, axes.low.y), ImVec2(x, axes.high.y), u32(ui.theme->grid));
    const std::string words = format_seconds(std::pow(10, power));
    const float half = text_width(ui.fonts.small, words) / 2;
    if (x - half < free_from) continue;
    draw_text(ui, ui.fonts.small, ImVec2(x - half, axes.high.y + ui.px(5)), ui.theme->dim, words);
    free_from = x + half + ui.px(8);
  }
  for (int k = 0; k <= 4; ++k) {
    const double overhead = axes.most * k / 4;
    const float y = axes.at(Mark{"", 1, overhead, true, false}).y;
    list.AddLine(ImVec2(axes.low.x, y), ImVec2(axes.high.x, y), u32(ui.theme->grid));
    std::string words = k == 0 ? std::string("load") : "+" + format_percent(overhead);
    if (k == 4 && axes.beyond) words += " \u2191";
    draw_text_right(ui, ui.fonts.small, ImVec2(axes.low.x - ui.px(8), y - font_height(ui.fonts.small) / 2),
                    ui.theme->dim, words);
  }
}

/// A name beside its point, on the card's own ground, so that points behind it do not cross the letters.
struct Label {
  std::string words;
  ImVec2 low;
  ImVec2 high;

  bool crosses(const Label& other) const {
    return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y;
  }
};

Label name_beside(const Ui& ui, const Mark& mark, ImVec2 at, const Axes& axes) {
  Label label{State::title_of_plan(mark.id), {}, {}};
  const ImVec2 size(text_width(ui.fonts.small, label.words), font_height(ui.fonts.small));
  label.low = ImVec2(at.x + ui.px(10), at.y - size.y / 2);
  if (label.low.x + size.x > axes.high.x) label.low.x = at.x - ui.px(10) - size.x;
  label.high = ImVec2(label.low.x + size.x, label.low.y + size.y);
  return label;
}

void draw_marks(State& state, const std::vector<Mark>& marks, const Axes& axes) {
  Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::vector<Label> labels;
  for (const Mark& mark : marks) {
    const ImVec2 at = axes.at(mark);
    const float half = ui.px(6);
    ImGui::SetCursorScreenPos(ImVec2(at.x - half, at.y - half));
    ImGui::PushID(mark.id.c_str());
    const bool clicked = ImGui::InvisibleButton("##mark", ImVec2(2 * half, 2 * half));
    ImGui::PopID();
    record(ui, "scatter." + mark.id);
    const bool hovered = ImGui::IsItemHovered();
    const bool shown = state.shown_plan == mark.id;
    const bool front = on_front(mark, marks);
    const Color color = !mark.valid ? ui.theme->bad : mark.optimal ? ui.theme->good : ui.theme->accent;
    list.AddCircleFilled(at, ui.px(shown || hovered ? 6.0F : 4.5F), u32(with_alpha(color, front ? 1.0 : 0.55)));
    if (shown) list.AddCircle(at, ui.px(9), u32(ui.theme->text), 0, ui.px(1.5F));
    if (hovered) {
      tooltip(ui, fmt::format("{}\n{}  \u00B7  overhead {}", State::title_of_plan(mark.id),
                              format_seconds(mark.seconds), overhead_text(mark.overhead)));
    }
    if (clicked) state.push(action::ShowPlan{mark.id});
    if (!front && !shown) continue;
    // Where no other lies below it; plans that nobody beats come first, since they are ranked.
    Label label = name_beside(ui, mark, at, axes);
    const bool free =
        std::none_of(labels.begin(), labels.end(), [&](const Label& other) { return label.crosses(other); });
    if (free) labels.push_back(std::move(label));
  }
  const float air = ui.px(3);
  for (const Label& label : labels) {
    list.AddRectFilled(ImVec2(label.low.x - air, label.low.y - air / 2),
                       ImVec2(label.high.x + air, label.high.y + air / 2), u32(with_alpha(ui.theme->card, 0.85)), air);
    draw_text(ui, ui.fonts.small, label.low, ui.theme->text, label.words);
  }
}

}  // namespace

void draw_scatter(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "scatter", at, size);
  card_title(ui, "Time against overhead", "left and low is better");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const std::vector<Mark> marks = marks_of(state);
  if (marks.empty()) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kTrophy, "No allocator has run",
                  "Each finished plan becomes a point: its time and its overhead above the load.");
    if (state.has_problem()) {
      const float width = button_width(ui, icon::kPlay, "Run allocators");
      ImGui::SetCursorScreenPos(ImVec2(low.x + (room.x - width) / 2, low.y + room.y / 2 + ui.px(40)));
      if (button(ui, "scatter.run_all", icon::kPlay, "Run allocators", ButtonLook::kAccent)) {
        state.push(action::Invoke{CommandId::run_all});
      }
    }
    end_card();
    return;
  }
  const Axes axes = axes_of(marks, ImVec2(low.x + ui.px(70), low.y + ui.px(12)),
                            ImVec2(low.x + room.x - ui.px(24), low.y + room.y - ui.px(26)));
  draw_axes(ui, axes);
  draw_marks(state, marks, axes);
  end_card();
}

}  // namespace stowage
