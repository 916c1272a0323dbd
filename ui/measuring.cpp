#include "ui/measuring.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/model/load_curve.h"
#include "ui/chart/spaces.h"

namespace stowage {
namespace {

using State = Workbench::State;

Measuring::Range range_of_view(const State& state) {
  const Viewport view = chart_view(state);
  return {view.time_at(view.area.left), view.time_at(view.area.right), std::max(0.0, view.byte_at(view.area.bottom)),
          view.byte_at(view.area.top)};
}

std::optional<Measuring::Range> range_of_selection(const State& state) {
  std::optional<Measuring::Range> hull;
  for (const BufferIndex i : state.selection) {
    const std::vector<std::int64_t>& offsets = state.drawn_offsets();
    if (i >= offsets.size() || offsets[i] == kNoOffset) continue;
    const Buffer& b = state.problem()[i];
    const Measuring::Range one{static_cast<double>(b.start), static_cast<double>(b.end),
                               static_cast<double>(offsets[i]), static_cast<double>(offsets[i] + b.size)};
    if (!hull) hull = one;
    hull->time_low = std::min(hull->time_low, one.time_low);
    hull->time_high = std::max(hull->time_high, one.time_high);
    hull->byte_low = std::min(hull->byte_low, one.byte_low);
    hull->byte_high = std::max(hull->byte_high, one.byte_high);
  }
  return hull;
}

}  // namespace

std::string measured(const State& state, const Measuring::Range& range) {
  std::int64_t load = load_at(state.curve(), static_cast<std::int64_t>(std::floor(range.time_low)));
  for (const LoadPoint& point : state.curve()) {
    const auto time = static_cast<double>(point.time);
    if (time >= range.time_low && time < range.time_high) load = std::max(load, point.load);
  }
  return fmt::format("{:.1f} {}\n{}\nload up to {}", range.time_high - range.time_low, state.time_unit(2),
                     state.bytes(static_cast<std::int64_t>(std::max(0.0, range.byte_high - range.byte_low))),
                     state.bytes(load));
}

void toggle_measuring(State& state) {
  Measuring& measuring = state.part<Measuring>();
  const bool on = measuring.range && measuring.selection_revision == state.selection_revision;
  measuring.range.reset();
  if (on) return;
  measuring.range = state.selection.empty() ? range_of_view(state) : range_of_selection(state);
  measuring.selection_revision = state.selection_revision;
}

}  // namespace stowage
