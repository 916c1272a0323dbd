#include "ui/chart/flash.h"

#include <algorithm>
#include <cmath>

#include "ui/chart/spaces.h"
#include "ui/easing.h"
#include "ui/services.h"

namespace stowage {
namespace {

using State = Workbench::State;

double age_of(const State& state, const Flash& flash) {
  return state.host.now() - flash.since;
}

}  // namespace

void start_flash(State& state, std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high) {
  state.part<Flash>() = Flash{state.host.now(), start, end, low, high};
}

void draw_flash(State& state, const Canvas& canvas) {
  const auto& flash = state.part<Flash>();
  const double age = age_of(state, flash);
  if (age < 0 || age > Flash::kSeconds) return;
  const Viewport view = chart_view(state);
  const Ui& ui = state.ui;
  constexpr double kPulses = 3;
  const bool moving = easing_wanted(state);
  const double wave = moving ? 0.5 + 0.5 * std::cos(2 * 3.14159265 * kPulses * age / Flash::kSeconds) : 1;
  const double fading = moving ? 1 - age / Flash::kSeconds : 1;
  const auto grow = ui.px(2 + 6 * static_cast<float>(1 - wave));
  const ImVec2 low = canvas.device(view.x_of_step(flash.start), view.y_of_address(flash.high));
  const ImVec2 high = canvas.device(view.x_of_step(flash.end), view.y_of_address(flash.low));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(canvas.device(view.area.left, view.area.top), canvas.device(view.area.right, view.area.bottom),
                    true);
  list.AddRect(ImVec2(low.x - grow, low.y - grow), ImVec2(std::max(high.x, low.x + 1) + grow, high.y + grow),
               u32(with_alpha(ui.theme->bad, 0.35 + 0.65 * fading)), ui.px(4), 0, ui.px(3));
  list.PopClipRect();
  record(state.ui, "chart.flash", low, high);
}

bool busy_flash(const State& state) {
  const double age = age_of(state, state.part<Flash>());
  return age >= 0 && age <= Flash::kSeconds;
}

void poll_flash(State&) {}

}  // namespace stowage
