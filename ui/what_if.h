#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explain/sensitivity.h"
#include "core/explain/what_if.h"
#include "core/tasks/background.h"
#include "ui/typed_field.h"
#include "ui/workbench.h"

namespace stowage {

/// Questions to the problem that change nothing.
struct WhatIf {
  std::map<std::uint16_t, std::int64_t>
      capacities;                                 // of the slider, by space; none: the problem's own, else the makespan
  TypedField typed;                               // the same as words
  int shown_in_frame = -2;                        // of Dear ImGui: when the panel was drawn last
  std::map<std::uint16_t, std::int64_t> charted;  // what the chart has lines for: nothing while the panel is hidden

  // Alignments, with the allocator that was asked.
  Background<Result<std::vector<AlignmentOutcome>>> aligning;
  std::vector<AlignmentOutcome> alignments;
  std::string aligned_by;

  // Each buffer gone or halved.
  Background<Result<SensitivityReport>> trying;
  std::shared_ptr<std::atomic<double>> tried = std::make_shared<std::atomic<double>>(0);
  std::shared_ptr<std::stop_source> stop_trying;  // gives what was tried so far
  std::optional<SensitivityReport> ranking;
  std::string ranked_by;

  std::string refused;  // why one of them could not be answered
  std::uint64_t problem_revision = 0;
  std::uint16_t space = 0;
};

/// The allocator that what-ifs run: the shown plan's own, or a quick one where that takes too long to run it often.
const Allocator& what_if_allocator(const Workbench::State& state);
/// The capacity that is asked about in the shown space.
std::int64_t what_if_capacity(const Workbench::State& state);
void set_what_if_capacity(Workbench::State& state, std::int64_t capacity);
/// What was typed becomes the capacity, nothing the file's own; or the field says what can be typed.
void type_what_if_capacity(Workbench::State& state, const std::string& text);
/// The capacity that the chart draws a line for: one that was set, while the panel is in front.
std::optional<std::int64_t> charted_capacity(const Workbench::State& state, std::uint16_t space);

void try_alignments_now(Workbench::State& state);
void rank_buffers_now(Workbench::State& state);
/// The ranking ends with what it has.
void stop_ranking(Workbench::State& state);

}  // namespace stowage
