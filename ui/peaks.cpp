#include "ui/peaks.h"

#include <algorithm>

#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The peak with as much before and after it that one sees what it towers over: at least two steps on each side.
void show_time(State& state, const LoadPeak& peak) {
  const double length = static_cast<double>(peak.end - peak.start);
  const double around = std::max(2.0, length * 2);
  Viewport to = state.camera;
  to.time_low = static_cast<double>(peak.start - to.time_origin) - around;
  to.time_high = static_cast<double>(peak.end - to.time_origin) + around;
  state.centre = CentreView::kMap;
  state.history.last_move = -1e9;
  move_camera(state, to, true);
  state.history.last_move = -1e9;  // the next move is one of its own
}

}  // namespace

PeakList& fresh_peaks(State& state) {
  auto& list = state.part<PeakList>();
  if (list.problem_revision != state.problem_revision || list.space != state.space) {
    list.problem_revision = state.problem_revision;
    list.space = state.space;
    list.peaks = load_peaks(state.curve());
    list.chosen = 0;
    list.live_of = static_cast<std::size_t>(-1);
  }
  if (list.live_of != list.chosen) {
    list.live_of = list.chosen;
    list.live.clear();
    if (list.chosen < list.peaks.size()) {
      list.live = live_by_size(state.problem(), list.peaks[list.chosen].start, state.space);
    }
  }
  return list;
}

void go_to_peak(State& state, std::size_t number) {
  PeakList& list = fresh_peaks(state);
  if (list.peaks.empty()) return;
  list.chosen = number % list.peaks.size();
  show_time(state, list.peaks[list.chosen]);
}

void step_peak(State& state, int step) {
  const PeakList& list = fresh_peaks(state);
  const std::size_t count = list.peaks.size();
  if (count == 0) return;
  go_to_peak(state, step > 0 ? list.chosen + 1 : list.chosen + count - 1);
}

}  // namespace stowage
