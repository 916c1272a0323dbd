#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/explain/peaks.h"
#include "ui/workbench.h"

namespace stowage {

/// The peaks of the shown space and who is live at one of them.
struct PeakList {
  std::vector<LoadPeak> peaks;
  std::size_t chosen = 0;
  std::vector<LiveBuffer> live;  // at the chosen one

  // What they were made for.
  std::uint64_t problem_revision = 0;
  std::uint16_t space = 0;
  std::size_t live_of = static_cast<std::size_t>(-1);
};

/// Brought up to date with the problem.
PeakList& fresh_peaks(Workbench::State& state);
/// The chosen peak becomes this one, counted around, and the view shows its time.
void go_to_peak(Workbench::State& state, std::size_t number);
void step_peak(Workbench::State& state, int step);

}  // namespace stowage
